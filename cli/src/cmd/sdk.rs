//! `serbench sdk`: what a plugin is built with, in a folder.

mod files;
mod folder;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use serbench_datasets::{Dataset, find};

use super::run::data;
use crate::error::{Error, Outcome};
use crate::report;

pub use folder::write_file;

/// Write what a plugin is built with into a folder
///
/// Headers, a CMake package, a pkg-config file, Rust crates, and the types of the datasets in C++,
/// Rust, Protocol Buffers, Cap'n Proto and FlatBuffers: all that a project needs of serbench. Written
/// over an earlier SDK, the folder is brought up to date.
#[derive(Debug, Args)]
pub struct SdkArgs {
    /// The folder to write
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    datasets: DatasetArgs,
}

/// Which datasets a plugin is built for.
#[derive(Debug, Args)]
pub struct DatasetArgs {
    /// Only these datasets: names, globs, or folders of your own (with a '/'); repeatable
    #[arg(long, short, value_name = "GLOB|DIR", num_args = 1..)]
    pub dataset: Vec<String>,
}

impl DatasetArgs {
    /// The datasets, each once.
    pub fn select(&self) -> Result<Vec<Dataset>, Error> {
        let datasets = data::select(&self.dataset, None)?;
        let taken = |dataset: &&Cow<Dataset>| {
            find(&dataset.name).is_some_and(|other| other.fingerprint != dataset.fingerprint)
        };
        if let Some(dataset) = datasets.iter().find(taken) {
            return Err(Error::usage(format!(
                "serbench has another dataset {:?}, for which it would take yours; rename the folder",
                dataset.name
            )));
        }
        Ok(datasets.into_iter().map(Cow::into_owned).collect())
    }
}

/// Carries it out.
pub fn sdk(args: &SdkArgs) -> Result<Outcome, Error> {
    let datasets = args.datasets.select()?;
    write(&args.folder, &datasets)?;
    let said = format!(
        "Written: {}, for {}. Its README.md says what is where.\n",
        args.folder.display(),
        count(&datasets)
    );
    report::deliver(said.as_bytes(), None)?;
    Ok(Outcome::Ok)
}

/// Writes the SDK for these datasets.
pub fn write(folder: &Path, datasets: &[Dataset]) -> Result<(), Error> {
    folder::write(folder, datasets, files::of(datasets))
}

/// `1 dataset` or `19 datasets`.
pub fn count(datasets: &[Dataset]) -> String {
    match datasets {
        [_] => "1 dataset".to_owned(),
        _ => format!("{} datasets", datasets.len()),
    }
}
