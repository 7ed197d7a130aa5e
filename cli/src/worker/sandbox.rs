//! What no codec needs is taken from a worker before it loads its plugin: the network, other
//! processes, writing outside a folder of its own, and more memory than the machine has to spare.
//!
//! This keeps a faulty or careless plugin from hurting the machine, and stands in the way of a
//! hostile one; it does not make it safe to load code that is not trusted at all.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether this process may fork, and its copies have to be shut in further.
static MAY_FORK: AtomicBool = AtomicBool::new(false);

/// Shuts this process in. What the system has no means for is in the warnings. One that may fork
/// makes copies of itself, which call [`enter_copy`].
#[cfg(target_os = "linux")]
pub fn enter(folder: &Path, memory_bytes: u64, may_fork: bool) -> Vec<String> {
    MAY_FORK.store(may_fork, Relaxed);
    let steps = [
        (linux::limit_memory(memory_bytes), "memory"),
        (linux::limit_writing(folder), "files"),
        (linux::limit_calls(may_fork), "network and processes"),
    ];
    let failed = steps
        .into_iter()
        .filter_map(|(result, of)| Some((result.err()?, of)));
    failed
        .map(|(why, of)| {
            format!(
                "plugins are not kept from the machine's {of} ({why}): run only those that you \
                 trust; --no-sandbox does without this on purpose"
            )
        })
        .collect()
}

/// Takes from a copy what its origin needed to make it. Its origin has told what the system has no
/// means for.
#[cfg(target_os = "linux")]
pub fn enter_copy() {
    if MAY_FORK.load(Relaxed) {
        let _ = linux::limit_calls(false);
    }
}

/// Shuts this process in, where the system has means for it.
#[cfg(not(target_os = "linux"))]
pub fn enter(_: &Path, _: u64, _: bool) -> Vec<String> {
    vec!["plugins are not kept in a sandbox on this system: run only those that you trust".into()]
}

/// There is nothing to take.
#[cfg(not(target_os = "linux"))]
pub fn enter_copy() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::error::Error;
    use std::path::Path;

    use landlock::{
        ABI, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    };
    use nix::sys::resource::{Resource, setrlimit};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, sock_filter,
    };

    type Result<T> = std::result::Result<T, Box<dyn Error>>;

    /// What the plugin itself may take; what is mapped from files does not count.
    pub fn limit_memory(bytes: u64) -> Result<()> {
        Ok(setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?)
    }

    /// Nothing is written, made, moved or removed outside the folder. Everything may be read.
    pub fn limit_writing(folder: &Path) -> Result<()> {
        // The newest of what the kernel has is taken, as far as it goes.
        let writing = AccessFs::from_write(ABI::V5);
        let status = Ruleset::default()
            .handle_access(writing)?
            .create()?
            .add_rule(PathBeneath::new(PathFd::new(folder)?, writing))?
            .add_rule(PathBeneath::new(
                PathFd::new("/dev/null")?,
                AccessFs::WriteFile,
            ))?
            .restrict_self()?;
        match status.ruleset {
            RulesetStatus::NotEnforced => Err("the kernel has no Landlock".into()),
            _ => Ok(()),
        }
    }

    /// No sockets, no other programs, and no hand on other processes. Threads are allowed, and new
    /// processes only to the host itself.
    pub fn limit_calls(may_fork: bool) -> Result<()> {
        let mut refused = BTreeMap::new();
        for call in [
            libc::SYS_socket,
            libc::SYS_io_uring_setup,
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_pidfd_open,
        ] {
            refused.insert(call, Vec::new());
        }
        if may_fork {
            return install(&filter(refused, libc::EPERM)?);
        }
        #[cfg(target_arch = "x86_64")]
        for call in [libc::SYS_fork, libc::SYS_vfork] {
            refused.insert(call, Vec::new());
        }
        let thread = u64::try_from(libc::CLONE_THREAD)?;
        let new_process = condition(0, SeccompCmpOp::MaskedEq(thread), 0)?;
        refused.insert(libc::SYS_clone, vec![SeccompRule::new(vec![new_process])?]);
        let own = u64::from(std::process::id());
        for signal in [libc::SYS_kill, libc::SYS_tgkill] {
            let another = condition(0, SeccompCmpOp::Ne, own)?;
            refused.insert(signal, vec![SeccompRule::new(vec![another])?]);
        }
        install(&filter(refused, libc::EPERM)?)?;
        // Its flags are in memory, out of a filter's sight. The C library turns to `clone` then.
        let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        install(&filter(clone3, libc::ENOSYS)?)
    }

    fn condition(argument: u8, op: SeccompCmpOp, value: u64) -> Result<SeccompCondition> {
        let length = SeccompCmpArgLen::Dword;
        Ok(SeccompCondition::new(argument, length, op, value)?)
    }

    fn filter(refused: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<BpfProgram> {
        let answer = SeccompAction::Errno(errno as u32);
        let arch = std::env::consts::ARCH.try_into()?;
        Ok(SeccompFilter::new(refused, SeccompAction::Allow, answer, arch)?.try_into()?)
    }

    /// Without the crate's own way: that one has the processor guess less from then on (on kernels
    /// before 5.16), and what is measured would be slower than outside.
    fn install(program: &[sock_filter]) -> Result<()> {
        let program = libc::sock_fprog {
            len: u16::try_from(program.len())?,
            filter: program.as_ptr().cast_mut().cast(),
        };
        // SAFETY: plain system calls; the kernel copies the program, which outlives them, and has
        // the layout that the kernel defines.
        let status = unsafe {
            match libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) {
                0 => libc::syscall(
                    libc::SYS_seccomp,
                    libc::SECCOMP_SET_MODE_FILTER,
                    libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                    &raw const program,
                ),
                failed => i64::from(failed),
            }
        };
        match status {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error().into()),
        }
    }
}
