//! What the comparisons with other harnesses share: asking serbench for its figure, and judging
//! a list of ratios.
//!
//! A comparison is a list of subjects (codec, dataset, operation). Each is measured by both
//! harnesses in turn, several times; the figure is the median over those turns of the ratio within
//! a turn, so that a machine whose speed drifts does not decide it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

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

impl Subject {
    /// Under which name another harness files it.
    pub fn file_name(&self) -> String {
        format!("{}-{}", self.codec, self.dataset)
    }
}

/// Nanoseconds per call, measured in two ways, in each turn.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// `codec dataset operation`.
    pub name: String,
    /// By the one way, and by the other.
    pub turns: Vec<(f64, f64)>,
}

/// Does `work`, and whatever processes it starts, on the core that serbench's workers run on. Two
/// cores of a shared machine do not have the same neighbours.
fn on_the_workers_core<T>(work: impl FnOnce() -> T) -> T {
    confined(|core, workers| core == workers, work)
}

/// Does `work` on the other cores.
pub fn off_the_workers_core<T>(work: impl FnOnce() -> T) -> T {
    confined(|core, workers| core != workers, work)
}

/// Does `work` on the cores that are chosen of those that this thread may use, by comparing with the
/// workers' one: the last.
fn confined<T>(is_chosen: impl Fn(usize, usize) -> bool, work: impl FnOnce() -> T) -> T {
    let this = Pid::from_raw(0);
    let all = sched_getaffinity(this).expect("the cores are known");
    let allowed: Vec<usize> = (0..CpuSet::count())
        .filter(|core| all.is_set(*core).unwrap_or(false))
        .collect();
    let workers = *allowed.last().expect("there is a core");
    let mut chosen = CpuSet::new();
    for core in allowed {
        if is_chosen(core, workers) {
            chosen.set(core).expect("it is a core");
        }
    }
    sched_setaffinity(this, &chosen).expect("there are two cores, and they may be chosen");
    let result = work();
    sched_setaffinity(this, &all).expect("as before");
    result
}

/// Runs a program on the workers' core, in such a place as serbench's workers and their plugins have,
/// and returns what it prints. It is a new copy of the file, since processes share the pages of a file,
/// and where in memory they are decides by some percent how fast the code in them is. And it is started
/// by the dynamic loader, which puts it beside its libraries. The kernel puts others gigabytes away, from
/// where a call of `memcpy` takes longer, and codecs that copy field by field up to a quarter.
pub fn run_anew(program: &Path, arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("program");
    fs::copy(program, &copy).expect("room for a copy");
    let mut command = Command::new(loader());
    command.arg(copy).args(arguments);
    let output = on_the_workers_core(|| command.output()).expect("the program runs");
    let (status, error) = (output.status, String::from_utf8_lossy(&output.stderr));
    assert!(status.success(), "{}: {status}: {error}", program.display());
    output.stdout
}

/// The dynamic loader, which this program has among its maps.
fn loader() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").expect("this program's maps");
    let mut files = maps.lines().filter_map(|line| line.split(' ').next_back());
    let is_loader = |file: &&str| file.contains("/ld-");
    files.find(is_loader).expect("it is there").into()
}

/// The operations compared, by their names in the results file.
pub const OPS: [&str; 2] = ["serialize", "deserialize"];

/// Below this many nanoseconds the call through the ABI shows, and the difference is judged
/// instead of the ratio.
const SHORT_NS: f64 = 30.0;
/// The difference allowed there, in nanoseconds.
const CALL_NS: f64 = 2.5;

/// Where `make build` puts the plugins.
pub fn plugins() -> PathBuf {
    root().join("plugins")
}

/// Runs serbench and returns the rows that it prints, with what it saved of the dataset.
fn run(
    plugins: &Path,
    codecs: &[&str],
    dataset: &str,
    arguments: &[&str],
) -> (Vec<serde_json::Value>, serde_json::Value) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let save = folder.path().join("results.json");
    let output = Command::new(root().join("target/release/serbench"))
        .args(["run", "--ops", "serialize,deserialize"])
        .args(["--dataset", dataset, "--zstd", "3", "--format", "json"])
        .args(codecs.iter().flat_map(|codec| ["--codec", codec]))
        .args(arguments)
        .arg("--plugins")
        .arg(plugins)
        .arg("--save")
        .arg(&save)
        .output()
        .expect("serbench is built: `make build`");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = fs::read_to_string(&save).expect("serbench saved its results");
    let mut results: serde_json::Value = serde_json::from_str(&text).expect("results are JSON");
    let rows = serde_json::from_slice(&output.stdout).expect("rows are JSON");
    (rows, results["runs"][0]["datasets"][0].take())
}

/// Measures a subject of a plugin with serbench and returns nanoseconds per call for each of [`OPS`]: the
/// median over rounds of the mean in a round, whoever else used the core, which is what the other
/// harnesses' medians are.
pub fn serbench(subject: &Subject, plugin: &Path) -> Vec<f64> {
    let long = ["--budget", "300ms", "--precision", "0.1%"];
    let (_, results) = run(plugin, &[subject.codec], subject.dataset, &long);
    let rounds = |op| rounds(&results["rows"][0]["timings"][op]);
    OPS.iter().map(|op| median(rounds(op))).collect()
}

/// Compares codecs with serbench, and returns the ratios to the reference that it prints, by (codec,
/// operation).
pub fn compare_by_serbench(
    codecs: &[&str],
    dataset: &str,
    reference: &str,
) -> BTreeMap<(String, String), f64> {
    let mut arguments = vec!["--budget", "60s", "--precision", "0.1%"];
    arguments.extend(["--reference", reference]);
    let (rows, _) = run(&plugins(), codecs, dataset, &arguments);
    let ratio = |row: &serde_json::Value, op: &str| {
        let codec = row["codec"].as_str().expect("an id").to_owned();
        let ratio = row[format!("{op}_ratio")].as_f64();
        ((codec, op.to_owned()), ratio.expect("a ratio"))
    };
    rows.iter()
        .flat_map(|row| OPS.map(|op| ratio(row, op)))
        .collect()
}

/// The mean time of a call in each round, in nanoseconds; the first three numbers of a round are its
/// own, and of what it recorded whoever else used the core: the calls, and their picoseconds.
fn rounds(timing: &serde_json::Value) -> impl Iterator<Item = f64> {
    let rounds = timing["rounds"].as_array().expect("there are rounds");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    rounds
        .iter()
        .map(move |round| number(&round[2]) / number(&round[1]) / 1000.0)
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
pub fn judge(one: &str, other: &str, comparisons: &[Comparison]) -> bool {
    println!("\n| codec, dataset, operation | {one} | {other} | ratio | |");
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
