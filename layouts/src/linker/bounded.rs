//! Programs that may hang: run to their end or stopped, with all that they started, when their time is up, and gone
//! when the thread that runs them is.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::tether::tether;

/// Longest pause between two looks at a program that has closed its output.
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// Runs a program whose standard output *or* error output the command pipes to us; returns how it ended and what it
/// wrote there, or `None` if it had to be stopped.
pub fn run(command: &mut Command, time_out: Duration) -> io::Result<Option<(ExitStatus, Vec<u8>)>> {
    let end = Instant::now() + time_out;
    tether(command, Signal::SIGKILL);
    let mut child = command.stdin(Stdio::null()).process_group(0).spawn()?;
    let output = match (child.stdout.take(), child.stderr.take()) {
        (Some(pipe), _) => collect(pipe, end)?,
        (None, Some(pipe)) => collect(pipe, end)?,
        (None, None) => Some(Vec::new()),
    };
    if output.is_none() {
        stop(&child);
    }
    let status = wait(&mut child, end)?;
    Ok(status.zip(output))
}

/// What comes through the pipe until the other end closes it; `None` if it does not in time.
fn collect(mut pipe: impl Read + AsFd, end: Instant) -> io::Result<Option<Vec<u8>>> {
    let mut all = Vec::new();
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let wait = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)], wait) {
            Ok(0) => return Ok(None),
            Err(Errno::EINTR) => continue,
            _ => {}
        }
        let mut buffer = [0; 4096];
        match pipe.read(&mut buffer)? {
            0 => return Ok(Some(all)),
            count => all.extend_from_slice(&buffer[..count]),
        }
    }
}

/// Waits for the child until `end`; then its process group is stopped.
fn wait(child: &mut Child, end: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            break;
        }
        sleep(pause);
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
    stop(child);
    child.wait()?;
    Ok(None)
}

/// Stops the child, which is not reaped yet, and all that it started.
fn stop(child: &Child) {
    // The group is the child's own, made at its start; as long as the child is not reaped, the id is its.
    let _ = killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, time_out: Duration) -> Option<(ExitStatus, Vec<u8>)> {
        run(Command::new("sh").args(["-c", script]).stdout(Stdio::piped()), time_out).expect("starts")
    }

    #[test]
    fn programs_end_or_are_stopped() {
        let long = Duration::from_secs(600);
        let (status, output) = shell("printf a; exec >&-; exit 3", long).expect("ends");
        assert_eq!((status.code(), output.as_slice()), (Some(3), b"a".as_slice()));
        for hangs in ["sleep 600", "exec >&-; sleep 600", "sleep 600 & exit 0"] {
            assert!(shell(hangs, Duration::from_millis(50)).is_none(), "{hangs}");
        }
    }
}
