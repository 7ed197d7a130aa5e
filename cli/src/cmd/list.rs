//! `serbench list`: the plugins, codecs or datasets that there are.

use clap::{Args, ValueEnum};
use serbench_datasets::Dataset;

use crate::args::{Format, PluginArgs};
use crate::error::{Error, Outcome, complain};
use crate::protocol::{CodecInfo, PluginInfo};
use crate::report::{self, Align, Cell, Column, Document, Table, Value};
use crate::run::{Codec, Fleet, Progress, places};

/// Show the plugins, codecs or datasets that there are
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to show
    #[arg(value_enum, default_value_t = What::Codecs)]
    what: What,

    #[command(flatten)]
    plugins: PluginArgs,

    /// How the output is written
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The plugin files
    Plugins,
    /// The codecs in them
    Codecs,
    /// The datasets that serbench brings along
    Datasets,
}

/// Carries it out.
pub fn list(args: &ListArgs) -> Result<Outcome, Error> {
    let (table, outcome) = match args.what {
        What::Datasets => (datasets(serbench_datasets::catalog()), Outcome::Ok),
        What::Plugins | What::Codecs => plugins_or_codecs(args)?,
    };
    let document = Document {
        tables: vec![table],
        notes: Vec::new(),
    };
    report::print(&document, args.format, None)?;
    Ok(outcome)
}

fn plugins_or_codecs(args: &ListArgs) -> Result<(Table, Outcome), Error> {
    let files = places::plugin_files(&args.plugins.plugins)?;
    let folder = super::temporary_folder()?;
    let options = args.plugins.workers.options(folder.path(), None);
    let progress = Progress::new();
    let fleet = Fleet::start(&files, options, &progress);
    progress.clear();
    let mut outcome = Outcome::Ok;
    for refused in &fleet.refused {
        complain(format!("{}: {}", refused.path.display(), refused.reason));
        outcome = Outcome::Failed;
    }
    let infos = fleet.plugins();
    if args.what == What::Plugins {
        return Ok((plugins(&infos), outcome));
    }
    let found = fleet.codecs();
    for conflict in found.iter().filter_map(|codec| codec.conflict.as_ref()) {
        complain(conflict);
        outcome = Outcome::Failed;
    }
    Ok((codecs(&infos, &found), outcome))
}

fn plugins(infos: &[PluginInfo]) -> Table {
    let row = |info: &PluginInfo| {
        let ids = info.codecs.iter().map(|codec| codec.id.clone());
        let datasets = info.datasets.iter().map(|(name, _)| name.clone());
        vec![
            info.id.as_str().into(),
            info.version.as_str().into(),
            info.language.as_str().into(),
            Value::List(ids.collect()).into(),
            info.license.as_str().into(),
            info.compiler.as_str().into(),
            info.flags.as_str().into(),
            format!("{}.{}", info.abi.0, info.abi.1).into(),
            info.path.display().to_string().into(),
            Value::List(datasets.collect()).into(),
        ]
    };
    Table {
        columns: [
            ("plugin", 0),
            ("version", 1),
            ("language", 2),
            ("codecs", 3),
            ("license", 4),
            ("compiler", 5),
            ("flags", 6),
            ("abi", 7),
            ("path", 8),
        ]
        .map(|(id, rank)| Column::new(id, id, Align::Left, rank))
        .into_iter()
        .chain([Column::machine("datasets")])
        .collect(),
        rows: infos.iter().map(row).collect(),
        ..Table::default()
    }
}

fn codecs(plugins: &[PluginInfo], codecs: &[Codec]) -> Table {
    Table {
        columns: [
            ("id", 0),
            ("format", 1),
            ("language", 2),
            ("library", 5),
            ("library_version", 3),
            ("plugin", 6),
            ("capabilities", 7),
            ("yields", 4),
            ("validation", 4),
            ("extensions", 9),
            ("notes", 8),
        ]
        .map(|(id, rank)| Column::new(id, id.replace('_', " "), Align::Left, rank))
        .into_iter()
        .chain([Column::machine("path")])
        .collect(),
        rows: codecs
            .iter()
            .map(|codec| codec_row(&plugins[codec.plugin], &codec.info))
            .collect(),
        ..Table::default()
    }
}

fn codec_row(plugin: &PluginInfo, codec: &CodecInfo) -> Vec<Cell> {
    vec![
        codec.id.as_str().into(),
        codec.format.as_str().into(),
        plugin.language.as_str().into(),
        codec.library.as_str().into(),
        codec.library_version.as_str().into(),
        plugin.id.as_str().into(),
        Value::List(codec.capabilities.clone()).into(),
        codec.yields.as_str().into(),
        codec.validation.as_str().into(),
        Value::List(codec.extensions.clone()).into(),
        codec.notes.as_str().into(),
        plugin.path.display().to_string().into(),
    ]
}

fn datasets(catalog: &[Dataset]) -> Table {
    let row = |dataset: &Dataset| {
        vec![
            dataset.name.as_str().into(),
            dataset.summary.as_str().into(),
            dataset.fingerprint.as_str().into(),
        ]
    };
    Table {
        columns: vec![
            Column::new("name", "name", Align::Left, 0),
            Column::new("summary", "summary", Align::Left, 1),
            Column::new("fingerprint", "fingerprint", Align::Left, 2),
        ],
        rows: catalog.iter().map(row).collect(),
        ..Table::default()
    }
}
