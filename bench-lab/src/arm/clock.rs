//! Processor time of a living process, and whether it works at this moment.

use std::fs;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

/// The processor-time clock of one process: all its threads, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct ProcessClock {
    pid: Pid,
    id: ClockId,
}

/// A reading of a [`ProcessClock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Processor time in nanoseconds.
    pub ns: u64,
    /// Taken while no thread of the process was running. Otherwise it may be up to one tick old: the
    /// kernel accounts a thread that runs elsewhere only at ticks and switches.
    pub settled: bool,
}

impl ProcessClock {
    /// The clock of `pid`.
    pub fn of(pid: Pid) -> nix::Result<ProcessClock> {
        Ok(ProcessClock { pid, id: ClockId::pid_cpu_clock_id(pid)? })
    }

    /// Reads the clock as it stands.
    pub fn now(&self) -> nix::Result<u64> {
        let time = clock_gettime(self.id)?;
        Ok(time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64)
    }

    /// Reads the clock once no thread of the process runs, waiting for that at most `limit`.
    pub fn settled(&self, limit: Duration) -> nix::Result<Reading> {
        let until = Instant::now() + limit;
        loop {
            if self.at_rest() {
                let ns = self.now()?;
                // A thread shows as sleeping a moment before the kernel has accounted its last stretch.
                if self.at_rest() && self.now()? == ns {
                    return Ok(Reading { ns, settled: true });
                }
            }
            if Instant::now() >= until {
                return Ok(Reading { ns: self.now()?, settled: false });
            }
        }
    }

    /// Whether no thread of the process is running or wants to.
    pub fn at_rest(&self) -> bool {
        states(self.pid).is_some_and(|mut states| states.all(|state| state != Some(b'R')))
    }

    /// Whether every thread of the process is stopped by a signal.
    pub fn is_stopped(&self) -> bool {
        states(self.pid).is_some_and(|mut states| states.all(|state| matches!(state, Some(b'T' | b'Z'))))
    }
}

/// The state letter of every thread; `None` for a thread that ended meanwhile.
fn states(pid: Pid) -> Option<impl Iterator<Item = Option<u8>>> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    Some(tasks.flatten().map(|task| {
        let stat = fs::read(task.path().join("stat")).ok()?;
        // The name in parentheses may hold anything, parentheses too.
        let name_end = stat.iter().rposition(|&byte| byte == b')')?;
        stat.get(name_end + 2).copied()
    }))
}
