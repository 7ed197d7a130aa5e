//! Which core the workers run on.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// The core for the workers, and what the user must know of it.
pub struct Reserved {
    /// None where no core may be picked; the measurement then goes on unpinned.
    pub core: Option<usize>,
    /// What is not as it should be.
    pub warning: Option<String>,
}

/// Picks a core for the workers, and keeps this process off it where there is another.
pub fn reserve() -> Reserved {
    try_to_reserve().unwrap_or_else(|error| Reserved {
        core: None,
        warning: Some(format!(
            "cannot set a core apart for the workers ({error}): they are not pinned, and times \
             spread more; allow the process to set its affinity"
        )),
    })
}

fn try_to_reserve() -> nix::Result<Reserved> {
    let this = Pid::from_raw(0);
    let mut cores = sched_getaffinity(this)?;
    let allowed = (0..CpuSet::count())
        .filter(|core| cores.is_set(*core).unwrap_or(false))
        .collect::<Vec<_>>();
    if let [only] = allowed.as_slice() {
        return Ok(Reserved {
            core: Some(*only),
            warning: Some(format!(
                "there is only core {only} to run on, which the workers share with everything \
                 else: times spread more; allow a second core"
            )),
        });
    }
    // The first core serves most interrupts, so the last one is the quieter.
    if let Some(last) = allowed.last() {
        cores.unset(*last)?;
        sched_setaffinity(this, &cores)?;
    }
    Ok(Reserved {
        core: allowed.last().copied(),
        warning: None,
    })
}
