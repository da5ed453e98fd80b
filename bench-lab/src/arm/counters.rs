//! Hardware counters of one process, where the kernel offers them.

use std::fs;
use std::io;

use nix::unistd::Pid;
use perf_event::events::Hardware;
use perf_event::{Builder, Counter};
use protocol::record::Counters;

/// Cycles and instructions of all threads of a process, in user and kernel mode together.
pub struct ProcessCounters {
    cycles: Vec<Counter>,
    instructions: Vec<Counter>,
}

impl ProcessCounters {
    /// Counters of all threads that `pid` has, and of those they will start.
    pub fn of(pid: Pid) -> io::Result<ProcessCounters> {
        let mut counters = ProcessCounters { cycles: Vec::new(), instructions: Vec::new() };
        for task in fs::read_dir(format!("/proc/{pid}/task"))? {
            let name = task?.file_name();
            let Some(thread) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
            counters.cycles.push(counter(Hardware::CPU_CYCLES, thread)?);
            counters.instructions.push(counter(Hardware::INSTRUCTIONS, thread)?);
        }
        Ok(counters)
    }

    /// The counts since the start; `None` when the kernel had to share the counters with others, so that
    /// the counts are not whole.
    pub fn read(&mut self) -> Option<Counters> {
        Some(Counters { cycles: sum(&mut self.cycles)?, instructions: sum(&mut self.instructions)? })
    }
}

/// Whether this machine lets us count at all.
pub fn available() -> bool {
    ProcessCounters::of(Pid::this()).is_ok_and(|mut counters| counters.read().is_some())
}

fn counter(event: Hardware, thread: i32) -> io::Result<Counter> {
    let mut builder = Builder::new(event);
    builder.observe_pid(thread).any_cpu().inherit(true).include_kernel();
    let mut counter = builder.build()?;
    counter.enable()?;
    Ok(counter)
}

fn sum(counters: &mut [Counter]) -> Option<u64> {
    counters.iter_mut().try_fold(0, |sum, counter| {
        let reading = counter.read_count_and_time().ok()?;
        (reading.time_running == reading.time_enabled).then_some(sum + reading.count)
    })
}
