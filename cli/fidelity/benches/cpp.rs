//! serbench against Google Benchmark: the same codecs, types and data, from the same object file,
//! loaded by the one and linked statically with the other.
//!
//! Needs Debian's libbenchmark-dev.
//!
//! `make build && cargo bench -p serbench-fidelity --bench cpp`

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{fs, iter};

use serbench_datasets::Dataset;
use serbench_fidelity::{Comparison, OPS, Subject, judge, root, run_anew, serbench};

const CODECS: [&str; 3] = ["nlohmann_json", "msgpack_cxx", "cereal"];
const DATASETS: [&str; 3] = ["multiple_fields", "github_events", "game_level"];

/// The file with a dataset's values.
const VALUES: &str = "values.bin";

/// How often both harnesses measure each subject, in turn.
const TURNS: usize = 41;

/// Builds of each plugin a library, and from the same object file a program with Google Benchmark.
fn build(folder: &Path) {
    let headers = folder.join("include");
    serbench_datasets::build::cpp_headers(&headers).expect("the headers are generated");
    let configured = Command::new("cmake")
        .arg("-S")
        .arg(root().join("cli/fidelity/cpp"))
        .arg("-B")
        .arg(folder)
        .arg(format!("-DSERBENCH_HEADERS={}", headers.display()))
        .arg(format!("-DSERBENCH_PLUGINS={}", CODECS.join(";")))
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .status()
        .expect("cmake runs");
    assert!(
        configured.success(),
        "install libbenchmark-dev and the packages of plugins-cpp"
    );
    let built = Command::new("cmake")
        .args(["--build", ".", "--parallel", "2"])
        .current_dir(folder)
        .status()
        .expect("cmake runs");
    assert!(built.success());
}

/// Writes a dataset as the programs read it: the schema and then the values, each after its size.
fn write(dataset: &Dataset, path: &Path) {
    let data = dataset.values(1).expect("data");
    let schema = dataset.schema.to_json();
    let mut bytes = Vec::new();
    for part in iter::once(schema.as_bytes()).chain(data.iter()) {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    fs::write(path, bytes).expect("the values are written");
}

/// Google Benchmark's medians over repetitions, in nanoseconds, for each of [`OPS`].
fn google_benchmark(subject: &Subject, dataset: &Dataset, folder: &Path) -> Vec<f64> {
    let values = folder.join(VALUES);
    let arguments = [
        subject.codec,
        subject.dataset,
        &dataset.fingerprint,
        values.to_str().expect("a name"),
        "--benchmark_format=json",
        "--benchmark_repetitions=5",
        "--benchmark_min_time=0.04",
        "--benchmark_report_aggregates_only=true",
    ];
    let printed = run_anew(&folder.join(subject.codec), &arguments);
    let report: serde_json::Value = serde_json::from_slice(&printed).expect("JSON");
    let figures = report["benchmarks"].as_array().expect("there are figures");
    let median = |op: &&str| {
        let name = format!("{op}_median");
        let figure = figures
            .iter()
            .find(|figure| figure["name"] == name.as_str());
        figure.expect("there is a median")["real_time"]
            .as_f64()
            .expect("a number")
    };
    OPS.iter().map(median).collect()
}

fn main() -> ExitCode {
    let folder = root().join("target/fidelity");
    build(&folder);
    let mut comparisons = Vec::new();
    for name in DATASETS {
        let dataset = serbench_datasets::find(name).expect("in the catalog");
        write(dataset, &folder.join(VALUES));
        for codec in CODECS {
            let subject = Subject {
                codec,
                dataset: name,
            };
            let plugin = folder.join(format!("libserbench_cpp_{codec}.so"));
            let mut turns = vec![Vec::new(); OPS.len()];
            for _ in 0..TURNS {
                let theirs = google_benchmark(&subject, dataset, &folder);
                let ours = serbench(&subject, &plugin);
                for (turns, pair) in turns.iter_mut().zip(ours.into_iter().zip(theirs)) {
                    turns.push(pair);
                }
            }
            for (op, turns) in OPS.iter().zip(turns) {
                let name = format!("{codec} {name} {op}");
                comparisons.push(Comparison { name, turns });
            }
        }
    }
    match judge("serbench", "Google Benchmark", &comparisons) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
