//! The processes of one plugin: each is started anew when the last one has died.

use std::path::Path;

use crate::process::{Worker, WorkerError, WorkerOptions};
use crate::protocol::{Failure, FailureKind, Request, Response, Stage};

/// A plugin and its workers.
pub struct Host<'a> {
    plugin: &'a Path,
    options: &'a WorkerOptions,
    plain: Option<Worker>,
    forking: Option<Worker>,
}

/// Why there is no answer.
pub struct Trouble {
    /// The plugin cannot carry what it was asked to.
    pub unsupported: bool,
    /// In the middle of what.
    pub stage: Stage,
    /// With which value.
    pub value: Option<u64>,
    /// The cause.
    pub message: String,
}

impl<'a> Host<'a> {
    pub fn new(plugin: &'a Path, options: &'a WorkerOptions) -> Self {
        Self {
            plugin,
            options,
            plain: None,
            forking: None,
        }
    }

    /// Has the next questions asked of workers that have seen nothing yet.
    pub fn renew(&mut self) {
        self.plain = None;
        self.forking = None;
    }

    /// Asks the worker that forks and counts what is taken from the heap, or the other one.
    pub fn ask(&mut self, forking: bool, request: &Request) -> Result<Response, Trouble> {
        let place = match forking {
            true => &mut self.forking,
            false => &mut self.plain,
        };
        if place.is_none() {
            *place = Some(match forking {
                true => Worker::spawn_forking(self.plugin, self.options)?,
                false => Worker::spawn(self.plugin, self.options)?,
            });
        }
        let worker = place.as_mut().expect("there is one now");
        match worker.call(request) {
            Ok(Response::Failed(failure)) => Err(failure.into()),
            Ok(response) => Ok(response),
            Err(error) => {
                *place = None;
                Err(error.into())
            }
        }
    }
}

impl Trouble {
    /// The worker gave the answer to another question.
    pub fn out_of_turn() -> Self {
        Self {
            unsupported: false,
            stage: Stage::Start,
            value: None,
            message: "the worker broke the protocol: an answer out of turn".to_owned(),
        }
    }

    /// Where, and what.
    pub fn told(&self, value_name: impl Fn(u64) -> String) -> String {
        let value = self.value.map(|value| format!(" of {}", value_name(value)));
        format!(
            "{}{}: {}",
            self.stage,
            value.unwrap_or_default(),
            self.message
        )
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self {
            unsupported: failure.kind == FailureKind::Unsupported,
            stage: failure.stage,
            value: failure.value,
            message: failure.message,
        }
    }
}

impl From<WorkerError> for Trouble {
    fn from(error: WorkerError) -> Self {
        let tail = match error.output_tail.as_str() {
            "" => String::new(),
            tail => format!("; the last it printed: {tail}"),
        };
        Self {
            unsupported: false,
            stage: error.stage,
            value: error.value,
            message: format!("{}{tail}", error.cause),
        }
    }
}
