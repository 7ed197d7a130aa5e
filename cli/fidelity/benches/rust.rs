//! serbench against Criterion: on the same plugins, which compares the harnesses; and on the same
//! codecs, types and data linked statically, which compares what the compiler made of them, too.
//!
//! `make build && cargo bench -p serbench-fidelity --bench rust [-- DATASET…]`

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use criterion::Criterion;
use serbench_fidelity::{Comparison, OPS, Subject, judge, serbench};
use statically::{Value, data};

mod loaded;
mod statically;

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

/// How often both harnesses measure each subject, in turn.
const TURNS: usize = 5;

/// What was found: by the plugins, and by the statically linked.
#[derive(Default)]
struct Found {
    loaded: Vec<Comparison>,
    linked: Vec<Comparison>,
}

fn criterion(folder: &Path) -> Criterion {
    Criterion::default()
        .output_directory(folder)
        .without_plots()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
}

fn compare<T: Value>(dataset: &'static str, found: &mut Found) {
    let values = statically::values::<T>(dataset);
    for codec in CODECS {
        let subject = Subject { codec, dataset };
        let mut turns = vec![Vec::new(); OPS.len()];
        for _ in 0..TURNS {
            // One of its own for each turn: it files what it has measured before under another name.
            let folder = tempfile::tempdir().expect("a temporary folder");
            let mut criterion = criterion(folder.path());
            statically::measure(&subject, &mut criterion, &values);
            let ours = serbench(&subject);
            loaded::measure(&subject, &mut criterion, "loaded");
            for (index, op) in OPS.iter().enumerate() {
                let linked = statically::median(folder.path(), &subject.file_name(), op);
                let loaded = statically::median(folder.path(), "loaded", op);
                turns[index].push((ours[index], loaded, linked));
            }
        }
        for (op, turns) in OPS.iter().zip(turns) {
            let by = |theirs: fn(&(f64, f64, f64)) -> f64| Comparison {
                name: format!("{codec} {dataset} {op}"),
                turns: turns.iter().map(|turn| (turn.0, theirs(turn))).collect(),
            };
            found.loaded.push(by(|turn| turn.1));
            found.linked.push(by(|turn| turn.2));
        }
    }
}

fn main() -> ExitCode {
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
    let loaded = judge("Criterion, on the plugin", &found.loaded);
    let linked = judge("Criterion, linked statically", &found.linked);
    match loaded && linked {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
