//! How far the same comparison moves from run to run: serbench's ratios against those of
//! Criterion, on a machine left alone and on one with a busy neighbour. serbench is given a minute,
//! and Criterion takes 64 s by its defaults.
//!
//! `make build && cargo bench -p serbench-fidelity --bench repeatability`

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use criterion::Criterion;
use serbench_fidelity::{OPS, Subject, compare_by_serbench, off_the_workers_core};

mod written;

const DATASET: &str = "game_level";
const REFERENCE: &str = "postcard";
const CODECS: [&str; 4] = [REFERENCE, "serde_json", "bitcode", "rmp"];

/// How often each harness makes the whole comparison, in turn.
const RUNS: usize = 5;

/// The argument with which this program measures by Criterion, in a process of its own.
const BY_CRITERION: &str = "by-criterion";

/// Each codec's ratio to the reference, by codec and operation.
type Ratios = BTreeMap<String, f64>;

fn name(codec: &str, op: &str) -> String {
    format!("{codec} {op}")
}

/// Everything once, with Criterion's defaults.
fn measure_by_criterion(folder: &Path) {
    let values = written::values::<written::data::game_level::Root>(DATASET);
    let mut criterion = Criterion::default()
        .output_directory(folder)
        .without_plots();
    for codec in CODECS {
        let dataset = DATASET;
        written::measure(&Subject { codec, dataset }, &mut criterion, &values);
    }
}

fn by_criterion() -> Ratios {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = Command::new(env::current_exe().expect("this program"))
        .arg(BY_CRITERION)
        .arg(folder.path())
        .status()
        .expect("this program runs");
    assert!(status.success());
    let median = |codec, op| {
        let dataset = DATASET;
        written::median(folder.path(), &Subject { codec, dataset }.file_name(), op)
    };
    let ratio = |codec, op| median(codec, op) / median(REFERENCE, op);
    pairs()
        .map(|(codec, op)| (name(codec, op), ratio(codec, op)))
        .collect()
}

fn by_serbench() -> Ratios {
    let ratios = compare_by_serbench(&CODECS, DATASET, REFERENCE);
    pairs()
        .map(|(codec, op)| (name(codec, op), ratios[&(codec.to_owned(), op.to_owned())]))
        .collect()
}

/// What is compared with the reference.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let others = CODECS.into_iter().filter(|codec| *codec != REFERENCE);
    others.flat_map(|codec| OPS.into_iter().map(move |op| (codec, op)))
}

/// Does `work` while a thread keeps another core and the memory busy.
fn beside_a_busy_neighbour<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| off_the_workers_core(|| copy_memory_until(&stop)));
        let result = work();
        stop.store(true, Ordering::Relaxed);
        result
    })
}

fn copy_memory_until(stop: &AtomicBool) {
    // More than the caches hold.
    let from = vec![1_u8; 64 << 20];
    let mut to = vec![0_u8; from.len()];
    while !stop.load(Ordering::Relaxed) {
        to.copy_from_slice(std::hint::black_box(&from));
    }
    std::hint::black_box(to);
}

/// The largest of a name's values over the smallest, less 1, for each name.
fn spreads(runs: &[Ratios]) -> BTreeMap<String, f64> {
    let all = |name: &String| {
        let name = name.clone();
        runs.iter().map(move |ratios| ratios[&name])
    };
    let spread = |name: &String| {
        let largest = all(name).fold(f64::MIN, f64::max);
        largest / all(name).fold(f64::MAX, f64::min) - 1.0
    };
    runs[0]
        .keys()
        .map(|name| (name.clone(), spread(name)))
        .collect()
}

fn largest(spreads: &BTreeMap<String, f64>) -> f64 {
    spreads.values().copied().fold(0.0, f64::max)
}

/// Runs both harnesses in turn and prints the spreads; the largest of ours and of theirs.
fn compare(title: &str, busy: bool) -> (f64, f64) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let turn = || (by_serbench(), by_criterion());
    for run in 1..=RUNS {
        let (a, b) = match busy {
            true => beside_a_busy_neighbour(turn),
            false => turn(),
        };
        println!("run {run}: serbench {a:.3?}\nrun {run}: Criterion {b:.3?}");
        ours.push(a);
        theirs.push(b);
    }
    let (ours, theirs) = (spreads(&ours), spreads(&theirs));
    println!("\n{title}\n\n| ratio to {REFERENCE} | serbench | Criterion |");
    println!("|---|---:|---:|");
    for (name, ours) in &ours {
        println!(
            "| {name} | {:.1} % | {:.1} % |",
            ours * 100.0,
            theirs[name] * 100.0
        );
    }
    (largest(&ours), largest(&theirs))
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().collect();
    if let Some(at) = arguments.iter().position(|a| a == BY_CRITERION) {
        measure_by_criterion(Path::new(&arguments[at + 1]));
        return ExitCode::SUCCESS;
    }
    let alone = compare("The machine left alone", false);
    let busy = compare("A neighbour copies memory without pause", true);
    let half = |(ours, theirs): (f64, f64)| ours <= theirs / 2.0;
    match half(alone) && half(busy) && busy.0 < 0.02 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
