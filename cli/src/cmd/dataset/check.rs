//! `serbench dataset check`: whether a folder is a dataset.

use std::path::PathBuf;

use clap::Args;
use serbench_datasets::schema::codegen::{capnp, fbs, proto};
use serbench_datasets::{find, open_dir};

use crate::error::{Error, Outcome};
use crate::report::{self, units};

/// Check the schema and the data of a folder
///
/// The first fault is shown with file, line and column.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A folder with schema.rs and data.json or data.ndjson
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Carries it out.
pub fn check(args: &CheckArgs) -> Result<Outcome, Error> {
    let dataset = open_dir(&args.folder).map_err(Error::failed)?;
    let values = dataset.values(1).map_err(Error::failed)?;
    let schema = &dataset.schema;
    let mut text = format!(
        "{}: schema and data are right.\n  values       {}\n  canonical    {}\n  fingerprint  {}\n",
        dataset.name,
        units::grouped(values.len() as u64),
        units::size(values.bytes().len() as f64),
        dataset.fingerprint,
    );
    let mut notes = Vec::new();
    if schema.needs_self_describing() {
        notes.push("only formats that write names can carry it".to_owned());
    }
    for (format, lacks) in [
        ("Protocol Buffers", proto::notes(schema)),
        ("Cap'n Proto", capnp::notes(schema)),
        ("FlatBuffers", fbs::notes(schema)),
    ] {
        notes.extend(lacks.iter().map(|lack| format!("{format}: {lack}")));
    }
    if find(&dataset.name).is_some_and(|other| other.fingerprint != dataset.fingerprint) {
        return Err(Error::failed(format!(
            "{}: the catalog has another dataset {:?}, so no plugin can be built with this one; \
             rename the folder",
            args.folder.display(),
            dataset.name
        )));
    }
    if !notes.is_empty() {
        text += &format!("  footnotes    {}\n", notes.join("\n               "));
    }
    report::deliver(text.as_bytes(), None)?;
    Ok(Outcome::Ok)
}
