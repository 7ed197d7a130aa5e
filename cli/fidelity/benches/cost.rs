//! What serbench itself costs: the time to a result for everything that is bundled, the
//! coordinator's memory, the start-up with all plugins, and the floor of a call.
//!
//! `make build && cargo bench -p serbench-fidelity --bench cost`

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serbench_fidelity::{Subject, median, plugins, root};

/// Criterion's defaults for one benchmark: three seconds of warm-up, then five of measurement.
const CRITERION: Duration = Duration::from_secs(3 + 5);

/// How often the start-up is measured.
const STARTS: usize = 21;

fn serbench() -> Command {
    Command::new(root().join("target/release/serbench"))
}

fn with_plugins(command: &mut Command) -> &mut Command {
    command.arg("--plugins").arg(plugins())
}

/// A whole run at the defaults.
struct Run {
    /// No row failed.
    succeeded: bool,
    took: Duration,
    peak_kib: u64,
    results: serde_json::Value,
}

impl Run {
    /// How many benchmarks one would have had to write for another harness.
    fn timed(&self) -> usize {
        let rows = |dataset: &serde_json::Value| {
            let rows = dataset["rows"].as_array().expect("rows").iter();
            rows.map(|row| row["timings"].as_object().map_or(0, serde_json::Map::len))
                .sum::<usize>()
        };
        let datasets = self.results["runs"][0]["datasets"].as_array();
        datasets.expect("datasets").iter().map(rows).sum()
    }
}

/// The arguments of the commands that make the references' tables, but for their own budgets.
fn references() -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("cli/REFERENCES.md")).expect("the page is there");
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix("serbench run "));
    let without_budget = |command: &str| {
        let mut words = shlex::split(command).expect("a command").into_iter();
        let mut kept = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--budget" | "--save" => drop(words.next()),
                _ => kept.push(word),
            }
        }
        kept
    };
    commands.map(without_budget).collect()
}

fn run(arguments: &[String]) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let save = folder.path().join("results.json");
    let start = Instant::now();
    let mut child = with_plugins(serbench().arg("run"))
        .args(arguments)
        .arg("--save")
        .arg(&save)
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("serbench is built: `make build`");
    let status = Path::new("/proc")
        .join(child.id().to_string())
        .join("status");
    let mut peak_kib = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait().expect("it can be waited for") {
            break ended;
        }
        peak_kib = peak_kib.max(high_water_kib(&status));
        sleep(Duration::from_millis(2));
    };
    let took = start.elapsed();
    let text = fs::read_to_string(&save).expect("serbench saved its results");
    Run {
        succeeded: ended.success(),
        took,
        peak_kib,
        results: serde_json::from_str(&text).expect("results are JSON"),
    }
}

/// The most memory that a process has had resident, as the kernel kept it; 0 once it is gone.
fn high_water_kib(status: &Path) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|size| size.trim().strip_suffix(" kB")?.parse().ok())
        .unwrap_or(0)
}

/// Prints some runs in a line; true when they are as quick and as small as they should be.
fn report(title: &str, commands: &[Vec<String>], limit: Duration) -> bool {
    let runs = commands
        .iter()
        .map(|arguments| run(arguments))
        .collect::<Vec<_>>();
    let timed = runs.iter().map(Run::timed).sum::<usize>();
    let took = runs.iter().map(|run| run.took).sum::<Duration>();
    let peak_kib = runs.iter().map(|run| run.peak_kib).max().unwrap_or(0);
    let theirs = CRITERION * u32::try_from(timed).expect("not that many");
    let times = theirs.as_secs_f64() / took.as_secs_f64();
    println!(
        "| {title} | {timed} | {:.0} s | {:.0} s | {times:.0} | {:.1} MiB |",
        took.as_secs_f64(),
        theirs.as_secs_f64(),
        peak_kib as f64 / 1024.0
    );
    let succeeded = runs.iter().all(|run| run.succeeded);
    if !succeeded {
        println!("\nNot all of {title} succeeded: serbench ended with an error.\n");
    }
    succeeded && times >= 20.0 && took <= limit && peak_kib < 64 << 10
}

fn start_up() -> Duration {
    let once = || {
        let start = Instant::now();
        let output = with_plugins(serbench().args(["list", "codecs"])).output();
        assert!(output.expect("serbench runs").status.success());
        start.elapsed().as_secs_f64()
    };
    Duration::from_secs_f64(median((0..STARTS).map(|_| once())))
}

fn main() -> ExitCode {
    println!("| what | timed | serbench | Criterion, by its defaults | times faster | memory |");
    println!("|---|---:|---:|---:|---:|---:|");
    let references = report(
        "the tables of the references",
        &references(),
        Duration::from_secs(300),
    );
    let all = ["--dataset".to_owned(), "all".to_owned()];
    let all = report("all codecs, all datasets", &[all.into()], Duration::MAX);
    let start = start_up();
    println!(
        "\nStart-up, `serbench list codecs`: {} ms",
        start.as_millis()
    );
    let (codec, dataset) = ("null", "small_struct");
    let floor = serbench_fidelity::serbench(&Subject { codec, dataset }, &plugins());
    println!("Floor, `null`: {floor:.1?} ns for serialize and deserialize");
    let quick = start < Duration::from_millis(300) && floor.iter().all(|time| *time <= 3.0);
    match references && all && quick {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
