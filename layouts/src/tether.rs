//! Processes that do not outlive who started them.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{getpid, getppid};

/// Has the kernel send `signal` to the process that the command will start as soon as the *thread* that starts it is
/// gone, however it ends.
pub fn tether(command: &mut Command, signal: Signal) {
    let parent = getpid();
    let prepare = move || {
        set_pdeathsig(signal)?;
        // The parent may have ended between the fork and the line above.
        if getppid() != parent {
            return Err(io::Error::other("who wanted it has ended meanwhile"));
        }
        Ok(())
    };
    // SAFETY: between fork and exec only two system calls are made; nothing allocates or locks on the way that
    // succeeds, and what is captured is plain.
    unsafe { command.pre_exec(prepare) };
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::thread;

    use super::*;

    #[test]
    fn the_end_of_the_thread_is_the_end_of_the_process() {
        let started = thread::spawn(|| {
            let mut command = Command::new("sleep");
            tether(command.arg("600"), Signal::SIGKILL);
            command.spawn().expect("starts")
        });
        let mut child = started.join().expect("no panic");
        assert_eq!(child.wait().expect("ends").signal(), Some(9));
    }
}
