//! Which core the lab itself runs on while arms are measured.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::prctl::set_timerslack;
use nix::unistd::Pid;

use crate::fault::Fault;

/// Whether this process may run on `core`, and whether there is another one for the lab itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Arms can be pinned to the core.
    pub arms: bool,
    /// The lab has another core, so that it does not disturb the arms.
    pub lab: bool,
}

/// Looks at the cores that this process may use.
pub fn room(core: usize) -> Result<Room, Fault> {
    let allowed = allowed()?;
    Ok(Room { arms: has(&allowed, core), lab: others(&allowed, &[core]).is_some() })
}

/// The cores that this process may use; none where the system does not tell.
pub fn usable() -> Vec<usize> {
    let allowed = allowed().unwrap_or_default();
    (0..CpuSet::count()).filter(|&core| has(&allowed, core)).collect()
}

/// Moves the calling thread away from `core`, where another one is free, and makes its timers exact. It goes to where
/// nothing is measured at all; else to the core of another of the lanes that are measured at once on `cores`.
pub(crate) fn leave(core: usize, cores: &[usize]) -> Result<(), Fault> {
    let allowed = allowed()?;
    if !has(&allowed, core) {
        return Err(Fault::Job(format!("core {core} is not among those that this process may use")));
    }
    if let Some(others) = others(&allowed, cores).or_else(|| others(&allowed, &[core])) {
        sched_setaffinity(this_thread(), &others)
            .map_err(Fault::system("cannot pin the measuring thread"))?;
    }
    set_timerslack(1).map_err(Fault::system("cannot set the timer slack"))
}

fn this_thread() -> Pid {
    Pid::from_raw(0)
}

fn allowed() -> Result<CpuSet, Fault> {
    sched_getaffinity(this_thread()).map_err(Fault::system("cannot read the allowed cores"))
}

fn has(cores: &CpuSet, core: usize) -> bool {
    cores.is_set(core).unwrap_or(false)
}

/// `allowed` without `cores`, unless that is empty.
fn others(allowed: &CpuSet, cores: &[usize]) -> Option<CpuSet> {
    let mut others = CpuSet::new();
    let mut any = false;
    for other in (0..CpuSet::count()).filter(|other| !cores.contains(other) && has(allowed, *other)) {
        any |= others.set(other).is_ok();
    }
    any.then_some(others)
}
