//! `bench-lab layout capture`: the final link of a program, kept in one file.

use std::fs;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use layouts::capture::Capture;
use layouts::unit::Kind;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::arm;
use super::flags::Flags;
use crate::Cancel;
use crate::builds::{BadLink, Built};
use crate::bundle::Bundle;
use crate::columns::{columns, grouped, row};
use crate::commands::arguments::ArmOfBundle;
use crate::commands::{Failure, given, print};
use crate::exit::Exit;
use crate::output;
use crate::progress::Progress;

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the link comes from.
    pub source: Source,
    /// The capture file; for a finished archive it may be left out.
    pub out: Option<PathBuf>,
}

/// Where the link comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// An arm of a bundle, to be built.
    Bundle {
        /// The bundle file.
        file: PathBuf,
        /// The arm, and the lane whose build it is.
        of: ArmOfBundle,
    },
    /// An archive that `--reproduce` wrote.
    Tar(PathBuf),
    /// A build command, run here.
    Command(Vec<String>),
}

impl Source {
    /// A build command: not empty, with flags for the link in it, and without unknown placeholders.
    pub fn command(words: Vec<String>) -> Result<Source, Failure> {
        if words.is_empty() {
            let message = "nothing to capture: give a build command after `--`, `--bundle` or `--tar`";
            return Err(Failure::Usage(message.to_owned()));
        }
        Flags::check(&words)?;
        Ok(Source::Command(words))
    }
}

/// Captures, checks, and tells what was captured.
pub fn capture(request: &Request) -> Result<Exit, Failure> {
    if let Source::Tar(file) = &request.source {
        given::capture(file)?;
    }
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    if let Some(out) = &request.out {
        output::make_folder(output::folder_of(out), output::ELSEWHERE)?;
    }
    let scratch = match &request.out {
        Some(out) => output::scratch(output::folder_of(out))?,
        None => output::scratch(&std::env::temp_dir())?,
    };
    let folder = scratch.path().canonicalize().context("cannot find the temporary folder")?;
    let tar = folder.join("link.tar");
    let interrupted = || match cancel.is_cancelled() {
        true => Err(Failure::Void("interrupted: nothing was captured".to_owned())),
        false => Ok(()),
    };
    let made = made(&request.source, &folder, &tar, &cancel);
    interrupted()?;
    let built = made?;
    let checked = match (&request.source, &request.out) {
        (Source::Tar(file), None) => file,
        (Source::Tar(file), Some(_)) => {
            fs::copy(file, &tar).with_context(|| format!("cannot copy {}", file.display()))?;
            &tar
        }
        _ => &tar,
    };
    let capture = Capture::open(checked, &folder.join("capture"));
    let capture =
        capture.map_err(|fault| anyhow::Error::from(bad(&request.source, built.as_ref(), fault)))?;
    interrupted()?;
    let bytes = fs::metadata(checked).with_context(|| format!("cannot read {}", checked.display()))?.len();
    let program = program(&folder.join("capture"));
    if let Some(out) = &request.out {
        fs::rename(&tar, out).with_context(|| format!("cannot write {}", out.display()))?;
    }
    let name = request.out.as_ref().unwrap_or(checked);
    print(&told(name, bytes, program.as_deref(), &capture))?;
    Ok(Exit::Proven)
}

/// A link that can't be repeated.
fn bad(source: &Source, built: Option<&Built>, fault: layouts::Error) -> BadLink {
    match (source, built) {
        (_, Some(built)) => BadLink::of_arm(built, fault),
        (Source::Tar(file), None) => BadLink::of_file(file, fault),
        (_, None) => BadLink::of_command(fault),
    }
}

/// Leaves the archive at `tar`, unless there is one already; gives the arm that was built for it.
fn made(source: &Source, folder: &Path, tar: &Path, cancel: &Cancel) -> Result<Option<Built>, Failure> {
    match source {
        Source::Tar(_) => Ok(None),
        Source::Bundle { file, of } => {
            let bundle = Bundle::read(file)?;
            let progress = Progress::new();
            let copy = |built: &Built| {
                let link = built.link.as_ref().with_context(|| {
                    format!("{}: prebuilt arms have no link to capture", bundle.file.display())
                })?;
                fs::copy(link, tar).with_context(|| format!("cannot copy {}", link.display()))?;
                Ok(built.clone())
            };
            let result = arm::built(&bundle, &of.arm, of.lane.as_deref(), &progress, cancel, copy);
            progress.finish();
            result.map(Some)
        }
        Source::Command(words) => {
            let flags = Flags::new(&folder.join("tools"), tar)?;
            let words = flags.fill(words, &folder.join("executable"));
            run(&words, cancel)?;
            if tar.is_file() {
                return Ok(None);
            }
            Err(Failure::Other(anyhow!(
                "`{}` linked no executable with the flags that it was given: pass them to gcc, clang or rustc at the final \
                 link, and clean first if there was nothing to be done",
                words.join(" ")
            )))
        }
    }
}

/// Runs the build with its output on standard error: the result alone goes to standard output.
fn run(words: &[String], cancel: &Cancel) -> Result<(), Failure> {
    let shown = words.join(" ");
    let (program, arguments) = words.split_first().context("the build command is empty")?;
    let errors = std::io::stderr().as_fd().try_clone_to_owned().context("cannot write to standard error")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::from(errors));
    let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
    match wait(&mut child, cancel).with_context(|| format!("cannot wait for {program}"))? {
        Some(status) if !status.success() => Err(Failure::Other(anyhow!("`{shown}` ended with {status}"))),
        _ => Ok(()),
    }
}

/// Waits for the end; `None` when the user cancelled and the build was ended.
fn wait(child: &mut Child, cancel: &Cancel) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if cancel.is_cancelled() {
            // It may have ended by itself meanwhile; it is not reaped yet, so the number is its.
            let _ = kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The name of the executable that was linked, as the linker was told it.
fn program(capture: &Path) -> Option<String> {
    let folder = fs::read_dir(capture).ok()?.flatten().find(|entry| entry.path().is_dir())?;
    let text = fs::read_to_string(folder.path().join("response.txt")).ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix("-o "))?.trim_matches('"').to_owned();
    Some(path.rsplit('/').next().unwrap_or(&path).to_owned())
}

fn told(out: &Path, bytes: u64, program: Option<&str>, capture: &Capture) -> String {
    let program = program.map_or(String::new(), |program| format!("the link of `{program}`, "));
    let mut text = format!(
        "{}: {program}{} bytes\n  linker  {}\n  inputs  {}\n\n",
        out.display(),
        grouped(bytes),
        capture.linker().version(),
        capture.inputs_sha256()
    );
    let mut rows = vec![row(["section", "units", "bytes", "in pools"])];
    for kind in Kind::ALL {
        let units: Vec<_> = capture.units().iter().filter(|unit| unit.key.kind == kind).collect();
        if !units.is_empty() {
            rows.push(row([
                kind.section().to_owned(),
                grouped(units.len() as u64),
                grouped(units.iter().map(|unit| unit.size).sum()),
                grouped(units.iter().filter(|unit| unit.pool.is_some()).count() as u64),
            ]));
        }
    }
    text.push_str(&columns(&rows, 1));
    let rest = capture.not_scattered();
    let rows: Vec<_> =
        rest.iter().map(|rest| row([rest.section.as_str(), rest.reason, &grouped(rest.bytes)])).collect();
    let sum: u64 = rest.iter().map(|rest| rest.bytes).sum();
    text.push_str(&format!("\nnot placed one by one: {} bytes\n{}", grouped(sum), columns(&rows, 2)));
    if !capture.notes().is_empty() {
        text.push_str("\nnotes\n");
        capture.notes().iter().for_each(|note| text.push_str(&format!("  {note}\n")));
    }
    text
}
