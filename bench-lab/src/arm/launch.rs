//! How an arm's process comes into being: what it runs, under which start-up layout, on which core.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use layouts::tether::tether;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::signal::Signal;
use nix::unistd::Pid;

use super::copy::{self, FreshCopy};
use super::image::ArmImage;
use super::kin;

/// What a process of `image` runs.
pub(super) fn executable_of(image: &ArmImage, copy: Option<&FreshCopy>) -> PathBuf {
    copy.map_or_else(|| image.executable.clone(), FreshCopy::path)
}

/// Starts what `image` runs: in a group of its own, tied to this thread, on the one core. Gives the options that its layout
/// wants to be set, too.
pub(super) fn launch(
    image: &ArmImage,
    arguments: &[String],
    core: Option<usize>,
    copy: Option<&FreshCopy>,
) -> io::Result<(Child, BTreeMap<String, String>)> {
    kin::adopt_orphans();
    if copy.is_none() {
        copy::must_be(image.hashed.as_ref(), &image.executable)?;
    }
    let cores = core.map(only).transpose()?;
    let mut command = Command::new(executable_of(image, copy));
    command.args(arguments).process_group(0);
    // Nobody would ever write to who has been told all by its arguments, and it might wait for that.
    let input = if arguments.is_empty() { Stdio::piped() } else { Stdio::null() };
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let options = (image.startup)(&mut command)?;
    tether(&mut command, Signal::SIGKILL);
    if let Some(cores) = cores {
        let pin = move || Ok(sched_setaffinity(Pid::from_raw(0), &cores)?);
        // SAFETY: between fork and exec only a system call is made; nothing allocates or locks, and what is
        // captured is plain.
        unsafe { command.pre_exec(pin) };
    }

    // While another thread forks, its child may for a moment hold our copy open for writing.
    let mut tries = 0;
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < 100 => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(2));
            }
            result => return Ok((result?, options)),
        }
    }
}

fn only(core: usize) -> io::Result<CpuSet> {
    let mut cores = CpuSet::new();
    cores.set(core)?;
    Ok(cores)
}
