//! What an op takes from the heap, counted by a library that is preloaded into a worker of its own:
//! the workers that are timed run on the allocator as it is.

use std::ffi::c_char;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64, Ordering::Relaxed};

use nix::sys::memfd::{MFdFlags, memfd_create};
use serbench_plugin::abi;

use super::instance::Instance;
use super::progress::Progress;
use super::slice::{Fault, TimedOp};
use crate::protocol::{HeapUse, Op, Stage};

/// The library to preload.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/serbench_heap.so"));

/// The variable by which the dynamic linker is told to load it first.
const PRELOAD: &str = "LD_PRELOAD";

/// Starts this program once more in its own place, with the library preloaded; returns when that
/// has been done. The library is handed over in memory: a temporary folder may forbid to run what
/// is in it, or have a name that the variable cannot hold.
pub fn preload() -> io::Result<()> {
    if Counters::find().is_some() {
        // SAFETY: the worker has one thread. Programs that a plugin starts are not ours to count.
        unsafe { std::env::remove_var(PRELOAD) };
        return Ok(());
    }
    if std::env::var_os(PRELOAD).is_some() {
        return Err(io::Error::other(format!(
            "the dynamic linker does not heed {PRELOAD}, or it is in use; unset it"
        )));
    }
    let memory = memfd_create("serbench_heap", MFdFlags::empty())?;
    let mut memory = File::from(memory);
    memory.write_all(LIBRARY)?;
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    Err(Command::new(std::env::current_exe()?)
        .arg0(name)
        .args(arguments)
        .env(PRELOAD, format!("/proc/self/fd/{}", memory.as_raw_fd()))
        .exec())
}

/// The counters of the library; `struct counters` in count.c.
#[repr(C)]
#[derive(Debug)]
pub struct Counters {
    allocations: AtomicU64,
    bytes: AtomicU64,
    live: AtomicI64,
    peak: AtomicI64,
    largest: AtomicPtr<AtomicU64>,
}

impl Counters {
    /// The counters of this process, if the library was preloaded.
    pub fn find() -> Option<&'static Self> {
        const NAME: *const c_char = c"serbench_heap".as_ptr();
        // SAFETY: the name is a string; the library's symbol of this name is a `Counters` that
        // lives as long as the process.
        unsafe {
            libc::dlsym(libc::RTLD_DEFAULT, NAME)
                .cast::<Self>()
                .as_ref()
        }
    }

    /// How many bytes are held.
    pub fn live(&self) -> i64 {
        self.live.load(Relaxed)
    }

    /// Starts to look for the most that is held at a time; answers what is held now.
    pub fn reset_peak(&self) -> i64 {
        let live = self.live();
        self.peak.store(live, Relaxed);
        live
    }

    /// The most that was held at a time since then.
    pub fn peak(&self) -> i64 {
        self.peak.load(Relaxed)
    }

    /// From here on the size of the largest request, also one in vain, is noted there.
    pub fn note_largest(&self, place: &'static AtomicU64) {
        self.largest
            .store(std::ptr::from_ref(place).cast_mut(), Relaxed);
    }
}

/// Counts what `op` takes on `instance`, which must be freshly opened. A first pass over the values
/// fills what the codec keeps from call to call; the second is counted.
///
/// The peak is the most that is held at a time during a call, beyond what the opened instance
/// held; for `read`, beyond what was held before the call.
pub fn count(
    counters: &Counters,
    instance: &Instance,
    inputs: &[abi::Bytes],
    op: Op,
    progress: &Progress,
) -> Result<HeapUse, Fault> {
    let calls = &instance.calls;
    let timed = TimedOp::of(op, calls);
    let opened = counters.live();
    let mut usage = HeapUse::default();
    for counted in [false, true] {
        for value in 0..inputs.len() {
            progress.value(Stage::from(op), value);
            (timed.prepare)(calls, inputs, value)?;
            let before = counters.live();
            let allocations = counters.allocations.load(Relaxed);
            let bytes = counters.bytes.load(Relaxed);
            counters.peak.store(before, Relaxed);
            (timed.span)(calls, inputs, value, 1)?;
            if counted {
                let base = if op == Op::Read { before } else { opened };
                let peak = (counters.peak.load(Relaxed) - base).max(0);
                usage.calls += 1;
                usage.allocations += counters.allocations.load(Relaxed) - allocations;
                usage.bytes += counters.bytes.load(Relaxed) - bytes;
                usage.peak_bytes = usage.peak_bytes.max(peak.unsigned_abs());
            }
        }
    }
    Ok(usage)
}
