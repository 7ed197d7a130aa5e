//! How a worker came to its end.

use std::fmt;
use std::io;
use std::time::Duration;

use crate::protocol::Stage;

/// Why there is no worker any more, and what it was doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerError {
    /// What happened.
    pub cause: Cause,
    /// What the worker was doing.
    pub stage: Stage,
    /// With which value.
    pub value: Option<u64>,
    /// The last of what the plugin printed.
    pub output_tail: String,
}

/// What happened to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A signal ended it.
    Crashed {
        /// The signal's number.
        signal: i32,
        /// And its name.
        name: String,
    },
    /// It exited without being asked to.
    Exited {
        /// The exit code.
        code: i32,
    },
    /// It made no progress for so long, and was ended.
    TimedOut {
        /// The deadline.
        after: Duration,
    },
    /// It did not keep to the protocol.
    Protocol(String),
    /// It could not be started.
    Spawn(String),
}

impl WorkerError {
    pub(super) fn spawn(error: &io::Error) -> Self {
        Self {
            cause: Cause::Spawn(error.to_string()),
            stage: Stage::Start,
            value: None,
            output_tail: String::new(),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crashed { name, .. } => write!(f, "killed by {name}"),
            Self::Exited { code } => write!(f, "exited with code {code}"),
            Self::TimedOut { after } => write!(f, "made no progress for {after:?} and was ended"),
            Self::Protocol(what) => write!(f, "broke the protocol ({what})"),
            Self::Spawn(why) => write!(f, "cannot start a worker process ({why})"),
        }
    }
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.cause)?;
        if !matches!(self.cause, Cause::Spawn(_)) {
            write!(f, " in the middle of {}", self.stage)?;
        }
        if let Some(value) = self.value {
            write!(f, " of value {value}")?;
        }
        if !self.output_tail.is_empty() {
            write!(f, "; the last it printed: {}", self.output_tail)?;
        }
        Ok(())
    }
}

impl std::error::Error for WorkerError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_error_is_one_clear_message() {
        let mut error = WorkerError {
            cause: Cause::Exited { code: 0 },
            stage: Stage::Serialize,
            value: Some(3),
            output_tail: "bye".to_owned(),
        };
        assert_eq!(
            error.to_string(),
            "exited with code 0 in the middle of serialize of value 3; the last it printed: bye"
        );
        error = WorkerError {
            cause: Cause::TimedOut {
                after: Duration::from_secs(10),
            },
            stage: Stage::Load,
            value: None,
            output_tail: String::new(),
        };
        assert_eq!(
            error.to_string(),
            "made no progress for 10s and was ended in the middle of load"
        );
    }
}
