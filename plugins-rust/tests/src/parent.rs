//! Watches over the processes of the plugins, one after another.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{fs, io, thread};

use crate::Args;
use crate::protocol::{Line, Outcome};
use crate::table::Table;

/// A plugin that says nothing for so long hangs: each step is one value, or some damaged copies of it.
const PATIENCE: Duration = Duration::from_secs(120);

/// Checks every plugin, and tells what came of each pair.
pub fn run(args: &Args) -> ExitCode {
    let mut report = Report {
        table: args.table.then(Table::default),
        pairs: 0,
        failures: 0,
    };
    for path in &args.plugins {
        match plugins(path) {
            Ok(plugins) => plugins.iter().for_each(|plugin| report.check(args, plugin)),
            Err(error) => report.fail(&format!("{}: {error}", path.display())),
        }
    }
    if let Some(table) = &report.table {
        print!("{}", table.markdown());
    }
    eprintln!("{} pairs, {} failures", report.pairs, report.failures);
    match (report.failures, report.pairs) {
        (0, 1..) => ExitCode::SUCCESS,
        (0, _) => {
            eprintln!("nothing was checked: no codec and dataset match");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

/// The plugins in a folder, or the one file.
fn plugins(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    found.retain(|path| path.extension().is_some_and(|extension| extension == "so"));
    found.sort();
    match found.is_empty() {
        false => Ok(found),
        true => Err(io::Error::other("there are no plugins in this folder")),
    }
}

struct Report {
    table: Option<Table>,
    pairs: usize,
    failures: usize,
}

impl Report {
    fn fail(&mut self, what: &str) {
        self.failures += 1;
        eprintln!("FAILED: {what}");
    }

    fn tell(&mut self, codec: &str, dataset: &str, outcome: Outcome) {
        self.pairs += 1;
        let text = match &outcome {
            Outcome::Passed {
                values,
                unsupported: 0,
                ..
            } => format!("ok, {values} round trips"),
            Outcome::Passed {
                values,
                unsupported,
                reason,
            } => format!("ok, {values} round trips; {unsupported} unsupported: {reason}"),
            Outcome::Unsupported(reason) => format!("unsupported: {reason}"),
            Outcome::Failed(what) => {
                self.failures += 1;
                format!("FAILED: {what}")
            }
        };
        let line = format!("{codec:<28} {dataset:<26} {text}");
        match (&mut self.table, &outcome) {
            (Some(table), Outcome::Failed(_)) => {
                eprintln!("{line}");
                table.add(codec, dataset, outcome);
            }
            (Some(table), _) => table.add(codec, dataset, outcome),
            (None, _) => println!("{line}"),
        }
    }

    /// Checks a plugin, in a new process after each crash.
    fn check(&mut self, args: &Args, plugin: &Path) {
        let mut done = 0;
        loop {
            let mut worker = match Worker::start(args, plugin, done) {
                Ok(worker) => worker,
                Err(error) => return self.fail(&format!("{}: {error}", plugin.display())),
            };
            let (finished, crash) = self.watch(&mut worker);
            done += finished;
            match (crash, worker.at) {
                (None, _) => return,
                (Some(crash), Some((codec, dataset))) => {
                    done += 1;
                    let what = format!("{crash} in: {}", worker.step);
                    self.tell(&codec, &dataset, Outcome::Failed(what));
                }
                (Some(crash), None) => {
                    return self.fail(&format!("{}: {crash}", plugin.display()));
                }
            }
        }
    }

    /// How many pairs the process finished, and how it ended if not well.
    fn watch(&mut self, worker: &mut Worker) -> (usize, Option<String>) {
        let mut finished = 0;
        loop {
            match worker.lines.recv_timeout(PATIENCE) {
                Ok(Line::Begin { codec, dataset }) => worker.at = Some((codec, dataset)),
                Ok(Line::Step(step)) => worker.step = step,
                Ok(Line::End(outcome)) => {
                    if let Some((codec, dataset)) = worker.at.take() {
                        finished += 1;
                        self.tell(&codec, &dataset, outcome);
                    }
                }
                Ok(Line::Refused(reason)) => return (finished, Some(reason)),
                Err(RecvTimeoutError::Disconnected) => return (finished, worker.end()),
                Err(RecvTimeoutError::Timeout) => {
                    let _ = worker.process.kill();
                    let _ = worker.process.wait();
                    let hung = format!("nothing heard for {} s", PATIENCE.as_secs());
                    return (finished, Some(hung));
                }
            }
        }
    }
}

/// A process with one plugin.
struct Worker {
    process: Child,
    lines: Receiver<Line>,
    /// The codec and dataset under way.
    at: Option<(String, String)>,
    step: String,
}

impl Worker {
    fn start(args: &Args, plugin: &Path, done: usize) -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--resume", &done.to_string()])
            .args([
                "--codec",
                args.codec.glob(),
                "--dataset",
                args.dataset.glob(),
            ])
            .arg(plugin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, lines) = channel();
        let out = process.stdout.take().expect("stdout is piped");
        thread::spawn(move || {
            let mut reader = BufReader::new(out);
            let mut line = Vec::new();
            while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
                let told = Line::read(&String::from_utf8_lossy(&line));
                if told.is_some_and(|told| sender.send(told).is_err()) {
                    return;
                }
                line.clear();
            }
        });
        // Panics that are caught print their message, thousands of them: nobody reads that.
        let mut errors = process.stderr.take().expect("stderr is piped");
        thread::spawn(move || {
            let mut sink = [0; 4096];
            while matches!(errors.read(&mut sink), Ok(1..)) {}
        });
        Ok(Self {
            process,
            lines,
            at: None,
            step: "loading".to_owned(),
        })
    }

    /// How the process ended, if not well.
    fn end(&mut self) -> Option<String> {
        match self.process.wait() {
            Ok(status) if status.success() && self.at.is_none() => None,
            Ok(status) => Some(describe(status)),
            Err(error) => Some(error.to_string()),
        }
    }
}

fn describe(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => match nix::sys::signal::Signal::try_from(signal) {
            Ok(signal) => format!("ended by {signal}"),
            Err(_) => format!("ended by signal {signal}"),
        },
        None => format!("ended with {status}"),
    }
}
