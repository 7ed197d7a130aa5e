//! Attempts that may end the process: made in forked copies of it, one after another in the same
//! copy for as long as it lives. A new process for each death would have to load the plugin anew.

use std::cell::UnsafeCell;
use std::io;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork, pipe};

use crate::worker::heap::Counters;
use crate::worker::sandbox;

/// A call that takes this long hangs: the inputs are short, and good ones take far less.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a silent copy is looked after; its death is noticed at once.
const TICK: Duration = Duration::from_millis(20);
/// How far below the stack lies what is first touched when it has run out.
const BELOW_STACK: u64 = 1 << 20;
/// The exit code of a copy in which the host itself went wrong.
const OWN_FAULT: i32 = 101;

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With this answer, and perhaps words.
    Answered(u8, Option<String>),
    /// With the process.
    Died(Death),
}

/// What is known of the end of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    pub cause: Cause,
    /// The address that could not be touched.
    pub address: Option<u64>,
    /// The size of the largest request to the heap, also one in vain.
    pub largest: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Signal(Signal),
    Exit(i32),
    Hung,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Signal(signal) => write!(f, "killed by {signal}"),
            Self::Exit(code) => write!(f, "exited with code {code}"),
            Self::Hung => write!(f, "twice did not return within {} s", PATIENCE.as_secs()),
        }
    }
}

/// Makes `count` attempts apart, in copies that may map `memory` bytes more than there are. `attempt`
/// runs in a copy and gives an answer other than zero; `seen` is told here, in order, how each ended,
/// and may call the rest off. An attempt that hangs is made again, in another copy, and hangs if it
/// does so twice: the machine may have stood still, and a copy lacks the threads of the plugin, for
/// which its library may wait now and then.
pub fn run(
    count: usize,
    memory: u64,
    counters: Option<&Counters>,
    mut attempt: impl FnMut(usize, &Notes) -> u8,
    mut seen: impl FnMut(usize, Ended) -> ControlFlow<()>,
) -> io::Result<()> {
    let notes = Notes::new(count)?;
    let mut next = 0;
    let mut repeated = None;
    while next < count {
        notes.begin(next);
        let (alive, held) = pipe()?;
        // SAFETY: the host has one thread, so that nothing of its own is missing in the copy.
        let child = match unsafe { fork() }? {
            ForkResult::Child => {
                drop(alive);
                let made = catch_unwind(AssertUnwindSafe(|| {
                    prepare(&notes, memory, counters)?;
                    for number in next..count {
                        notes.begin(number);
                        notes.answers()[number].store(attempt(number, &notes), Relaxed);
                    }
                    notes.begin(count);
                    Ok::<_, io::Error>(())
                }));
                let code = if matches!(made, Ok(Ok(()))) {
                    0
                } else {
                    OWN_FAULT
                };
                // SAFETY: ends the copy; what the plugin wants to do at exit is none of ours.
                unsafe { libc::_exit(code) }
            }
            ForkResult::Parent { child } => child,
        };
        drop(held);
        let cause = wait(child, &alive, &notes)?;
        let reached = notes.current().min(count);
        for number in next..reached {
            let answer = notes.answers()[number].load(Relaxed);
            if seen(number, Ended::Answered(answer, notes.words_of(number))).is_break() {
                return Ok(());
            }
        }
        next = reached;
        if next < count {
            if cause == Cause::Exit(OWN_FAULT) {
                return Err(io::Error::other("the forked worker could not go on"));
            }
            if cause == Cause::Hung && repeated.replace(next) != Some(next) {
                continue;
            }
            let death = notes.death(cause);
            if seen(next, Ended::Died(death)).is_break() {
                return Ok(());
            }
            next += 1;
        }
    }
    Ok(())
}

/// Waits for the end of the copy, and ends one that hangs.
fn wait(child: Pid, alive: &impl AsFd, notes: &Notes) -> io::Result<Cause> {
    let mut since = (notes.current(), Instant::now());
    loop {
        match waitpid(child, Some(WaitPidFlag::WNOHANG))? {
            WaitStatus::Exited(_, code) => return Ok(Cause::Exit(code)),
            WaitStatus::Signaled(_, signal, _) => return Ok(Cause::Signal(signal)),
            _ => {}
        }
        // Nothing is ever written: the pipe tells of the end.
        let mut fds = [PollFd::new(alive.as_fd(), PollFlags::POLLIN)];
        let _ = poll(
            &mut fds,
            PollTimeout::try_from(TICK).unwrap_or(PollTimeout::MAX),
        );
        if notes.current() != since.0 {
            since = (notes.current(), Instant::now());
        } else if since.1.elapsed() >= PATIENCE {
            let _ = nix::sys::signal::kill(child, Signal::SIGKILL);
            waitpid(child, None)?;
            return Ok(Cause::Hung);
        }
    }
}

/// What a copy does before its first attempt.
fn prepare(notes: &Notes, memory: u64, counters: Option<&Counters>) -> io::Result<()> {
    // SAFETY: a plain setting: the copy ends with the worker.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    sandbox::enter_copy();
    let (_, most) = getrlimit(Resource::RLIMIT_AS)?;
    let limit = most.min(super::mapped().saturating_add(memory));
    setrlimit(Resource::RLIMIT_AS, limit, most)?;
    if let Some(counters) = counters {
        counters.note_largest(&notes.page().largest);
    }
    FAULT.store(
        std::ptr::from_ref(&notes.page().address).cast_mut(),
        Relaxed,
    );
    note_faults()
}

/// Where the handler notes the address of a fault.
static FAULT: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());

/// Has the address of a fault noted before the copy dies of it.
fn note_faults() -> io::Result<()> {
    extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the kernel hands over `info`; the place is in memory that outlives the copy.
        // With the default action back in force, the fault is repeated, and ends the copy.
        unsafe {
            if let Some(place) = FAULT.load(Relaxed).as_ref() {
                place.store((*info).si_addr() as u64, Relaxed);
            }
            libc::signal(signal, libc::SIG_DFL);
        }
    }
    // The stack may be what has run out. The copy needs it until its end.
    let stack: &'static mut [u8] = Box::leak(vec![0; 4 * libc::SIGSTKSZ].into_boxed_slice());
    let stack = libc::stack_t {
        ss_sp: stack.as_mut_ptr().cast(),
        ss_flags: 0,
        ss_size: stack.len(),
    };
    // SAFETY: the stack lives as long as the copy, and the handler does only what handlers may.
    let status = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_fault as extern "C" fn(_, _, _) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaltstack(&raw const stack, std::ptr::null_mut())
            | libc::sigaction(libc::SIGSEGV, &raw const action, std::ptr::null_mut())
            | libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut())
    };
    match status {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a fault at this address says that the stack of this thread, which is the one that makes the
/// attempts, could not grow any more: nothing else there cannot be touched.
pub fn is_stack(address: u64) -> bool {
    let (mut start, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialized by the first call, and freed by the last.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return false;
        }
        libc::pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
    }
    let start = start as u64;
    (start.saturating_sub(BELOW_STACK)..start + size as u64).contains(&address)
}

/// What a copy leaves behind: memory that it shares with the worker.
pub struct Notes {
    memory: NonNull<Page>,
    count: usize,
    size: usize,
}

/// The most words that are kept.
const WORDS: usize = 1024;

#[repr(C)]
struct Page {
    /// The attempt that is being made.
    current: AtomicU64,
    address: AtomicU64,
    largest: AtomicU64,
    /// The attempt that the words are about, plus one.
    spoken_by: AtomicU64,
    length: AtomicU64,
    words: UnsafeCell<[u8; WORDS]>,
}

impl Notes {
    fn new(count: usize) -> io::Result<Self> {
        let size = size_of::<Page>() + count;
        // SAFETY: a new mapping, zero and shared with the copies.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self {
            memory: NonNull::new(memory.cast()).expect("a mapping is nowhere at zero"),
            count,
            size,
        })
    }

    /// Keeps the words of an attempt, unless there are some already.
    pub fn say(&self, number: usize, words: &str) {
        let page = self.page();
        if page.spoken_by.load(Relaxed) != 0 {
            return;
        }
        let mut length = words.len().min(WORDS);
        while !words.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: only one process at a time writes here, and the worker reads when it has ended.
        unsafe { (&mut *page.words.get())[..length].copy_from_slice(&words.as_bytes()[..length]) };
        page.length.store(length as u64, Relaxed);
        page.spoken_by.store(number as u64 + 1, Relaxed);
    }

    fn words_of(&self, number: usize) -> Option<String> {
        let page = self.page();
        (page.spoken_by.load(Relaxed) == number as u64 + 1).then(|| {
            let length = page.length.load(Relaxed) as usize;
            // SAFETY: as in `say`.
            let words = unsafe { &(&*page.words.get())[..length.min(WORDS)] };
            page.spoken_by.store(0, Relaxed);
            String::from_utf8_lossy(words).into_owned()
        })
    }

    fn begin(&self, number: usize) {
        let page = self.page();
        page.address.store(0, Relaxed);
        page.largest.store(0, Relaxed);
        page.current.store(number as u64, Relaxed);
    }

    /// The size of the largest request to the heap since the attempt began.
    pub fn largest(&self) -> u64 {
        self.page().largest.load(Relaxed)
    }

    fn current(&self) -> usize {
        self.page().current.load(Relaxed) as usize
    }

    fn death(&self, cause: Cause) -> Death {
        let address = self.page().address.load(Relaxed);
        Death {
            cause,
            address: (address != 0).then_some(address),
            largest: self.largest(),
        }
    }

    /// For the copies, which end before the mapping does, it is there for ever.
    fn page(&self) -> &'static Page {
        // SAFETY: the mapping begins with a page of these, which zero bytes are.
        unsafe { self.memory.as_ref() }
    }

    fn answers(&self) -> &[AtomicU8] {
        // SAFETY: so many bytes stand behind the page.
        unsafe {
            let first = self.memory.as_ptr().add(1).cast::<AtomicU8>();
            std::slice::from_raw_parts(first, self.count)
        }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        // SAFETY: our own mapping, of which nothing is used any more.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deeper than any stack.
    fn descend(depth: u64) -> u64 {
        let room = std::hint::black_box([depth; 64]);
        match room[0] {
            u64::MAX => 0,
            _ => descend(depth + 1) + room[1],
        }
    }

    #[test]
    fn what_hangs_once_does_not_hang() {
        let shared = Notes::new(0).unwrap();
        let tries = &shared.page().length;
        let mut ends = Vec::new();
        run(
            3,
            1 << 30,
            None,
            |number, _| {
                let hangs = number == 2 || number == 1 && tries.fetch_add(1, Relaxed) == 0;
                if hangs {
                    loop {
                        std::thread::park();
                    }
                }
                7
            },
            |_, ended| {
                ends.push(ended);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        let answered = Ended::Answered(7, None);
        assert_eq!(ends[..2], [answered.clone(), answered]);
        assert!(matches!(&ends[2], Ended::Died(death) if death.cause == Cause::Hung));
        assert_eq!(tries.load(Relaxed), 2);
    }

    #[test]
    fn each_attempt_is_told_of_however_it_ends() {
        let mut ends = Vec::new();
        let mut pages = crate::worker::check::Guarded::new(1).unwrap();
        let last = pages.place_exactly(&[1]).unwrap();
        let behind = last.data.wrapping_add(1) as usize;
        run(
            7,
            1 << 30,
            None,
            |number, notes| {
                match number {
                    1 => std::process::abort(),
                    2 => notes.say(2, "three"),
                    // SAFETY: none; that the process dies of it is what is tested.
                    3 => _ = unsafe { (behind as *const u8).read_volatile() },
                    4 => unsafe { libc::_exit(7) },
                    5 => _ = descend(0),
                    _ => {}
                }
                number as u8 + 1
            },
            |number, ended| {
                assert_eq!(number, ends.len());
                ends.push(ended);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert_eq!(ends[0], Ended::Answered(1, None));
        assert_eq!(ends[2], Ended::Answered(3, Some("three".to_owned())));
        assert_eq!(ends[6], Ended::Answered(7, None));
        let died = |number: usize| match &ends[number] {
            Ended::Died(death) => death.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(died(1).cause, Cause::Signal(Signal::SIGABRT));
        assert_eq!(died(3).cause, Cause::Signal(Signal::SIGSEGV));
        assert_eq!(died(3).address, Some(behind as u64));
        assert_eq!(died(4).cause, Cause::Exit(7));
        assert_eq!(died(5).cause, Cause::Signal(Signal::SIGSEGV));
        assert!(died(5).address.is_some_and(is_stack));
        // Not `behind`: this thread's stack lies among what else is mapped, unlike a worker's.
        assert!(!is_stack(std::ptr::from_ref(&PATIENCE) as u64));
    }
}
