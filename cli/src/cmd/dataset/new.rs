//! `serbench dataset new`: a folder for values that have no schema yet.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serbench_datasets::schema::infer::{Guess, infer};
use serbench_datasets::schema::{Schema, canonical, json, parse, print};
use serbench_datasets::{FileText, check_name, find};

use crate::error::{Error, Outcome};
use crate::report;

/// Make a dataset of a JSON file: guess its types, and say why
///
/// A folder is made with schema.rs, the data and a README. An array of objects is taken for so many
/// values, and so is one document after another (NDJSON).
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The folder to make, such as my_orders; its last part is the dataset's name
    name: PathBuf,

    /// The values: JSON or NDJSON
    #[arg(long, value_name = "FILE")]
    from: PathBuf,

    /// Take an array of objects for one value, a document
    #[arg(long)]
    whole: bool,

    /// Write objects that are tagged inside as {"Variant": {…}}, which formats without names can
    /// carry as well
    #[arg(long)]
    plain_tags: bool,
}

/// A dataset that is about to be written.
struct Draft {
    name: String,
    source: String,
    guesses: Vec<Guess>,
    count: u64,
    /// The values once more, where those of the file are not taken as they are.
    rewritten: Option<String>,
    needs_names: bool,
}

/// Carries it out.
pub fn new(args: &NewArgs) -> Result<Outcome, Error> {
    let name = free_name(&args.name)?;
    let cannot =
        |error: &dyn std::fmt::Display| Error::failed(format!("{}: {error}", args.from.display()));
    let text = FileText::open(&args.from).map_err(|error| cannot(&error))?;
    let draft = draft(name, args, &text)?;
    let files = write(args, &draft, &text)?;
    report::deliver(said(args, &draft, &files).as_bytes(), None)?;
    Ok(Outcome::Ok)
}

/// The name of the dataset, which nothing else has.
fn free_name(folder: &Path) -> Result<String, Error> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    check_name(&name).map_err(Error::usage)?;
    if find(&name).is_some() {
        return Err(Error::usage(format!(
            "there is a dataset {name:?} in the catalog already; choose another name"
        )));
    }
    if folder.exists() {
        return Err(Error::usage(format!(
            "{} is there already; remove it, or choose another name",
            folder.display()
        )));
    }
    Ok(name.into_owned())
}

/// Finds the types, and makes sure that they hold every value.
fn draft(name: String, args: &NewArgs, text: &[u8]) -> Result<Draft, Error> {
    let file = args.from.display();
    let misfit = |error: json::JsonError| Error::failed(format!("{file}:{error}"));
    let inference = infer(text, &name, args.whole).map_err(misfit)?;
    let inference =
        inference.ok_or_else(|| Error::failed(format!("{file}: there are no values in it")))?;
    let from = args.from.file_name().unwrap_or_default().to_string_lossy();
    let summary = format!("Values of {}.", from.escape_debug());
    let source = print(&inference.schema, &summary);
    let schema = reread(&source)?;
    let plain = schema.clone().with_external_tags();
    let rewrite = args.plain_tags && plain != schema;
    let mut rewritten = String::new();
    json::read_each(&schema, text, &mut |bytes| {
        if rewrite {
            let value = canonical::to_json(&plain, bytes).expect("the bytes were made just now");
            let _ = writeln!(rewritten, "{value}");
        }
    })
    .map_err(misfit)?;
    Ok(Draft {
        name,
        source: match rewrite {
            true => print(&plain, &summary),
            false => source,
        },
        guesses: inference.guesses,
        count: inference.values,
        rewritten: rewrite.then_some(rewritten),
        needs_names: !rewrite && schema.needs_self_describing(),
    })
}

/// The schema as everybody else will read it.
fn reread(source: &str) -> Result<Schema, Error> {
    parse(source, Path::new("schema.rs")).map_err(|error| {
        Error::failed(format!(
            "this is a bug in serbench, please report it: the schema that was guessed is none: \
             {error}\n{source}"
        ))
    })
}

/// Writes the folder; returns the names of its files.
fn write(args: &NewArgs, draft: &Draft, text: &[u8]) -> Result<[&'static str; 3], Error> {
    let extension = args.from.extension().unwrap_or_default();
    let (data, text) = match &draft.rewritten {
        Some(text) => ("data.ndjson", text.as_bytes()),
        None if extension == "ndjson" || extension == "jsonl" => ("data.ndjson", text),
        None => ("data.json", text),
    };
    let readme = readme(args, draft);
    let files = [
        ("schema.rs", draft.source.as_bytes()),
        (data, text),
        ("README.md", readme.as_bytes()),
    ];
    let cannot =
        |path: &Path, error| Error::failed(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(&args.name).map_err(|error| cannot(&args.name, error))?;
    for (file, text) in files {
        let path = args.name.join(file);
        fs::write(&path, text).map_err(|error| cannot(&path, error))?;
    }
    Ok(files.map(|(file, _)| file))
}

fn readme(args: &NewArgs, draft: &Draft) -> String {
    let Draft { name, .. } = draft;
    let from = args.from.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "# {name}\n\n\
         {} of `{from}`. The types in `schema.rs` were guessed by `serbench dataset new` for these \
         reasons:\n\n\
         ```\n{}```\n\n\
         To be added by who knows: where the data comes from, how its values are distributed, what \
         it is good at showing.\n",
        values(draft.count),
        lines(&draft.guesses, "")
    )
}

/// What the user is told.
fn said(args: &NewArgs, draft: &Draft, files: &[&str]) -> String {
    let folder = args.name.display();
    let shown = match args.name.is_absolute() || args.name.starts_with("..") {
        true => folder.to_string(),
        false => format!("./{folder}"),
    };
    let mut text = format!(
        "{}: {} of {}\n\n{}\n",
        draft.name,
        values(draft.count),
        args.from.display(),
        lines(&draft.guesses, "  ")
    );
    if draft.needs_names {
        text += "Only formats that write names carry objects that are tagged inside; with \
                 --plain-tags all do.\n";
    }
    let _ = write!(
        text,
        "Written: {folder}/{}.\n\
         Where a guess is wrong, change schema.rs; `serbench dataset check {shown}` tells whether the \
         data still fits.\n\
         Then build the plugins for these types, in the folder of serbench's sources, and run:\n\n  \
         make plugins DATASETS={shown}\n  \
         serbench run --plugins ./plugins --dataset {shown}\n",
        files.join(", ")
    );
    text
}

fn values(count: u64) -> String {
    match count {
        1 => "1 value".to_owned(),
        _ => format!("{} values", report::units::grouped(count)),
    }
}

/// A line for each guess, in columns.
fn lines(guesses: &[Guess], indent: &str) -> String {
    let width = |of: fn(&Guess) -> &str| {
        let widths = guesses.iter().map(|guess| of(guess).chars().count());
        widths.max().unwrap_or_default().min(40)
    };
    let (paths, types) = (width(|guess| &guess.path), width(|guess| &guess.ty));
    let line = |Guess { path, ty, why }: &Guess| {
        // Keys may hold line breaks.
        let path = path.escape_debug().to_string();
        format!("{indent}{path:paths$}  {ty:types$}  {why}\n")
    };
    guesses.iter().map(line).collect()
}
