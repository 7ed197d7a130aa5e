//! The coordinator's side of a worker: starts it, asks it, and finds out how it died.
//!
//! There is no thread behind a worker: while a request is out, [`Worker::call`] itself listens to
//! the worker's answer and to what the plugin prints.

mod error;
mod tail;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use tempfile::TempDir;

pub use self::error::{Cause, WorkerError};
use self::tail::Tail;
use crate::protocol::{self, Request, Response};
use crate::worker::SUBCOMMAND;
use crate::worker::progress::Progress;

/// Lets a worker do in copies of itself what could end it.
const MAY_FORK: &str = "--may-fork";
/// How long a worker that has said or done its last is given to be gone.
const GRACE: Duration = Duration::from_secs(2);
/// How often a silent worker is looked after.
const LONGEST_TICK: Duration = Duration::from_millis(200);

/// How to run workers.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The run's temporary folder.
    pub temp_dir: PathBuf,
    /// The core to keep the worker on.
    pub core: Option<usize>,
    /// A worker that makes no progress for so long is ended.
    pub timeout: Duration,
    /// How much memory a plugin may take in its sandbox; nothing: there is no sandbox.
    pub memory_bytes: Option<u64>,
}

/// A worker process with one plugin.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    /// Nothing once the worker is to go.
    requests: Option<ChildStdin>,
    responses: ChildStdout,
    output: ChildStderr,
    /// What has come of a response so far.
    inbox: Vec<u8>,
    tail: Tail,
    progress: Progress,
    folder: TempDir,
    timeout: Duration,
    dead: Option<WorkerError>,
}

impl Worker {
    /// Starts a worker for the plugin, without loading it yet.
    pub fn spawn(plugin: &Path, options: &WorkerOptions) -> Result<Self, WorkerError> {
        Self::try_spawn(plugin, options, &[]).map_err(|e| WorkerError::spawn(&e))
    }

    /// Starts a worker that can count what is taken from the heap, and should time nothing.
    pub fn spawn_counting(plugin: &Path, options: &WorkerOptions) -> Result<Self, WorkerError> {
        Self::try_spawn(plugin, options, &["--count-heap"]).map_err(|e| WorkerError::spawn(&e))
    }

    /// Starts a worker that counts, and may also do in copies of itself what could end it.
    pub fn spawn_forking(plugin: &Path, options: &WorkerOptions) -> Result<Self, WorkerError> {
        let flags = ["--count-heap", MAY_FORK];
        Self::try_spawn(plugin, options, &flags).map_err(|e| WorkerError::spawn(&e))
    }

    fn try_spawn(plugin: &Path, options: &WorkerOptions, flags: &[&str]) -> io::Result<Self> {
        let folder = TempDir::new_in(&options.temp_dir)?;
        let page = folder.path().join("progress");
        let progress = Progress::create(&File::create_new(&page)?)?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg(SUBCOMMAND)
            .arg("--plugin")
            .arg(plugin)
            .arg("--folder")
            .arg(folder.path())
            .arg("--progress")
            .arg(page)
            .env("TMPDIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for the coordinator, which ends its workers itself.
            .process_group(0);
        if let Some(core) = options.core {
            command.arg("--core").arg(core.to_string());
        }
        if let Some(bytes) = options.memory_bytes {
            command.arg("--memory-bytes").arg(bytes.to_string());
        }
        command.args(flags);
        if flags.contains(&MAY_FORK) {
            // A plugin in Rust may panic once for each of thousands of inputs, in as many processes:
            // a backtrace, which nobody reads, takes a hundred times longer than the rest.
            command.env("RUST_BACKTRACE", "0");
        }
        let mut child = command.spawn()?;
        Ok(Self {
            requests: child.stdin.take(),
            responses: child.stdout.take().expect("stdout is piped"),
            output: child.stderr.take().expect("stderr is piped"),
            child,
            inbox: Vec::new(),
            tail: Tail::default(),
            progress,
            folder,
            timeout: options.timeout,
            dead: None,
        })
    }

    /// The only folder that the worker may write in. It goes when the worker does.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Asks, and waits for the answer. The worker may take as long as it likes while it makes
    /// progress. After an error the worker is gone, and every later call gives the same error.
    pub fn call(&mut self, request: &Request) -> Result<Response, WorkerError> {
        if let Some(error) = &self.dead {
            return Err(error.clone());
        }
        self.exchange(request).map_err(|cause| {
            let cause = self.end(cause);
            let (stage, value) = self.progress.position();
            let error = WorkerError {
                cause,
                stage,
                value,
                output_tail: self.tail.text(),
            };
            self.dead = Some(error.clone());
            error
        })
    }

    /// Nothing in the error: the worker's end has to tell.
    fn exchange(&mut self, request: &Request) -> Result<Response, Option<Cause>> {
        let mut frame = Vec::new();
        protocol::send(&mut frame, request).map_err(broken)?;
        let mut unsent = &frame[..];
        let mut watch = Watch::new(&self.progress, self.timeout);
        loop {
            let ready = self.wait(!unsent.is_empty(), watch.tick())?;
            if ready.output {
                self.drain();
            }
            if ready.request {
                unsent = self.write(unsent)?;
            }
            if ready.response
                && let Some(response) = self.read()?
            {
                self.drain_what_is_there();
                return Ok(response);
            }
            if ready.nothing() {
                // A process that the plugin has forked may hold the pipes open.
                if matches!(self.child.try_wait(), Ok(Some(_))) {
                    return Err(None);
                }
                watch.look(&self.progress)?;
            }
        }
    }

    /// Waits until one of the pipes is ready.
    fn wait(&self, sending: bool, tick: Duration) -> Result<Ready, Option<Cause>> {
        let requests = self.requests.as_ref().filter(|_| sending);
        let mut fds = vec![
            PollFd::new(self.responses.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.output.as_fd(), PollFlags::POLLIN),
        ];
        if let Some(requests) = requests {
            fds.push(PollFd::new(requests.as_fd(), PollFlags::POLLOUT));
        }
        if self.tail.closed() {
            fds[1].set_events(PollFlags::empty());
        }
        let timeout = PollTimeout::try_from(tick).unwrap_or(PollTimeout::MAX);
        match poll(&mut fds, timeout) {
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(e) => return Err(broken(e.into())),
        }
        let ready = |n: usize| fds.get(n).is_some_and(|fd| fd.any() == Some(true));
        Ok(Ready {
            response: ready(0),
            output: ready(1) && !self.tail.closed(),
            request: ready(2),
        })
    }

    fn write<'a>(&mut self, unsent: &'a [u8]) -> Result<&'a [u8], Option<Cause>> {
        let requests = self.requests.as_mut().ok_or(None)?;
        // A pipe that is ready takes this much without blocking.
        const PIPE_BUF: usize = libc::PIPE_BUF;
        match requests.write(&unsent[..unsent.len().min(PIPE_BUF)]) {
            Ok(written) => Ok(&unsent[written..]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(unsent),
            // The worker has gone; how, its end will tell.
            Err(_) => Err(None),
        }
    }

    /// Reads what there is, and returns the response once it is whole.
    fn read(&mut self) -> Result<Option<Response>, Option<Cause>> {
        let mut chunk = [0; 64 * 1024];
        match self.responses.read(&mut chunk) {
            Ok(0) => return Err(None),
            Ok(read) => self.inbox.extend_from_slice(&chunk[..read]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => return Ok(None),
            Err(e) => return Err(broken(e)),
        }
        protocol::take(&mut self.inbox).map_err(broken)
    }

    /// Keeps the tail of what the plugin prints; only when there is something.
    fn drain(&mut self) {
        let mut chunk = [0; 16 * 1024];
        match self.output.read(&mut chunk) {
            Ok(0) => self.tail.close(),
            Ok(read) => self.tail.push(&chunk[..read]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.tail.close(),
        }
    }

    fn drain_what_is_there(&mut self) {
        while !self.tail.closed() && is_readable(self.output.as_fd()) {
            self.drain();
        }
    }

    /// Ends the worker, and finds the cause where it is not known yet.
    fn end(&mut self, cause: Option<Cause>) -> Cause {
        // The requests stay open until then: their end is itself a reason for a worker to go.
        let status = match cause {
            None => self.wait_for_exit(),
            Some(_) => None,
        };
        self.requests = None;
        // Harmless if it has gone by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.drain_what_is_there();
        cause.unwrap_or_else(|| match status {
            Some(status) => exit_cause(status),
            None => Cause::Protocol("it closed the pipe of its answers".to_owned()),
        })
    }

    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            self.drain_what_is_there();
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    }
}

impl Drop for Worker {
    /// The worker sees its requests end and goes; nothing in it is worth waiting for.
    fn drop(&mut self) {
        self.requests = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What [`Worker::wait`] has found.
struct Ready {
    response: bool,
    output: bool,
    request: bool,
}

impl Ready {
    fn nothing(&self) -> bool {
        !(self.response || self.output || self.request)
    }
}

/// Notices when there is no progress any more.
struct Watch {
    timeout: Duration,
    counter: u64,
    since: Instant,
}

impl Watch {
    fn new(progress: &Progress, timeout: Duration) -> Self {
        Self {
            timeout,
            counter: progress.counter(),
            since: Instant::now(),
        }
    }

    fn tick(&self) -> Duration {
        (self.timeout / 8).clamp(Duration::from_millis(1), LONGEST_TICK)
    }

    fn look(&mut self, progress: &Progress) -> Result<(), Option<Cause>> {
        let counter = progress.counter();
        if counter != self.counter {
            self.counter = counter;
            self.since = Instant::now();
        } else if self.since.elapsed() >= self.timeout {
            return Err(Some(Cause::TimedOut {
                after: self.timeout,
            }));
        }
        Ok(())
    }
}

fn broken(error: io::Error) -> Option<Cause> {
    Some(Cause::Protocol(error.to_string()))
}

fn exit_cause(status: ExitStatus) -> Cause {
    match (status.code(), status.signal()) {
        (Some(code), _) => Cause::Exited { code },
        (None, Some(signal)) => Cause::Crashed {
            signal,
            name: Signal::try_from(signal)
                .map_or_else(|_| format!("signal {signal}"), |s| s.as_str().to_owned()),
        },
        (None, None) => Cause::Protocol(format!("it ended in an unknown way ({status})")),
    }
}

fn is_readable(fd: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::new(fd, PollFlags::POLLIN)];
    matches!(poll(&mut fds, PollTimeout::ZERO), Ok(1))
}
