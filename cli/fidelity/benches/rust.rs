//! serbench against Criterion: on the same plugins, linked statically, which compares the harnesses;
//! and on the same codecs, types and data in a program of one's own, which compares what the
//! compiler made of them, too.
//!
//! `make build linked && cargo bench -p serbench-fidelity --bench rust [-- DATASET…]`

use std::env;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use criterion::Criterion;
use serbench_fidelity::{
    Comparison, OPS, Subject, judge, loader, on_the_workers_core, root, serbench,
};
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

/// A comparison for every dataset of the catalog. The plugins hold them all, too: the more callers
/// a library's function has, the less of it the compiler inlines.
macro_rules! every_dataset {
    ($($name:ident)*) => {
        const EVERY: &[(&str, fn(&mut Found))] = &[$((
            stringify!($name),
            |found| compare::<data::$name::Root>(stringify!($name), found),
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
const TURNS: usize = 31;

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

fn criterion(folder: &Path) -> Criterion {
    Criterion::default()
        .output_directory(folder)
        .without_plots()
        .sample_size(20)
        .nresamples(1000)
        .warm_up_time(Duration::from_millis(30))
        .measurement_time(Duration::from_millis(100))
}

fn compare<T: Value>(dataset: &'static str, found: &mut Found) {
    let values = written::values::<T>(dataset);
    for codec in CODECS {
        let subject = Subject { codec, dataset };
        let plugin = root().join(format!("target/linked/libserbench_codec_{codec}.so"));
        let mut turns = vec![Vec::new(); OPS.len()];
        for _ in 0..TURNS {
            // One of its own for each turn: it files what it has measured before under another name.
            let folder = tempfile::tempdir().expect("a temporary folder");
            let mut criterion = criterion(folder.path());
            on_the_workers_core(|| written::measure(&subject, &mut criterion, &values));
            let ours = serbench(&subject, &plugin);
            on_the_workers_core(|| linked::measure(&subject, &mut criterion, "linked"));
            for (index, op) in OPS.iter().enumerate() {
                let written = written::median(folder.path(), &subject.file_name(), op);
                let linked = written::median(folder.path(), "linked", op);
                turns[index].push((ours[index], linked, written));
            }
        }
        for (op, turns) in OPS.iter().zip(turns) {
            let of = |pair: fn(&(f64, f64, f64)) -> (f64, f64)| Comparison {
                name: format!("{codec} {dataset} {op}"),
                turns: turns.iter().map(pair).collect(),
            };
            found.linked.push(of(|turn| (turn.0, turn.1)));
            found.written.push(of(|turn| (turn.0, turn.2)));
            found.code.push(of(|turn| (turn.1, turn.2)));
        }
    }
}

/// Starts this program anew by the loader, unless it is what has started it.
fn lie_beside_the_libraries() {
    let (this, loader) = (env::current_exe().expect("this program"), loader());
    if this != loader {
        let error = Command::new(loader)
            .arg(this)
            .args(env::args_os().skip(1))
            .exec();
        panic!("the loader does not start: {error}");
    }
}

fn main() -> ExitCode {
    lie_beside_the_libraries();
    // Cargo adds an option of its own.
    let named = env::args().skip(1).filter(|argument| argument != "--bench");
    let mut chosen: Vec<String> = named.collect();
    if chosen.is_empty() {
        chosen = DATASETS.map(str::to_owned).to_vec();
    }
    let mut found = Found::default();
    for name in &chosen {
        match EVERY.iter().find(|(known, _)| known == name) {
            Some((_, compare)) => compare(&mut found),
            None => {
                eprintln!("there is no dataset {name}");
                return ExitCode::FAILURE;
            }
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
