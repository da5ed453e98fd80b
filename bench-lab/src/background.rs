//! Work in the background: it takes only the processor time that nobody else wants.

use std::io;

use nix::libc::{SCHED_IDLE, sched_param, sched_setscheduler};

/// Lets the calling thread, and every thread and process that it starts from now on, stand back.
///
/// What is made ahead beside the starting of processes would else be a third party on every core: each
/// answer in a hand-shake would wait for a turn.
pub fn stand_back() -> io::Result<()> {
    let priority = sched_param { sched_priority: 0 };
    // SAFETY: a system call about the calling thread (0); it reads `priority`, which outlives it.
    match unsafe { sched_setscheduler(0, SCHED_IDLE, &priority) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    /// The scheduling policy in a text such as `/proc/self/stat`: the 41st field, counted behind the name.
    fn policy(stat: &str) -> i32 {
        let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
        fields.split_whitespace().nth(38).expect("41 fields").parse().expect("a number")
    }

    #[test]
    fn threads_and_processes_stand_back_too_and_nobody_else() {
        let (thread, process) = thread::spawn(|| {
            stand_back().expect("always allowed");
            let thread = thread::spawn(|| std::fs::read_to_string("/proc/thread-self/stat").expect("stat"));
            let process = Command::new("cat").arg("/proc/self/stat").output().expect("cat").stdout;
            (thread.join().expect("no panic"), String::from_utf8(process).expect("text"))
        })
        .join()
        .expect("no panic");
        assert_eq!((policy(&thread), policy(&process)), (SCHED_IDLE, SCHED_IDLE));
        let own = std::fs::read_to_string("/proc/thread-self/stat").expect("stat");
        assert_ne!(policy(&own), SCHED_IDLE);
    }
}
