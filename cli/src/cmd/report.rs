//! `serbench report`: a view of saved results.

mod splice;

use std::path::PathBuf;

use clap::Args;

use crate::args::{FilterArgs, Globs, ReportArgs};
use crate::error::{Error, Outcome};
use crate::report::{self, Filter};
use crate::results::{self, Results};

/// Show what runs have saved
///
/// Files from different machines are shown side by side, never averaged; files of different modes
/// are refused, but for the layout `operations` with aligned beside misaligned input.
#[derive(Debug, Args)]
pub struct ReportCommandArgs {
    /// The files that `serbench run` has saved
    #[arg(required_unless_present = "splice", value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    filter: FilterArgs,

    /// Only datasets whose name matches; repeatable
    #[arg(long, short, value_name = "GLOB", num_args = 1..)]
    dataset: Vec<String>,

    #[command(flatten)]
    report: ReportArgs,

    /// Bring the tables in this Markdown file up to date instead
    ///
    /// A table stands between a line `<!-- serbench report results.json --layout raw -->`, which
    /// names the command that makes it, and a line `<!-- serbench end -->`.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "files", "out", "format", "layout", "columns", "sort", "link", "charts", "codec", "dataset",
    ])]
    splice: Option<PathBuf>,
}

impl ReportCommandArgs {
    fn load(&self) -> Result<(Results, Filter), Error> {
        let results = results::load(&self.files)?;
        let filter = Filter {
            codecs: Globs::new(&self.filter.codec)?,
            datasets: Globs::new(&self.dataset)?,
        };
        filter.check(&[&results])?;
        Ok((results, filter))
    }
}

/// Carries it out.
pub fn report(args: &ReportCommandArgs) -> Result<Outcome, Error> {
    if let Some(file) = &args.splice {
        splice::splice(file)?;
        return Ok(Outcome::Ok);
    }
    let (results, filter) = args.load()?;
    report::write(&results, &filter, &args.report)?;
    Ok(Outcome::Ok)
}
