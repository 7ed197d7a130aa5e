//! serbench against Criterion: on the same plugins, linked statically, which compares the harnesses;
//! and on the same codecs, types and data in a program of one's own, which compares what the
//! compiler made of them, too.
//!
//! `make build linked && cargo bench -p serbench-fidelity --bench rust [-- DATASET…]`

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use criterion::Criterion;
use serbench_fidelity::{Comparison, OPS, Subject, judge, root, run_anew, serbench};
use written::{Value, data};

mod linked;
mod written;

const CODECS: [&str; 6] = [
    "serde_json",
    "postcard",
    "bitcode",
    "bincode",
    "rmp",
    "ciborium",
];

/// What is measured, unless the command line names other datasets.
const DATASETS: [&str; 3] = ["multiple_fields", "github_events", "game_level"];

/// Measures a subject, and has Criterion file what it finds in a folder.
type Measure = fn(&Subject, &Path);

/// What measures a subject on every dataset of the catalog. The plugins hold them all, too: the more
/// callers a library's function has, the less of it the compiler inlines.
macro_rules! every_dataset {
    ($($name:ident)*) => {
        const EVERY: &[(&str, Measure)] = &[$((
            stringify!($name),
            measure::<data::$name::Root>,
        )),*];
    };
}

every_dataset! {
    basic complex game_level game_level_dynamic github_events large_tensor log medium_tensor
    medium_tensor_as_vector mesh messages minecraft_savedata mk48 multiple_fields nested_struct
    small_struct small_struct_as_vector small_tensor small_tensor_as_vector
}

/// How often the harnesses measure each subject, in turn. Many short turns rather than a few long
/// ones: what disturbs a shared machine lasts for seconds, and should meet all of a turn.
const TURNS: usize = 41;

/// The argument with which this program measures one subject by Criterion, in a process of its own.
const BY_CRITERION: &str = "by-criterion";

/// Under which name Criterion files what it measures of the plugin that is linked.
const LINKED: &str = "linked";

/// What was found.
#[derive(Default)]
struct Found {
    /// The harnesses, on the same machine code.
    linked: Vec<Comparison>,
    /// The harnesses, each on what the compiler made of the codec there.
    written: Vec<Comparison>,
    /// What the compiler made of it, by the same harness: what the other two differ in.
    code: Vec<Comparison>,
}

/// Measures in both ways, in this process.
fn measure<T: Value>(subject: &Subject, folder: &Path) {
    let mut criterion = Criterion::default()
        .output_directory(folder)
        .without_plots()
        .sample_size(20)
        .nresamples(1000)
        .warm_up_time(Duration::from_millis(30))
        .measurement_time(Duration::from_millis(100));
    let values = written::values::<T>(subject.dataset);
    written::measure(subject, &mut criterion, &values);
    linked::measure(subject, &mut criterion, LINKED);
}

fn library(codec: &str) -> PathBuf {
    root().join(format!("target/linked/libserbench_codec_{codec}.so"))
}

/// Does what the arguments behind [`BY_CRITERION`] say.
fn measure_by_criterion(codec: &str, dataset: &str, folder: &str) {
    let codec = CODECS.into_iter().find(|known| *known == codec);
    let (dataset, measure) = find(dataset).expect("a dataset");
    let subject = Subject {
        codec: codec.expect("a codec"),
        dataset,
    };
    measure(&subject, Path::new(folder));
}

fn find(dataset: &str) -> Option<(&'static str, Measure)> {
    EVERY.iter().find(|(known, _)| *known == dataset).copied()
}

fn compare(subject: &Subject, found: &mut Found) {
    let Subject { codec, dataset } = subject;
    let this = env::current_exe().expect("this program");
    let mut turns = vec![Vec::new(); OPS.len()];
    for _ in 0..TURNS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let name = folder.path().to_str().expect("a name");
        run_anew(&this, &[BY_CRITERION, codec, dataset, name]);
        let ours = serbench(subject, &library(codec));
        for (index, op) in OPS.iter().enumerate() {
            let written = written::median(folder.path(), &subject.file_name(), op);
            let linked = written::median(folder.path(), LINKED, op);
            turns[index].push([ours[index], linked, written]);
        }
    }
    for (op, turns) in OPS.iter().zip(turns) {
        let of = |one: usize, other: usize| Comparison {
            name: format!("{codec} {dataset} {op}"),
            turns: turns.iter().map(|turn| (turn[one], turn[other])).collect(),
        };
        found.linked.push(of(0, 1));
        found.written.push(of(0, 2));
        found.code.push(of(1, 2));
    }
}

fn main() -> ExitCode {
    // Cargo adds an option of its own.
    let arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let mut chosen: Vec<String> = arguments.collect();
    if let [BY_CRITERION, codec, dataset, folder] =
        chosen.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        measure_by_criterion(codec, dataset, folder);
        return ExitCode::SUCCESS;
    }
    if chosen.is_empty() {
        chosen = DATASETS.map(str::to_owned).to_vec();
    }
    let mut found = Found::default();
    for name in &chosen {
        let Some((dataset, _)) = find(name) else {
            eprintln!("there is no dataset {name}");
            return ExitCode::FAILURE;
        };
        for codec in CODECS {
            println!("{codec} on {dataset}");
            compare(&Subject { codec, dataset }, &mut found);
        }
    }
    let (linked, written) = ("Criterion, plugin linked", "Criterion, program of its own");
    judge(linked, written, &found.code);
    judge("serbench", written, &found.written);
    match judge("serbench", linked, &found.linked) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
