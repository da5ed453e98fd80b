//! One arm process: started from a fresh copy unless the copy is fixed, pinned, and gone when dropped.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use layouts::startup::Placement;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::time::TimeSpec;
use nix::unistd::Pid;

use super::clock::ProcessClock;
use super::copy::FreshCopy;
use super::image::ArmImage;
use super::kin::{self, Kin};
use super::launch::{executable_of, launch};
use super::lines::{Fill, LineReader, Tail};
use super::memory;
use crate::fault::{Awaited, Fault};
use crate::hash::Status;

/// Most that a process may write to standard output for one search or answer, and to standard error in all.
const FLOOD: u64 = 16_000_000;

/// A living arm. Dropping it kills the process with all that it has started, reaps it and deletes its copy.
///
/// The kernel kills the process when the *thread* that started it ends, so that thread must outlive it.
#[derive(Debug)]
pub struct ArmProcess {
    name: String,
    start_options: BTreeMap<String, String>,
    options: BTreeMap<String, String>,
    placement: Option<Placement>,
    place: String,
    step: String,
    awaited: Option<&'static Awaited>,
    child: Child,
    pid: Pid,
    /// How it ended; then it is reaped, and its number may be another's.
    ended: Option<ExitStatus>,
    /// It was found to have started no process of its own.
    alone: bool,
    /// What it runs: the copy, or the executable itself.
    executable: PathBuf,
    /// The file when the process was started from it.
    started_from: Status,
    clock: ProcessClock,
    started: Instant,
    /// From its start to its `uciok`.
    identified: Option<Duration>,
    /// From its start to its first `readyok`.
    start_up: Option<Duration>,
    /// None of a process that does its work unasked.
    input: Option<ChildStdin>,
    output: LineReader<ChildStdout>,
    errors: Tail<ChildStderr>,
    errors_open: bool,
    // Last: deleted after the process is gone.
    _copy: Option<FreshCopy>,
}

impl ArmProcess {
    /// Starts `image` with `arguments`, from a fresh copy below `scratch` if it wants one, pinned to `core` when one is
    /// given. `place` says in messages where in the trial this is.
    ///
    /// With arguments it is to do its work and end, and finds nothing on its standard input; without, it is spoken to.
    pub fn spawn(
        image: &ArmImage,
        arguments: &[String],
        core: Option<usize>,
        scratch: &Path,
        place: impl Into<String>,
    ) -> Result<ArmProcess, Fault> {
        ArmProcess::spawn_copy(image, FreshCopy::of(image, scratch)?, arguments, core, place)
    }

    /// The same from the copy that was made for `image` before, if it wants one.
    pub(crate) fn spawn_copy(
        image: &ArmImage,
        copy: Option<FreshCopy>,
        arguments: &[String],
        core: Option<usize>,
        place: impl Into<String>,
    ) -> Result<ArmProcess, Fault> {
        let spawn_fault =
            |source| Fault::Spawn { arm: image.name.clone(), path: image.executable.clone(), source };
        let started = Instant::now();
        let (child, start_options) = launch(image, arguments, core, copy.as_ref()).map_err(spawn_fault)?;
        let mut process =
            ArmProcess::adopt(image, child, started, copy, place.into()).map_err(spawn_fault)?;
        process.start_options = start_options;
        Ok(process)
    }

    fn adopt(
        image: &ArmImage,
        mut child: Child,
        started: Instant,
        copy: Option<FreshCopy>,
        place: String,
    ) -> io::Result<ArmProcess> {
        let pid = Pid::from_raw(child.id() as i32);
        let prepared = (|| {
            let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            let (input, Some(output), Some(errors)) = pipes else {
                return Err(io::Error::other("a pipe is missing"));
            };
            let ends = [Some(output.as_fd()), Some(errors.as_fd()), input.as_ref().map(AsFd::as_fd)];
            for end in ends.into_iter().flatten() {
                fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
            }
            let started_from = Status::of_path(&executable_of(image, copy.as_ref()))?;
            Ok((ProcessClock::of(pid)?, started_from, input, output, errors))
        })();
        match prepared {
            Ok((clock, started_from, input, output, errors)) => Ok(ArmProcess {
                name: image.name.clone(),
                start_options: BTreeMap::new(),
                options: image.options.clone(),
                placement: image.placement.clone(),
                place,
                step: "at its start".to_owned(),
                awaited: None,
                child,
                pid,
                ended: None,
                alone: false,
                executable: executable_of(image, copy.as_ref()),
                started_from,
                clock,
                started,
                identified: None,
                start_up: None,
                input,
                output: LineReader::new(output),
                errors: Tail::new(errors),
                errors_open: true,
                _copy: copy,
            }),
            Err(error) => {
                // What cannot be ended is told by the next look at the processes.
                let _ = reap(&mut child, pid);
                Err(error)
            }
        }
    }

    /// The arm's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Checks that it runs where its draw put it.
    pub fn check_placement(&self) -> Result<(), Fault> {
        let Some(placement) = &self.placement else { return Ok(()) };
        placement.check(self.child.id()).map_err(|source| Fault::Misplaced { arm: self.name.clone(), source })
    }

    /// Checks that it still runs the executable that it was started from, and that nobody has touched the file.
    pub fn check_executable(&self) -> Result<(), Fault> {
        let swapped = |what| Fault::Swapped { arm: self.name.clone(), place: self.place(), what };
        let path = self.executable.display();
        match Status::of_path(&self.executable) {
            Ok(now) => match self.started_from.change(&now) {
                None => (),
                Some(changed) => return Err(swapped(format!("its executable {path} changed: {changed}"))),
            },
            Err(error) => return Err(swapped(format!("its executable {path} is gone: {error}"))),
        }
        let link = PathBuf::from(format!("/proc/{}/exe", self.pid));
        match Status::of_path(&link) {
            Ok(now) if self.started_from.change(&now).is_none() => Ok(()),
            Ok(_) => {
                let other = std::fs::read_link(&link).unwrap_or_default();
                Err(swapped(format!("it runs {} now instead of {path}", other.display())))
            }
            // It has ended: whoever waits for it tells how.
            Err(_) => Ok(()),
        }
    }

    /// Notes that it was found to have started no process of its own.
    pub(crate) fn is_alone(&mut self) {
        self.alone = true;
    }

    /// The fault of having started `kin`, as far as is known by `arm`.
    pub(crate) fn has_started(&self, arm: &str, kin: &[Kin]) -> Fault {
        let told = |kin: &Kin| format!("{}, process {}", kin.name, kin.pid);
        Fault::Kin { arm: arm.to_owned(), place: self.place(), kin: kin.iter().map(told).collect() }
    }

    /// UCI options of this start, to be set before all others.
    pub fn start_options(&self) -> &BTreeMap<String, String> {
        &self.start_options
    }

    /// The arm's own UCI options.
    pub fn options(&self) -> &BTreeMap<String, String> {
        &self.options
    }

    /// The process id.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Its processor-time clock.
    pub fn clock(&self) -> ProcessClock {
        self.clock
    }

    /// Notes that it has said `uciok`; the first time counts.
    pub(super) fn note_identified(&mut self) {
        self.identified.get_or_insert_with(|| self.started.elapsed());
    }

    /// From its start to its `uciok`; none before.
    pub fn identified(&self) -> Option<Duration> {
        self.identified
    }

    /// Notes that it is ready; the first time counts.
    pub(super) fn note_ready(&mut self) {
        self.start_up.get_or_insert_with(|| self.started.elapsed());
    }

    /// From its start to its first `readyok`; none before.
    pub fn start_up(&self) -> Option<Duration> {
        self.start_up
    }

    /// Peak resident memory so far, in bytes.
    pub fn peak_memory(&mut self) -> Result<u64, Fault> {
        match memory::peak(self.pid) {
            Ok(Some(bytes)) => Ok(bytes),
            // The table of a process that has ended has no such line.
            Ok(None) => Err(self.died()),
            Err(source) => {
                let what = format!("cannot read the peak memory of arm {}", self.name);
                Err(Fault::system(what)(source))
            }
        }
    }

    /// Says in later messages what the process is at.
    pub fn set_step(&mut self, step: impl Into<String>) {
        self.step = step.into();
        self.awaited = None;
    }

    /// The same, and what it owes there.
    pub(crate) fn set_step_awaiting(&mut self, step: impl Into<String>, awaited: &'static Awaited) {
        self.step = step.into();
        self.awaited = Some(awaited);
    }

    /// Where in the trial and at what the process is, for messages.
    pub fn place(&self) -> String {
        format!("{} ({})", self.step, self.place)
    }

    /// Sends one or more lines; a line end is added.
    pub fn send(&mut self, command: &str) -> Result<(), Fault> {
        self.output.forget_read();
        let mut bytes = Vec::with_capacity(command.len() + 1);
        bytes.extend_from_slice(command.as_bytes());
        bytes.push(b'\n');
        let written = match &mut self.input {
            Some(input) => input.write_all(&bytes),
            None => Err(io::ErrorKind::WouldBlock.into()),
        };
        match written {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Fault::Deaf {
                arm: self.name.clone(),
                place: self.place(),
                command: command.lines().next().unwrap_or_default().to_owned(),
            }),
            Err(_) => Err(self.died()),
        }
    }

    /// Waits for output at most until `until` and takes in what is there; the end of the output is a
    /// fault. An interrupted wait returns early.
    pub fn wait_output(&mut self, until: Instant) -> Result<(), Fault> {
        if self.take_in(until)? { Ok(()) } else { Err(self.died()) }
    }

    /// The same, but the end of the output is told by `false`.
    pub fn take_in(&mut self, until: Instant) -> Result<bool, Fault> {
        let left = until.saturating_duration_since(Instant::now());
        let mut ends = [
            PollFd::new(self.output.source().as_fd(), PollFlags::POLLIN),
            PollFd::new(self.errors.source().as_fd(), PollFlags::POLLIN),
        ];
        let watched = if self.errors_open { 2 } else { 1 };
        match ppoll(&mut ends[..watched], Some(TimeSpec::from_duration(left)), None) {
            Ok(0) | Err(Errno::EINTR) => return Ok(true),
            Ok(_) => (),
            Err(error) => return Err(Fault::system(format!("cannot wait for arm {}", self.name))(error)),
        }
        let [output, errors] = ends.map(|end| end.any().unwrap_or(true));
        if errors && self.errors_open {
            self.errors_open = self.errors.fill();
        }
        let open = !output || matches!(self.output.fill(), Ok(Fill::Some | Fill::Empty));
        self.check_flood()?;
        Ok(open)
    }

    fn check_flood(&self) -> Result<(), Fault> {
        let (stream, last) = match (self.output.read(), self.errors.read()) {
            (read, _) if read > FLOOD => ("standard output", self.output.rest()),
            (_, read) if read > FLOOD => {
                // The last line may be cut.
                let lines = self.errors.lines();
                ("standard error", lines.into_iter().rev().nth(1).unwrap_or_default())
            }
            _ => return Ok(()),
        };
        Err(Fault::Flood {
            arm: self.name.clone(),
            place: self.place(),
            stream,
            megabytes: FLOOD / 1_000_000,
            last: last.lines().next().unwrap_or_default().chars().take(80).collect(),
        })
    }

    /// The next whole line that was taken in.
    pub fn line(&mut self) -> Option<String> {
        self.output.line()
    }

    /// Asks the kernel to stop the process.
    pub fn stop(&mut self) -> Result<(), Fault> {
        self.signal(Signal::SIGSTOP)
    }

    /// Lets the process go on.
    pub fn resume(&mut self) -> Result<(), Fault> {
        self.signal(Signal::SIGCONT)
    }

    fn signal(&mut self, signal: Signal) -> Result<(), Fault> {
        kill(self.pid, signal).map_err(Fault::system(format!("cannot send {signal} to arm {}", self.name)))
    }

    /// The fault that the end of the process is: waits a moment for its status and last words.
    pub fn died(&mut self) -> Fault {
        let until = Instant::now() + Duration::from_secs(1);
        let status = loop {
            match self.try_end() {
                Ok(Some(status)) => break describe(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                Ok(None) => break "closed its output but lives".to_owned(),
                Err(error) => break format!("status unknown: {error}"),
            }
        };
        Fault::Died {
            arm: self.name.clone(),
            place: self.place(),
            status,
            awaited: self.awaited,
            stderr: self.last_words(),
        }
    }

    /// The fault of an answer that did not come in `waited`.
    pub fn hangs(&mut self, expected: &str, waited: Duration) -> Fault {
        Fault::Hang {
            arm: self.name.clone(),
            place: self.place(),
            expected: expected.to_owned(),
            seconds: waited.as_secs_f64(),
            awaited: self.awaited,
            stderr: self.last_words(),
        }
    }

    /// The fault of so many lines that are no answer.
    pub(crate) fn chatters(&self, expected: &str, lines: usize, last: &str) -> Fault {
        Fault::Chatter {
            arm: self.name.clone(),
            place: self.place(),
            expected: expected.to_owned(),
            lines,
            last: last.chars().take(200).collect(),
            awaited: self.awaited,
        }
    }

    /// The fault of a search that ended without a node count.
    pub(crate) fn counts_no_nodes(&self, position: &str) -> Fault {
        Fault::NoNodes { arm: self.name.clone(), place: self.place(), position: position.to_owned() }
    }

    /// The last lines on standard error, joined.
    fn last_words(&mut self) -> String {
        let lines = self.error_lines();
        lines[lines.len().saturating_sub(5)..].join(" | ")
    }

    /// The last lines on standard error.
    pub fn error_lines(&mut self) -> Vec<String> {
        // Pieces, not all there is: a process may go on writing.
        for _ in 0..8 {
            self.errors.fill();
        }
        self.errors.lines()
    }

    /// Waits until the process has ended by itself; `None` when it has not by `until`.
    pub fn wait_end(&mut self, until: Instant) -> Result<Option<ExitStatus>, Fault> {
        loop {
            let status =
                self.try_end().map_err(Fault::system(format!("cannot wait for arm {}", self.name)))?;
            if status.is_some() || Instant::now() >= until {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// How the process ended, if it has; what is left of its group goes with it.
    fn try_end(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() && kin::is_over(self.pid) {
            self.ended = Some(reap(&mut self.child, self.pid)?);
        }
        Ok(self.ended)
    }
}

impl Drop for ArmProcess {
    fn drop(&mut self) {
        let mut family = Vec::new();
        if self.ended.is_none() {
            if !self.alone {
                family = kin::Table::read().descendants(self.pid);
            }
            // Nothing helps when the kernel refuses: a drop has nobody to tell.
            let _ = reap(&mut self.child, self.pid);
        }
        if !self.alone {
            family.extend(kin::Table::read().strays());
            kin::end(&family);
        }
    }
}

/// Kills a process that is not reaped yet, with its group, and reaps it. A stopped process dies as well.
fn reap(child: &mut Child, pid: Pid) -> io::Result<ExitStatus> {
    // The group may be gone already; the reaping tells.
    let _ = killpg(pid, Signal::SIGKILL);
    child.wait()
}

/// `exit status 3`, `signal SIGSEGV`.
pub fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(number)) => match Signal::try_from(number) {
            Ok(signal) => format!("signal {signal}"),
            Err(_) => format!("signal {number}"),
        },
        (None, None) => status.to_string(),
    }
}
