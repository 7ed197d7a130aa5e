//! Takes the standard streams away from the plugin: it reads nothing, and what it prints goes to
//! the coordinator's record of its output.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use nix::fcntl::{FcntlArg, fcntl};
use nix::sys::resource::{Resource, setrlimit};

/// Where the pipes to the coordinator are put: out of the way of a plugin that guesses.
const FIRST_FD: RawFd = 100;

/// Moves the pipes of requests and responses aside, and leaves the plugin `/dev/null` to read from
/// and the pipe of stderr to print to.
pub fn take() -> io::Result<(File, File)> {
    // A crash is reported by the coordinator; a core file of it would only fill the disk.
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    let requests = aside(io::stdin())?;
    let responses = aside(io::stdout())?;
    let null = File::open("/dev/null")?;
    nix::unistd::dup2_stdin(&null)?;
    nix::unistd::dup2_stdout(io::stderr())?;
    end_with_coordinator(requests.as_raw_fd())?;
    Ok((requests, responses))
}

/// A duplicate of a standard stream, closed when the plugin starts another program.
fn aside(stream: impl std::os::fd::AsFd) -> io::Result<File> {
    let fd = fcntl(stream, FcntlArg::F_DUPFD_CLOEXEC(FIRST_FD))?;
    // SAFETY: fcntl has just made it for us.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// The pipe of requests, for the signal handler.
static REQUESTS: AtomicI32 = AtomicI32::new(-1);

/// Sees to it that the worker ends with the coordinator, also in the middle of a call that never
/// returns. The kernel raises SIGIO when something happens on the pipe of requests: that is a
/// request, which comes only when none is being worked on, or the end of the coordinator. A
/// watching thread would do as well, but would make every lock in the process dearer.
fn end_with_coordinator(requests: RawFd) -> io::Result<()> {
    extern "C" fn on_change(_: libc::c_int) {
        let mut pipe = libc::pollfd {
            fd: REQUESTS.load(Relaxed),
            events: 0,
            revents: 0,
        };
        // SAFETY: both calls are allowed in a signal handler; a hang-up is always reported.
        unsafe {
            if libc::poll(&raw mut pipe, 1, 0) == 1 && pipe.revents & libc::POLLHUP != 0 {
                libc::_exit(0);
            }
        }
    }
    REQUESTS.store(requests, Relaxed);
    // SAFETY: the handler does only what handlers may; the rest are plain settings of our pipe.
    let status = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_change as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGIO, &raw const action, std::ptr::null_mut())
            | libc::fcntl(requests, libc::F_SETOWN, libc::getpid())
            | libc::fcntl(requests, libc::F_SETFL, libc::O_ASYNC)
    };
    if status < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
