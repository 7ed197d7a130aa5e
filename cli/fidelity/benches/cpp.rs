//! serbench against Google Benchmark: the same codecs, types and data, linked statically.
//!
//! Needs Debian's libbenchmark-dev.
//!
//! `make build && cargo bench -p serbench-fidelity --bench cpp`

use std::path::Path;
use std::process::{Command, ExitCode};

use serbench_fidelity::{Comparison, OPS, Subject, judge, on_the_workers_core, root, serbench};

const CODECS: [&str; 3] = ["nlohmann_json", "msgpack_cxx", "cereal"];
const DATASETS: [&str; 3] = ["multiple_fields", "github_events", "game_level"];

/// How often both harnesses measure each subject, in turn.
const TURNS: usize = 15;

/// Configures and builds one program per codec with Google Benchmark.
fn build(folder: &Path) {
    let headers = folder.join("include");
    serbench_datasets::build::cpp_headers(&headers).expect("the headers are generated");
    let source = root().join("cli/fidelity/cpp");
    let configured = Command::new("cmake")
        .arg("-S")
        .arg(source)
        .arg("-B")
        .arg(folder)
        .arg(format!("-DSERBENCH_GENERATED={}", headers.display()))
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .status()
        .expect("cmake runs");
    assert!(
        configured.success(),
        "install libbenchmark-dev and the packages of plugins-cpp"
    );
    let built = Command::new("cmake")
        .arg("--build")
        .arg(folder)
        .status()
        .expect("cmake runs");
    assert!(built.success());
}

/// Writes the values of a dataset as the programs read them: a count, then each value's size and
/// canonical bytes.
fn write_values(dataset: &str, path: &Path) {
    let data = serbench_datasets::find(dataset)
        .expect("in the catalog")
        .values(1)
        .expect("data");
    let mut bytes = (data.sizes().len() as u64).to_le_bytes().to_vec();
    for value in data.iter() {
        bytes.extend_from_slice(&(value.len() as u64).to_le_bytes());
        bytes.extend_from_slice(value);
    }
    std::fs::write(path, bytes).expect("the values are written");
}

/// Google Benchmark's medians over repetitions, in nanoseconds, for each of [`OPS`].
fn google_benchmark(subject: &Subject, folder: &Path) -> Vec<f64> {
    let output = Command::new(folder.join(subject.codec))
        .arg(subject.dataset)
        .arg(folder.join(format!("{}.bin", subject.dataset)))
        .args(["--benchmark_format=json", "--benchmark_repetitions=5"])
        .args([
            "--benchmark_min_time=0.04",
            "--benchmark_report_aggregates_only=true",
        ])
        .output()
        .expect("the program runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
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
    let folder = tempfile::tempdir().expect("a temporary folder");
    build(folder.path());
    let mut comparisons = Vec::new();
    for dataset in DATASETS {
        write_values(dataset, &folder.path().join(format!("{dataset}.bin")));
        for codec in CODECS {
            let subject = Subject { codec, dataset };
            let mut turns = vec![Vec::new(); OPS.len()];
            for _ in 0..TURNS {
                let theirs = on_the_workers_core(|| google_benchmark(&subject, folder.path()));
                let ours = serbench(&subject);
                for (turns, pair) in turns.iter_mut().zip(ours.into_iter().zip(theirs)) {
                    turns.push(pair);
                }
            }
            for (op, turns) in OPS.iter().zip(turns) {
                let name = format!("{codec} {dataset} {op}");
                comparisons.push(Comparison { name, turns });
            }
        }
    }
    match judge("serbench", "Google Benchmark", &comparisons) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
