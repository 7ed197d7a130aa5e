//! What the comparisons with other harnesses share: asking serbench for its figure, and judging
//! a list of ratios.
//!
//! A comparison is a list of subjects (codec, dataset, operation). Each is measured by both
//! harnesses in turn, several times; the figure is the median over those turns of the ratio within
//! a turn, so that a machine whose speed drifts does not decide it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("two folders up")
        .to_owned()
}

/// What is measured twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The codec's id.
    pub codec: &'static str,
    /// The dataset's name.
    pub dataset: &'static str,
}

/// Nanoseconds per call, by both harnesses, in each turn.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// `codec dataset operation`.
    pub name: String,
    /// (serbench, the other harness).
    pub turns: Vec<(f64, f64)>,
}

/// The operations compared, by their names in the results file.
pub const OPS: [&str; 2] = ["serialize", "deserialize"];

/// Below this many nanoseconds the call through the ABI shows, and the difference is judged
/// instead of the ratio.
const SHORT_NS: f64 = 30.0;
/// The difference allowed there, in nanoseconds.
const CALL_NS: f64 = 2.5;

/// Measures a subject with serbench and returns nanoseconds per call for each of [`OPS`]: the
/// median over rounds of the mean in a round, which is what the other harnesses' medians are.
pub fn serbench(subject: &Subject, folder: &Path) -> Vec<f64> {
    let save = folder.join("results.json");
    let output = Command::new(root().join("target/release/serbench"))
        .args([
            "run",
            "--codec",
            subject.codec,
            "--dataset",
            subject.dataset,
        ])
        .args([
            "--ops",
            "serialize,deserialize",
            "--budget",
            "1s",
            "--precision",
            "0.1%",
        ])
        .arg("--plugins")
        .arg(root().join("plugins"))
        .arg("--save")
        .arg(&save)
        .output()
        .expect("serbench is built: `make build`");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = std::fs::read_to_string(&save).expect("serbench saved its results");
    let results: serde_json::Value = serde_json::from_str(&text).expect("results are JSON");
    let timings = &results["runs"][0]["datasets"][0]["rows"][0]["timings"];
    OPS.iter()
        .map(|op| round_median(&timings[op]["rounds"]))
        .collect()
}

/// The median over rounds of the mean time of a call; a round is `[number, calls, picoseconds]`.
fn round_median(rounds: &serde_json::Value) -> f64 {
    let rounds = rounds.as_array().expect("there are rounds");
    median(rounds.iter().map(|round| {
        let number = |index: usize| round[index].as_f64().expect("a number");
        number(2) / number(1) / 1000.0
    }))
}

/// The median of some values.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

/// Prints the comparisons as a Markdown table, and the geometric mean of those long enough to have
/// a meaningful ratio. Returns whether all are within the bounds of METHODOLOGY.md.
pub fn judge(other: &str, comparisons: &[Comparison]) -> bool {
    println!("| codec, dataset, operation | serbench | {other} | ratio | |");
    println!("|---|---:|---:|---:|---|");
    let mut ratios = Vec::new();
    let mut good = true;
    for comparison in comparisons {
        let ours = median(comparison.turns.iter().map(|turn| turn.0));
        let theirs = median(comparison.turns.iter().map(|turn| turn.1));
        let ratio = median(comparison.turns.iter().map(|turn| turn.0 / turn.1));
        let within = if theirs < SHORT_NS {
            (ours - theirs).abs() <= CALL_NS
        } else {
            ratios.push(ratio);
            (0.95..=1.05).contains(&ratio)
        };
        good &= within;
        let verdict = if within { "" } else { "outside" };
        println!(
            "| {} | {ours:.1} ns | {theirs:.1} ns | {ratio:.3} | {verdict} |",
            comparison.name
        );
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("\nGeometric mean of {} ratios: {mean:.3}", ratios.len());
    good && (0.98..=1.02).contains(&mean)
}
