//! `serbench check`: whether plugins keep to the contract.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::run::data;
use super::temporary_folder;
use crate::args::{Globs, WorkerArgs, did_you_mean};
use crate::check::{self, Material, Report, Suite};
use crate::error::{Error, Outcome};
use crate::run::{Progress, interrupt, places};

/// Check plugins against the contract of serbench.h
///
/// Every codec is put to the test on every dataset: values come back as they went in, in every
/// mode; instances and threads leave each other alone; nothing leaks, and nothing outside what was
/// handed over is touched; damaged messages give an error or a valid value. One line for each
/// check, with a hint where it fails. A crash ends one check, not the others.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct CheckArgs {
    /// Plugins, or folders of them
    #[arg(value_name = "PLUGIN", required = true)]
    plugins: Vec<PathBuf>,

    /// Only codecs whose id matches, such as `postcard` or 'serde_*'; repeatable
    #[arg(long, short, value_name = "GLOB")]
    codec: Vec<String>,

    /// Only these datasets, by name or glob, or a folder with schema.rs and its data; repeatable
    #[arg(long, short, value_name = "NAME|GLOB|DIR")]
    dataset: Vec<String>,

    /// How the outcome is written
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    format: Format,

    #[command(flatten)]
    workers: WorkerArgs,
}

/// How the outcome is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each check, as it is made
    Table,
    /// An array with an object for each plugin
    Json,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    every check passed, but for faults of a library that its codec declares
  1    some check failed (its line says which)
  2    bad usage, or nothing to check
  130  stopped by Ctrl-C";

/// Carries it out.
pub fn check(args: &CheckArgs) -> Result<Outcome, Error> {
    let files = places::plugin_files(&args.plugins)?;
    let datasets = data::select(&args.dataset, None)?;
    let codecs = Globs::new(&args.codec)?;
    interrupt::listen()?;
    let folder = temporary_folder()?;
    let materials = datasets
        .iter()
        .map(|dataset| Material::new(dataset, folder.path()))
        .collect::<Result<Vec<_>, _>>()?;
    let options = args.workers.options(folder.path(), None);
    let progress = Progress::new();
    let suite = Suite {
        materials: &materials,
        codecs: &codecs,
        options: &options,
        progress: &progress,
    };
    let mut tell = |text: &str| match args.format {
        Format::Table => write(text),
        Format::Json => Ok(()),
    };
    let mut reports = Vec::new();
    for file in &files {
        if !interrupt::asked() {
            reports.push(suite.check(file, &mut tell)?);
        }
    }
    progress.clear();
    conclude(args, &codecs, &reports)
}

fn conclude(args: &CheckArgs, codecs: &Globs, reports: &[Report]) -> Result<Outcome, Error> {
    let count = |result| -> usize { reports.iter().map(|report| report.count(result)).sum() };
    let failed = count(check::Result::Failed);
    match args.format {
        Format::Json => {
            let text = serde_json::to_string_pretty(reports).map_err(Error::failed)?;
            write(&format!("{text}\n"))?;
        }
        Format::Table => {
            let made: usize = reports.iter().map(|report| report.checks.len()).sum();
            let known = match count(check::Result::Known) {
                0 => String::new(),
                known => format!(", {known} by a fault that the codec declares"),
            };
            write(&format!("{made} checks, {failed} failed{known}\n"))?;
        }
    }
    if interrupt::asked() {
        return Ok(Outcome::Interrupted);
    }
    if failed > 0 {
        return Ok(Outcome::Failed);
    }
    if reports.iter().any(Report::tested_something) {
        return Ok(Outcome::Ok);
    }
    Err(nothing(codecs, reports))
}

/// Why nothing was checked.
fn nothing(codecs: &Globs, reports: &[Report]) -> Error {
    let ids = reports.iter().flat_map(|report| &report.codecs);
    let ids = ids.map(String::as_str);
    match codecs.first_without_match(ids.clone()) {
        Some(missing) => Error::usage(format!(
            "nothing was checked: no codec matches {missing:?}{}",
            did_you_mean(missing, ids)
        )),
        None => Error::usage(
            "nothing was checked: no codec carries any of the datasets, for the reasons above; \
             choose others with --dataset, or build the plugin for them",
        ),
    }
}

fn write(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Error::output(&error))
}
