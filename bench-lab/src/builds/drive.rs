//! Running a build's command to its end, in a process group of its own.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, PipeReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::BuildError;
use super::guard::guarded;
use crate::Cancel;

/// Lines of a failed build that are shown.
const SHOWN: usize = 60;
/// How long a cancelled build may take to end by itself.
const GRACE: Duration = Duration::from_secs(3);

/// What is run, as messages tell it.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// For which arm.
    pub arm: &'a str,
    /// The command as one would type it.
    pub shown: &'a str,
    /// Where.
    pub folder: &'a Path,
}

/// Runs a command whose standard output is for `on_output`; lines of its standard error are for `on_line`.
pub fn run(
    job: Job<'_>,
    command: Command,
    cancel: &Cancel,
    on_output: impl FnOnce(&mut dyn Read) + Send,
    on_line: impl Fn(&str) + Send,
) -> Result<(), BuildError> {
    let mut command = guarded(&command);
    let (errors, writer) = std::io::pipe().map_err(BuildError::io("open a pipe for", job.folder))?;
    command.stdout(Stdio::piped()).stderr(writer);
    drive(job, command, cancel, errors, on_output, on_line)
}

/// Runs a command that says everything, on standard output or standard error, to people.
pub fn run_shell(
    job: Job<'_>,
    command: Command,
    cancel: &Cancel,
    on_line: impl Fn(&str) + Send,
) -> Result<(), BuildError> {
    let mut command = guarded(&command);
    let (said, writer) = std::io::pipe().map_err(BuildError::io("open a pipe for", job.folder))?;
    let both = writer.try_clone().map_err(BuildError::io("open a pipe for", job.folder))?;
    command.stdout(both).stderr(writer);
    drive(job, command, cancel, said, |_| {}, on_line)
}

fn drive(
    job: Job<'_>,
    mut command: Command,
    cancel: &Cancel,
    said: PipeReader,
    on_output: impl FnOnce(&mut dyn Read) + Send,
    on_line: impl Fn(&str) + Send,
) -> Result<(), BuildError> {
    command.stdin(Stdio::null());
    let program = Path::new(command.get_program()).to_path_buf();
    let mut child = command.spawn().map_err(BuildError::io("start", &program))?;
    // The ends of the pipes that it writes to are open in it alone from here on.
    drop(command);
    let mut stdout = child.stdout.take();
    let (status, tail) = thread::scope(|scope| {
        scope.spawn(move || stdout.as_mut().map(|output| on_output(output)));
        let tail = scope.spawn(move || {
            let mut tail = VecDeque::new();
            for line in BufReader::new(said).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                on_line(&line);
                tail.push_back(line);
                if tail.len() > SHOWN {
                    tail.pop_front();
                }
            }
            tail
        });
        (wait(&mut child, cancel), tail.join().unwrap_or_default())
    });
    let status = status.map_err(BuildError::io("wait for", &program))?.ok_or(BuildError::Cancelled)?;
    if status.success() {
        return Ok(());
    }
    Err(BuildError::Failed {
        arm: job.arm.to_string(),
        command: job.shown.to_string(),
        folder: job.folder.to_path_buf(),
        status: match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        },
        output: Vec::from(tail).join("\n"),
    })
}

/// Waits for the end; `None` when the user cancelled and the group was ended.
fn wait(child: &mut Child, cancel: &Cancel) -> std::io::Result<Option<ExitStatus>> {
    let mut asked = None::<Instant>;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(asked.is_none().then_some(status));
        }
        // The child is not reaped yet, so the group is its own.
        let group = Pid::from_raw(child.id().cast_signed());
        match asked {
            // The group may have ended by itself meanwhile; then there is nothing left to signal.
            None if cancel.is_cancelled() => {
                let _ = killpg(group, Signal::SIGTERM);
                asked = Some(Instant::now());
            }
            Some(since) if since.elapsed() > GRACE => {
                let _ = killpg(group, Signal::SIGKILL);
            }
            _ => {}
        }
        thread::sleep(Duration::from_millis(20));
    }
}
