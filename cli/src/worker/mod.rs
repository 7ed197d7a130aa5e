//! The worker process: loads one plugin, does what it is asked, and keeps what the plugin does to
//! itself from the run.

mod arena;
mod calls;
mod check;
mod gauge;
mod heap;
mod instance;
mod pages;
pub mod progress;
mod sandbox;
mod slice;
mod stdio;
mod values;
mod verify;
mod zstd;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::OpenOptions;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use self::check::Bench;
use self::heap::Counters;
use self::instance::Instance;
use self::progress::Progress;
use self::slice::{Length, SliceError, Timer};
#[cfg(target_arch = "x86_64")]
use crate::clock::Tsc;
use crate::clock::{BestClock, Clock, Monotonic};
use crate::loader::Plugin;
use crate::protocol::{
    self, DatasetFile, Failure, FailureKind, HeapUse, Instruments, Op, Request, Response, Slice,
    Slot, Stage,
};

/// The hidden subcommand that turns the program into a worker.
pub const SUBCOMMAND: &str = "__worker";

/// The worker's command line, which only the coordinator writes.
#[derive(Debug, Parser)]
struct Args {
    /// The plugin to load.
    #[arg(long)]
    plugin: PathBuf,
    /// The only folder to write in.
    #[arg(long)]
    folder: PathBuf,
    /// The file behind the progress page.
    #[arg(long)]
    progress: PathBuf,
    /// How much memory the plugin may take; without it, the worker is not shut in.
    #[arg(long)]
    memory_bytes: Option<u64>,
    /// The core to stay on.
    #[arg(long)]
    core: Option<usize>,
    /// Count what is taken from the heap.
    #[arg(long)]
    count_heap: bool,
    /// Make copies of this process, for attempts that may end it.
    #[arg(long)]
    may_fork: bool,
}

/// Runs as a worker, if that is what the command line says.
pub fn main_if_worker() -> Option<ExitCode> {
    let mut args = std::env::args_os();
    let program = args.next()?;
    if args.next()? != SUBCOMMAND {
        return None;
    }
    let args = Args::parse_from(std::iter::once(program).chain(args));
    match serve(args) {
        // Not a return: the plugin's exit handlers are none of ours.
        // SAFETY: ends the process, which has nothing left to do.
        Ok(()) => unsafe { libc::_exit(0) },
        Err(error) => {
            eprintln!("the worker cannot go on: {error}");
            Some(ExitCode::FAILURE)
        }
    }
}

/// Answers requests until the coordinator goes away.
fn serve(args: Args) -> io::Result<()> {
    if args.count_heap {
        heap::preload()?;
    }
    let (mut requests, mut responses) = stdio::take()?;
    let page = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&args.progress)?;
    let mut worker = Worker::new(args.plugin, Progress::open(&page)?, args.core);
    if let Some(memory_bytes) = args.memory_bytes {
        let warnings = sandbox::enter(&args.folder, memory_bytes, args.may_fork);
        worker.warnings.extend(warnings);
    }
    while let Some(request) = protocol::receive(&mut requests)? {
        let response = worker.answer(request).unwrap_or_else(Response::Failed);
        protocol::send(&mut responses, &response)?;
    }
    // Instances are not closed: whoever went away wants nothing more of them.
    std::mem::forget(worker);
    Ok(())
}

struct Worker {
    path: PathBuf,
    progress: Progress,
    core: Option<usize>,
    warnings: Vec<String>,
    plugin: Option<Plugin>,
    timer: Option<AnyTimer>,
    instances: HashMap<Slot, Instance>,
    owns_code: bool,
}

impl Worker {
    fn new(path: PathBuf, progress: Progress, core: Option<usize>) -> Self {
        let mut warnings = Vec::new();
        let core = core.filter(|core| match pin(*core) {
            Ok(()) => true,
            Err(why) => {
                warnings.push(format!(
                    "cannot stay on core {core} ({why}): times spread more; allow the process to \
                     set its affinity, or choose a core that it may use"
                ));
                false
            }
        });
        Self {
            path,
            progress,
            core,
            warnings,
            plugin: None,
            timer: None,
            instances: HashMap::new(),
            owns_code: false,
        }
    }

    fn answer(&mut self, request: Request) -> Result<Response, Failure> {
        match request {
            Request::Describe => {
                let plugin = self.plugin()?;
                Ok(Response::Described(plugin.info.clone()))
            }
            Request::Probe => Ok(Response::Probed(self.instruments())),
            Request::Open {
                slot,
                codec,
                dataset,
                mode,
            } => {
                self.plugin()?;
                self.own_code();
                let plugin = self.plugin.as_ref().expect("just loaded");
                self.progress.stage(Stage::Open);
                let instance = Instance::open(plugin, &codec, &dataset, mode)?;
                self.keep(slot, instance)
            }
            Request::Verify { slot, spool } => {
                let instance = self
                    .instances
                    .get_mut(&slot)
                    .ok_or_else(|| misuse(Stage::Serialize, slot, "is not open"))?;
                verify::verify(instance, &self.progress, spool.as_deref()).map(Response::Verified)
            }
            Request::Slice {
                slot,
                op,
                warmup_ns,
                measure_ns,
                batch,
                patience_ns,
                undisturbed_ps,
            } => {
                let length = Length {
                    warmup_ns,
                    measure_ns,
                    batch,
                    patience_ns,
                    undisturbed_ps,
                };
                self.slice(slot, op, length).map(Response::Measured)
            }
            Request::OpenZstd {
                slot,
                level,
                path,
                sizes,
            } => {
                self.own_code();
                self.progress.stage(Stage::Open);
                let instance = Instance::open_zstd(level, &path, &sizes)?;
                self.keep(slot, instance)
            }
            Request::CountHeap { slot, op } => self.count_heap(slot, op).map(Response::HeapCounted),
            Request::Close { slot } => {
                self.progress.stage(Stage::Close);
                match self.instances.remove(&slot) {
                    Some(_) => Ok(Response::Closed),
                    None => Err(misuse(Stage::Close, slot, "is not open")),
                }
            }
            Request::Inspect => check::inspect(|| self.plugin()).map(Response::Inspected),
            Request::Carry { codec, dataset } => {
                let bench = self.bench(&codec, &dataset)?;
                bench.carry().map(Response::Carried)
            }
            Request::Try {
                codec,
                dataset,
                trial,
            } => self.bench(&codec, &dataset)?.hold(trial),
            Request::Attack {
                codec,
                dataset,
                attack,
            } => {
                let bench = self.bench(&codec, &dataset)?;
                bench.attack(&attack).map(Response::Attacked)
            }
        }
    }

    /// The plugin, loaded once.
    fn plugin(&mut self) -> Result<&Plugin, Failure> {
        if self.plugin.is_none() {
            self.progress.stage(Stage::Load);
            let plugin = Plugin::load(&self.path).map_err(|e| Failure {
                kind: FailureKind::Error,
                stage: Stage::Load,
                value: None,
                message: e.to_string(),
            })?;
            self.progress.stage(Stage::Describe);
            self.plugin = Some(plugin);
        }
        Ok(self.plugin.as_ref().expect("just loaded"))
    }

    /// Makes the code this process's own, once something is to be timed.
    fn own_code(&mut self) {
        if !self.owns_code {
            pages::own_code();
            self.owns_code = true;
        }
    }

    fn bench<'a>(
        &'a mut self,
        codec: &str,
        dataset: &'a DatasetFile,
    ) -> Result<Bench<'a>, Failure> {
        self.plugin()?;
        let plugin = self.plugin.as_ref().expect("just loaded");
        Bench::new(plugin, codec, dataset, &self.progress)
    }

    fn keep(&mut self, slot: Slot, instance: Instance) -> Result<Response, Failure> {
        match self.instances.entry(slot) {
            Entry::Occupied(_) => Err(misuse(Stage::Open, slot, "is in use")),
            Entry::Vacant(place) => {
                let note = instance.note.clone();
                place.insert(instance);
                Ok(Response::Opened { note })
            }
        }
    }

    fn count_heap(&mut self, slot: Slot, op: Op) -> Result<HeapUse, Failure> {
        let stage = Stage::from(op);
        let counters = Counters::find()
            .ok_or_else(|| misuse(stage, slot, "is in a worker that does not count"))?;
        let instance = self
            .instances
            .get(&slot)
            .ok_or_else(|| misuse(stage, slot, "is not open"))?;
        let arena = instance
            .arena
            .as_ref()
            .ok_or_else(|| misuse(stage, slot, "has not been verified"))?;
        let plugin = self
            .plugin
            .as_ref()
            .ok_or_else(|| misuse(stage, slot, "is not of a plugin"))?;
        self.progress.stage(Stage::Open);
        let fresh = instance.fresh(plugin)?;
        heap::count(counters, &fresh, arena.inputs(), op, &self.progress)
            .map_err(|fault| fresh.calls.failure(fault.status, fault.stage, fault.value))
    }

    fn slice(&mut self, slot: Slot, op: Op, length: Length) -> Result<Slice, Failure> {
        let stage = Stage::from(op);
        let instance = self
            .instances
            .get_mut(&slot)
            .ok_or_else(|| misuse(stage, slot, "is not open"))?;
        let timed = instance
            .timed(op)
            .ok_or_else(|| misuse(stage, slot, "has not been verified"))?;
        let timer = self.timer.get_or_insert_with(AnyTimer::find);
        timer
            .slice(op, timed, length, &self.progress)
            .map_err(|error| match error {
                SliceError::Fault(fault) => {
                    instance
                        .calls
                        .failure(fault.status, fault.stage, fault.value)
                }
                SliceError::Clock => Failure {
                    kind: FailureKind::Error,
                    stage,
                    value: None,
                    message: "the clock stepped back in every recording; keep other programs from \
                              setting it, or use a machine with an invariant counter"
                        .to_owned(),
                },
            })
    }

    fn instruments(&mut self) -> Instruments {
        let timer = self.timer.get_or_insert_with(AnyTimer::find);
        let (clock, tick_ps, cost_ticks) = match timer {
            #[cfg(target_arch = "x86_64")]
            AnyTimer::Tsc(timer) => ("tsc", timer.clock.tick_ps(), timer.cost_ticks),
            AnyTimer::Monotonic(timer, _) => ("monotonic", timer.clock.tick_ps(), timer.cost_ticks),
        };
        let mut warnings = self.warnings.clone();
        if let AnyTimer::Monotonic(_, why) = timer {
            warnings.push(format!(
                "no invariant time stamp counter ({why}): the system's clock is used, which takes \
                 longer to read, so more calls are timed in batches"
            ));
        }
        Instruments {
            clock: clock.to_owned(),
            clock_cost_ps: (cost_ticks * tick_ps).round() as u64,
            tick_ps,
            core: self.core,
            warnings,
        }
    }
}

/// The timer on the best clock there is; the loop is compiled once for each.
enum AnyTimer {
    #[cfg(target_arch = "x86_64")]
    Tsc(Timer<Tsc>),
    Monotonic(Timer<Monotonic>, &'static str),
}

impl AnyTimer {
    fn find() -> Self {
        match BestClock::find() {
            #[cfg(target_arch = "x86_64")]
            BestClock::Tsc(clock) => Self::Tsc(Timer::new(clock)),
            BestClock::Monotonic(clock, why) => Self::Monotonic(Timer::new(clock), why),
        }
    }

    fn slice(
        &mut self,
        op: Op,
        timed: slice::Timed<'_>,
        length: Length,
        progress: &Progress,
    ) -> Result<Slice, SliceError> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Tsc(timer) => timer.slice(op, timed, length, progress),
            Self::Monotonic(timer, _) => timer.slice(op, timed, length, progress),
        }
    }
}

/// Keeps this process on one core.
fn pin(core: usize) -> nix::Result<()> {
    let mut cores = CpuSet::new();
    cores.set(core)?;
    sched_setaffinity(Pid::from_raw(0), &cores)
}

/// The coordinator asked for what it should not have.
fn misuse(stage: Stage, slot: Slot, what: &str) -> Failure {
    Failure {
        kind: FailureKind::Error,
        stage,
        value: None,
        message: format!("slot {slot} {what}"),
    }
}
