//! Which core the workers run on.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// Picks a core for the workers, and keeps this process off it. None where there is only one core,
/// or none may be picked; the measurement then goes on unpinned.
pub fn reserve() -> Option<usize> {
    let this = Pid::from_raw(0);
    let mut cores = sched_getaffinity(this).ok()?;
    let allowed = (0..CpuSet::count())
        .filter(|core| cores.is_set(*core).unwrap_or(false))
        .collect::<Vec<_>>();
    // The first core serves most interrupts, so the last one is the quieter.
    let [.., _, last] = allowed.as_slice() else {
        return None;
    };
    cores.unset(*last).ok()?;
    sched_setaffinity(this, &cores).ok()?;
    Some(*last)
}
