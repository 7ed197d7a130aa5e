//! How a command ends: exit codes, and errors as one clear message on stderr.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command that could be carried out ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All well.
    Ok,
    /// Some codec or plugin failed, a file could not be saved, or a comparison found a regression.
    Failed,
    /// The user stopped it; what was measured is shown and saved.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Ok => 0,
            Outcome::Failed => 1,
            Outcome::Interrupted => 130,
        })
    }
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub enum Error {
    /// Bad usage, or nothing to do: exit code 2.
    Usage(String),
    /// Something went wrong on the way: exit code 1.
    Failed(String),
    /// Whoever read our output has closed it, which is no fault.
    Closed,
}

impl Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Usage(message) | Self::Failed(message) => message,
            Self::Closed => "the output is closed",
        })
    }
}

impl Error {
    /// Bad usage, or nothing to do.
    pub fn usage(message: impl Display) -> Self {
        Self::Usage(message.to_string())
    }

    /// Something went wrong on the way.
    pub fn failed(message: impl Display) -> Self {
        Self::Failed(message.to_string())
    }

    /// Writing to stdout failed.
    pub fn output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::failed(format!("cannot write to stdout: {error}")),
        }
    }

    /// Prints the message, and says how the process is to exit.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Usage(_) => {
                complain(self);
                ExitCode::from(2)
            }
            Self::Failed(_) => {
                complain(self);
                ExitCode::from(1)
            }
            Self::Closed => ExitCode::SUCCESS,
        }
    }
}

/// Prints one message on stderr.
pub fn complain(message: impl Display) {
    say("error", message);
}

/// Prints one warning on stderr.
pub fn warn(message: impl Display) {
    say("warning", message);
}

/// A closed stderr is nobody's loss.
fn say(kind: &str, message: impl Display) {
    let _ = writeln!(io::stderr(), "{kind}: {message}");
}

/// Turns a panic, which is a bug of ours, into one message instead of a trace.
pub fn report_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        let cause = panic.payload_as_str().unwrap_or("the cause is not known");
        let place = panic
            .location()
            .map(|place| format!(" ({place})"))
            .unwrap_or_default();
        complain(format!(
            "this is a bug in serbench, please report it: {cause}{place}"
        ));
    }));
}
