//! The commands, one file each.

mod list;
mod report;
mod run;

use clap::Subcommand;

use crate::error::{Error, Outcome};

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure codecs on datasets
    Run(Box<run::RunArgs>),
    /// Show the plugins, codecs or datasets that there are
    List(list::ListArgs),
    /// Show what a run has saved
    Report(report::ReportCommandArgs),
}

/// Carries the command out.
pub fn dispatch(cli: crate::args::Cli) -> Result<Outcome, Error> {
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::List(args) => list::list(&args),
        Command::Report(args) => report::report(&args),
    }
}
