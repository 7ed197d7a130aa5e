//! serbench against Criterion: the same codecs, types and data, linked statically.
//!
//! `make build && cargo bench -p serbench-fidelity --bench rust`

use std::process::ExitCode;
use std::time::Duration;

use criterion::Criterion;
use serbench_fidelity::{Comparison, OPS, Subject, judge, serbench};
use statically::{Value, data};

mod statically;

const CODECS: [&str; 6] = [
    "serde_json",
    "postcard",
    "bitcode",
    "bincode",
    "rmp",
    "ciborium",
];

/// How often both harnesses measure each subject, in turn.
const TURNS: usize = 5;

fn compare<T: Value>(dataset: &'static str, comparisons: &mut Vec<Comparison>) {
    let values = statically::values::<T>(dataset);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut criterion = Criterion::default()
        .output_directory(folder.path())
        .without_plots()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    for codec in CODECS {
        let subject = Subject { codec, dataset };
        let mut turns = vec![Vec::new(); OPS.len()];
        for _ in 0..TURNS {
            statically::measure(&subject, &mut criterion, &values);
            let ours = serbench(&subject);
            for (index, op) in OPS.iter().enumerate() {
                let theirs = statically::median(folder.path(), &subject, op);
                turns[index].push((ours[index], theirs));
            }
        }
        for (op, turns) in OPS.iter().zip(turns) {
            let name = format!("{codec} {dataset} {op}");
            comparisons.push(Comparison { name, turns });
        }
    }
}

fn main() -> ExitCode {
    let mut comparisons = Vec::new();
    compare::<data::multiple_fields::Root>("multiple_fields", &mut comparisons);
    compare::<data::github_events::Root>("github_events", &mut comparisons);
    compare::<data::game_level::Root>("game_level", &mut comparisons);
    match judge("Criterion", &comparisons) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
