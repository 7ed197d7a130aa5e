//! The commands, one file each.

mod check;
mod compare;
mod completions;
mod dataset;
pub mod export;
mod list;
mod merge;
mod new;
mod report;
mod run;
mod sdk;

use clap::Subcommand;
use tempfile::TempDir;

use crate::error::{Error, Outcome};

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure codecs on datasets
    Run(Box<run::RunArgs>),
    /// Show the plugins, codecs or datasets that there are
    List(list::ListArgs),
    /// Check plugins against the contract of serbench.h
    Check(check::CheckArgs),
    /// Make, check and show datasets
    Dataset(dataset::DatasetArgs),
    /// Show what runs have saved
    Report(Box<report::ReportCommandArgs>),
    /// Show what has changed from one run to another, and fail on a regression
    Compare(compare::CompareArgs),
    /// Put several results files in one
    Merge(merge::MergeArgs),
    /// Write results in the forms that other programs read
    Export(export::ExportArgs),
    Sdk(sdk::SdkArgs),
    New(new::NewArgs),
    /// Print the completions of a shell
    Completions(completions::CompletionsArgs),
    /// Write the man pages
    Man(completions::ManArgs),
}

/// Carries the command out.
pub fn dispatch(cli: crate::args::Cli) -> Result<Outcome, Error> {
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::List(args) => list::list(&args),
        Command::Check(args) => check::check(&args),
        Command::Dataset(args) => dataset::dataset(&args),
        Command::Report(args) => report::report(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Export(args) => export::export(&args),
        Command::Sdk(args) => sdk::sdk(&args),
        Command::New(args) => new::new(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    }
}

/// A folder for the files of one command, which goes with it.
fn temporary_folder() -> Result<TempDir, Error> {
    TempDir::with_prefix("serbench-")
        .map_err(|error| Error::failed(format!("cannot make a temporary folder: {error}")))
}
