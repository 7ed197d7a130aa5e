//! `serbench report`: a view of saved results.

use std::path::PathBuf;

use clap::Args;

use crate::args::{FilterArgs, Globs, ReportArgs};
use crate::error::{Error, Outcome};
use crate::report::{self, Filter};
use crate::results;

/// Show what runs have saved
///
/// Files from different machines are shown side by side, never averaged.
#[derive(Debug, Args)]
pub struct ReportCommandArgs {
    /// The files that `serbench run` has saved
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    filter: FilterArgs,

    /// Only datasets whose name matches; repeatable
    #[arg(long, short, value_name = "GLOB", num_args = 1..)]
    dataset: Vec<String>,

    #[command(flatten)]
    report: ReportArgs,
}

/// Carries it out.
pub fn report(args: &ReportCommandArgs) -> Result<Outcome, Error> {
    let results = results::load(&args.files)?;
    let filter = Filter {
        codecs: Globs::new(&args.filter.codec)?,
        datasets: Globs::new(&args.dataset)?,
    };
    report::write(&results, &filter, &args.report)?;
    Ok(Outcome::Ok)
}
