//! `serbench compare`: what changed between two results files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::{FilterArgs, Format, Globs, fraction};
use crate::compare::{self, Comparison, Rules};
use crate::error::{Error, Outcome};
use crate::report::{self, Filter};
use crate::results;

/// Show what changed between two results files; exit code 1 on a regression
///
/// Only separated changes count: those whose interval leaves out 1. Times of different machines
/// stand side by side and are not compared; of different modes they are refused. A row that has
/// lost its result is a regression, and so is a size that grew beyond the limit.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The results to compare with
    #[arg(value_name = "BASE")]
    base: PathBuf,

    /// The results in question
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// A change for the worse beyond this is a regression
    #[arg(long, value_name = "FRACTION", default_value = "5%", value_parser = fraction)]
    fail_above: f64,

    /// Divide times by those of this codec, measured in the same rounds; this takes out how fast
    /// the machine happened to be
    #[arg(long, value_name = "CODEC")]
    relative_to: Option<String>,

    /// Show also what has not changed, which csv and json always do
    #[arg(long)]
    all: bool,

    /// How the output is written
    #[arg(long, short, value_enum, default_value_t = CompareFormat::Table)]
    format: CompareFormat,

    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    filter: FilterArgs,

    /// Only datasets whose name matches; repeatable
    #[arg(long, short, value_name = "GLOB", num_args = 1..)]
    dataset: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// For the screen: fits the terminal, human units
    Table,
    /// For the summary of a CI job, human units
    Markdown,
    /// Raw numbers in fixed units
    Csv,
    /// An array of objects: raw numbers in fixed units
    Json,
    /// NEW, for github-action-benchmark with the tool customSmallerIsBetter
    GithubActionBenchmark,
    /// NEW, for Bencher with the adapter json (Bencher Metric Format)
    Bencher,
}

/// Carries it out.
pub fn compare(args: &CompareArgs) -> Result<Outcome, Error> {
    let base = results::load(std::slice::from_ref(&args.base))?;
    let new = results::load(std::slice::from_ref(&args.new))?;
    let filter = Filter {
        codecs: Globs::new(&args.filter.codec)?,
        datasets: Globs::new(&args.dataset)?,
    };
    filter.check(&[&base, &new])?;
    let rules = Rules {
        limit: args.fail_above,
        relative_to: args.relative_to.as_deref(),
    };
    let comparison = compare::compare(&base, &new, &filter, &rules)?;
    show(args, &comparison, &rules)?;
    Ok(match comparison.has_regressions() {
        true => Outcome::Failed,
        false => Outcome::Ok,
    })
}

fn show(args: &CompareArgs, comparison: &Comparison<'_>, rules: &Rules<'_>) -> Result<(), Error> {
    let out = args.out.as_deref();
    let table = |format: Format, all: bool| {
        report::print(&compare::document(comparison, rules, all), format, out)
    };
    match args.format {
        CompareFormat::Table => table(Format::Table, args.all),
        CompareFormat::Markdown => table(Format::Markdown, args.all),
        CompareFormat::Csv => table(Format::Csv, true),
        CompareFormat::Json => table(Format::Json, true),
        CompareFormat::GithubActionBenchmark => {
            let text = compare::github_action_benchmark(comparison, rules);
            report::deliver(text.as_bytes(), out)
        }
        CompareFormat::Bencher => report::deliver(compare::bencher(comparison).as_bytes(), out),
    }
}
