//! `serbench export`: results in the forms that other programs read.

pub mod hdr;

use std::path::PathBuf;

use clap::Args;

use crate::error::{Error, Outcome};
use crate::results::{self, Results};

/// Write results in the forms that other programs read
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The files that `serbench run` has saved
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write HdrHistogram files into this folder: a percentile file (.hgrm, in nanoseconds) for
    /// each row and operation, and an interval log (V2, in picoseconds) with all of them
    #[arg(long, value_name = "DIR", required = true)]
    hdr: PathBuf,
}

/// Carries it out.
pub fn export(args: &ExportArgs) -> Result<Outcome, Error> {
    hdr::write(&results::load(&args.files)?, &args.hdr)?;
    Ok(Outcome::Ok)
}

/// Every timed operation of every row, by a name that is unique in the results: with several runs,
/// the run's number comes first.
fn operations(results: &Results) -> impl Iterator<Item = (String, &results::Timing)> {
    let several = results.runs.len() > 1;
    results
        .runs
        .iter()
        .enumerate()
        .flat_map(move |(number, run)| {
            let prefix = match several {
                true => format!("run{}/", number + 1),
                false => String::new(),
            };
            run.datasets.iter().flat_map(move |dataset| {
                let prefix = prefix.clone();
                dataset.rows.iter().flat_map(move |row| {
                    let name = format!("{prefix}{}/{}", dataset.name, row.codec);
                    row.timings.iter().map(move |(op, timing)| {
                        let op = crate::report::op_name(*op);
                        (format!("{name}/{op}"), timing)
                    })
                })
            })
        })
}
