//! `serbench merge`: several results files as one.

use std::path::PathBuf;

use clap::Args;

use crate::error::{Error, Outcome};
use crate::results;

/// Put the runs of several results files into one file
///
/// The runs stand side by side, each with its machine, mode and plugins: nothing is averaged. Use
/// it for the shards of `serbench run --shard`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The files that `serbench run` has saved
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Carries it out.
pub fn merge(args: &MergeArgs) -> Result<Outcome, Error> {
    let mut merged = results::load(&args.files)?;
    let all = merged.runs.len();
    merged.runs = without_repeats(merged.runs);
    let repeated = all - merged.runs.len();
    if repeated > 0 {
        crate::error::warn(format!(
            "{repeated} of {all} runs are in more than one of the files, and are kept once"
        ));
    }
    results::save(&merged, &args.out)?;
    Ok(Outcome::Ok)
}

/// Keeps of equal runs the first.
fn without_repeats(runs: Vec<results::Run>) -> Vec<results::Run> {
    let mut known = std::collections::HashSet::new();
    let text = |run: &results::Run| serde_json::to_string(run).expect("a run can be written");
    runs.into_iter()
        .filter(|run| known.insert(text(run)))
        .collect()
}
