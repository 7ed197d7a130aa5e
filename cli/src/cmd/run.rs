//! `serbench run`: measures, saves, and shows what it found.

pub(super) mod data;
mod shard;

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::{Args, ValueEnum};
use serbench_datasets::Dataset;

use crate::args::{
    EXIT_CODES, FilterArgs, Globs, PluginArgs, ReportArgs, did_you_mean, duration, fraction, shard,
};
use crate::error::{Error, Outcome, complain, warn};
use crate::protocol::{Mode, Op};
use crate::report::{self, Filter};
use crate::results::{self, Machine, ProcessorTime, Results, Run, Settings};
use crate::run::{Codec, Fleet, Plan, Progress, Session, core, interrupt, places, zstd_version};
use shard::Shard;

/// The unrecorded start of every slice: long enough to warm caches that other codecs have cooled.
const WARMUP: Duration = Duration::from_millis(2);

/// The recorded part of every slice: short, so that a round passes within moments.
const SLICE: Duration = Duration::from_millis(1);

/// What the rounds may take of the time, where the user does not say: enough for some twenty of them.
fn default_budget(codecs: usize) -> Duration {
    let codecs = u32::try_from(codecs).unwrap_or(u32::MAX);
    Duration::from_millis(300)
        .saturating_mul(codecs)
        .max(Duration::from_secs(5))
}

/// Measure codecs on datasets
///
/// Every codec is checked before it is timed and again after: what does not round-trip gets an
/// error, not a time. The times are those of short slices in paired rounds. A time is the median
/// of single calls; where a call is too short to be timed alone, it is the median over rounds of
/// the mean of a batch, and is marked so. A ratio is the median over rounds of the ratio within
/// a round, with a 95% interval over rounds. Sizes are means over the values of the dataset,
/// compressed ones those of each value compressed by itself.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct RunArgs {
    #[command(flatten)]
    plugins: PluginArgs,

    /// Datasets by name or glob, `all`, or a folder with schema.rs and its data; repeatable
    ///
    /// Without it: all. A folder is a dataset of your own: schema.rs and data.json or data.ndjson.
    /// Typed plugins must have been built with it; `serbench list datasets` shows the bundled ones.
    #[arg(long, short, value_name = "NAME|GLOB|DIR", num_args = 1..)]
    dataset: Vec<String>,

    /// Take the values from this JSON or NDJSON file instead; for one dataset only
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// Make generated datasets this many times as large
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    scale: u64,

    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    report: ReportArgs,

    /// Save the results to this file
    #[arg(long, short, value_name = "FILE", default_value = "results.json")]
    save: PathBuf,

    /// Measure only this part, such as 2/5: the second of five, on as many machines
    ///
    /// Datasets stay whole while there are enough of them for the machines. With fewer, those that
    /// share one divide its codecs, and each measures the --reference and the baselines too.
    #[arg(long, value_name = "N/M", value_parser = shard)]
    shard: Option<(usize, usize)>,

    /// Compare with this codec instead of the fastest
    #[arg(long, short, value_name = "CODEC")]
    reference: Option<String>,

    /// Measure until every ratio is known to within this
    #[arg(long, value_name = "FRACTION", default_value = "2%", value_parser = fraction)]
    precision: f64,

    /// Measure for no longer than this on each dataset; one round is always made
    /// [default: 200ms for each codec, at least 5s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,

    /// What is timed
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "OP",
        default_value = "serialize,deserialize,read,serialize+deserialize,deserialize+read"
    )]
    ops: Vec<OpName>,

    /// The levels at which sizes after compression with zstd are found [default: 3,22]
    ///
    /// Without it, 22 is left out for a dataset of more than 1 MiB, where it would take minutes.
    #[arg(long, value_delimiter = ',', value_name = "LEVEL",
          value_parser = clap::value_parser!(i32).range(1..=22))]
    zstd: Vec<i32>,

    /// Also time zstd on what each codec writes, at every level, in the same rounds
    #[arg(long)]
    zstd_time: bool,

    /// Also count what each operation takes from the heap, in a pass of its own
    #[arg(long)]
    allocs: bool,

    /// Also hand every codec thousands of damaged messages, and count what comes of them
    ///
    /// Messages cut short, with bits turned over, with random bytes and with numbers that announce
    /// more than there is; per 10,000 of them, how many were rejected, accepted as a valid value or
    /// taken for something that is none, and on how many the codec crashed, hung, touched memory out
    /// of bounds or asked for too much of it. Trusted codecs take part: feed them bytes that you
    /// trust.
    #[arg(long)]
    robustness: bool,

    /// Whether the output buffer is kept from call to call or allocated anew
    #[arg(long, value_enum, default_value_t = Buffers::Reused)]
    buffers: Buffers,

    /// Whether input starts on a 64-byte boundary or one byte off
    #[arg(long, value_enum, default_value_t = Input::Aligned)]
    input: Input,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Buffers {
    Reused,
    Fresh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Input {
    Aligned,
    Misaligned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OpName {
    Serialize,
    Deserialize,
    Read,
    #[value(name = "serialize+deserialize")]
    RoundTrip,
    #[value(name = "deserialize+read")]
    DeserializeRead,
}

/// Carries it out.
pub fn run(args: &RunArgs) -> Result<Outcome, Error> {
    let datasets = data::select(&args.dataset, args.data.as_deref())?;
    let shard = Shard::new(args.shard.unwrap_or((1, 1)), datasets.len());
    let datasets = shard.datasets(datasets);
    let files = places::plugin_files(&args.plugins.plugins)?;
    interrupt::listen()?;
    let folder = super::temporary_folder()?;
    // Looked at before a core is set apart.
    let machine = Machine::current();
    let reserved = core::reserve();
    let options = args.plugins.workers.options(folder.path(), reserved.core);
    let progress = Progress::new();
    let mut fleet = Fleet::start(&files, options, &progress);
    progress.clear();
    let codecs = shard.codecs(select_codecs(args, &fleet)?, args.reference.as_deref())?;
    let mut results = Results {
        serbench_results: results::VERSION,
        runs: vec![new_run(args, codecs.len(), machine, &mut fleet)],
    };
    let run = &mut results.runs[0];
    run.warnings.extend(reserved.warning);
    for warning in &run.warnings {
        warn(warning);
    }
    let settings = run.settings.clone();
    let plan = Plan {
        settings: &settings,
        reference: args.reference.as_deref(),
        zstd: &args.zstd,
        zstd_time: args.zstd_time,
        allocs: args.allocs,
        robustness: args.robustness,
        folder: folder.path(),
    };
    let measured = measure(
        args,
        &datasets,
        &mut fleet,
        &codecs,
        &plan,
        &progress,
        &mut results,
    );
    drop(fleet);
    show(args, &results, measured)
}

/// Measures one dataset after the other. What has been found until something fails is in the
/// results, and saved if it can be.
fn measure(
    args: &RunArgs,
    datasets: &[Cow<'_, Dataset>],
    fleet: &mut Fleet,
    codecs: &[Codec],
    plan: &Plan<'_>,
    progress: &Progress,
    results: &mut Results,
) -> Result<(), Error> {
    let start = ProcessorTime::now();
    let unstolen = results.runs[0].warnings.len();
    let mut saved = results::save(results, &args.save);
    for dataset in datasets {
        let values = data::load(dataset, args.data.as_deref(), args.scale)?;
        let session = Session::new(fleet, plan, progress, codecs, dataset, values)?;
        let found = session.run(dataset);
        progress.clear();
        let run = &mut results.runs[0];
        run.datasets.extend(found?);
        run.interrupted = interrupt::asked();
        let stolen = Option::zip(ProcessorTime::now(), start);
        run.warnings.truncate(unstolen);
        run.warnings
            .extend(stolen.and_then(|(now, start)| now.warning_since(start)));
        // Kept as it comes in; the last word on whether it can be saved is the last attempt's.
        saved = results::save(results, &args.save);
        if interrupt::asked() {
            break;
        }
    }
    saved
}

/// Shows what was found, and tells how it went.
fn show(args: &RunArgs, results: &Results, measured: Result<(), Error>) -> Result<Outcome, Error> {
    let run = &results.runs[0];
    if !run.datasets.is_empty() {
        let everything = Filter {
            codecs: Globs::new(&[])?,
            datasets: Globs::new(&[])?,
        };
        report::write(results, &everything, &args.report)?;
    } else if measured.is_ok() {
        warn("nothing was measured");
    }
    let outcome = failures(run);
    if run.interrupted {
        if let Err(error) = measured {
            error.report();
        }
        return Ok(Outcome::Interrupted);
    }
    measured.map(|()| outcome)
}

/// Names every failure on stderr, since the table may have gone to a file.
fn failures(run: &Run) -> Outcome {
    let mut outcome = Outcome::Ok;
    for dataset in &run.datasets {
        for row in dataset.rows.iter().filter(|row| row.status.is_failure()) {
            complain(format!(
                "{}: {}: {}: {}",
                dataset.name,
                row.codec,
                row.status.name(),
                row.reason.as_deref().unwrap_or_default()
            ));
            outcome = Outcome::Failed;
        }
    }
    for refused in &run.refused {
        complain(format!("{}: {}", refused.path.display(), refused.reason));
        outcome = Outcome::Failed;
    }
    outcome
}

/// The codecs that the user asked for.
fn select_codecs(args: &RunArgs, fleet: &Fleet) -> Result<Vec<Codec>, Error> {
    let globs = Globs::new(&args.filter.codec)?;
    let all = fleet.codecs();
    if all.is_empty() {
        for refused in &fleet.refused {
            complain(format!("{}: {}", refused.path.display(), refused.reason));
        }
        return Err(Error::usage("nothing to run: no plugin could be loaded"));
    }
    let ids = all.iter().map(|codec| codec.info.id.as_str());
    let wanted = args
        .reference
        .as_deref()
        .filter(|id| !ids.clone().any(|known| known == *id));
    if let Some(missing) = wanted.or(globs.first_without_match(ids.clone())) {
        return Err(Error::usage(format!(
            "no codec matches {missing:?}{}; `serbench list codecs` shows them all",
            did_you_mean(missing, ids)
        )));
    }
    let is_wanted = |codec: &Codec| {
        globs.pass(&codec.info.id) || Some(&codec.info.id) == args.reference.as_ref()
    };
    Ok(all.into_iter().filter(is_wanted).collect())
}

fn new_run(args: &RunArgs, codecs: usize, machine: Machine, fleet: &mut Fleet) -> Run {
    let optimised = !cfg!(debug_assertions);
    let instruments = fleet.instruments();
    let mut warnings = results::warnings(&machine, optimised);
    if let Some(instruments) = &instruments {
        warnings.extend(instruments.warnings.iter().cloned());
    }
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        optimised,
        command: std::env::args().collect(),
        started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        interrupted: false,
        machine,
        instruments,
        settings: Settings {
            mode: Mode {
                fresh_output: args.buffers == Buffers::Fresh,
                misaligned_input: args.input == Input::Misaligned,
            },
            ops: ops(&args.ops),
            precision: args.precision,
            budget_ns: nanoseconds(args.budget.unwrap_or_else(|| default_budget(codecs))),
            warmup_ns: nanoseconds(WARMUP),
            slice_ns: nanoseconds(SLICE),
            zstd_version: zstd_version(),
        },
        warnings,
        plugins: fleet.plugins(),
        refused: fleet.refused.clone(),
        datasets: Vec::new(),
    }
}

fn ops(names: &[OpName]) -> Vec<Op> {
    let mut ops = names
        .iter()
        .map(|name| match name {
            OpName::Serialize => Op::Serialize,
            OpName::Deserialize => Op::Deserialize,
            OpName::Read => Op::Read,
            OpName::RoundTrip => Op::RoundTrip,
            OpName::DeserializeRead => Op::DeserializeRead,
        })
        .collect::<Vec<_>>();
    ops.sort_unstable();
    ops.dedup();
    ops
}
