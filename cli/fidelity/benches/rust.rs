//! serbench against Criterion: on the same plugins, which compares the harnesses; and on the same
//! codecs, types and data linked statically, which compares what the compiler made of them, too.
//!
//! `make build && cargo bench -p serbench-fidelity --bench rust`

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

/// How often both harnesses measure each subject, in turn.
const TURNS: usize = 5;

/// What was found: by the plugins, and by the statically linked.
#[derive(Default)]
struct Found {
    loaded: Vec<Comparison>,
    linked: Vec<Comparison>,
}

fn compare<T: Value>(dataset: &'static str, found: &mut Found) {
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
    let mut found = Found::default();
    compare::<data::multiple_fields::Root>("multiple_fields", &mut found);
    compare::<data::github_events::Root>("github_events", &mut found);
    compare::<data::game_level::Root>("game_level", &mut found);
    let loaded = judge("Criterion, on the plugin", &found.loaded);
    let linked = judge("Criterion, linked statically", &found.linked);
    match loaded && linked {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
