//! Building one arm with cargo, its last link captured.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use cargo_metadata::Message;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::{BuildError, Built, Yard, in_set};
use crate::Cancel;
use crate::bundle::Cargo;
use crate::progress::Progress;
use crate::subject::file_name;

/// Lines of a failed build that are shown.
const SHOWN: usize = 60;

/// What to run for one arm.
pub struct Recipe {
    folder: PathBuf,
    package: String,
    binary: String,
    /// The command as one would type it; the link's capture and the folders come on top.
    words: Vec<String>,
    /// Archive of the link; its name is the recipe's own, so that a build that cargo finds fresh
    /// still has the archive of exactly that link.
    link: PathBuf,
    /// The profile, whose folder is cleaned when the archive is gone.
    profile: String,
}

impl Recipe {
    /// The recipe of an arm with these features.
    pub fn new(cargo: &Cargo, features: &[&str], yard: &Yard) -> Recipe {
        let package = &cargo.package;
        let mut words: Vec<String> = ["cargo", "rustc", "-p", &package.name, "--bin", &package.binary]
            .into_iter()
            .map(str::to_string)
            .collect();
        words.extend(["--profile".into(), cargo.profile.clone(), "--no-default-features".into()]);
        if !features.is_empty() {
            words.extend(["--features".into(), features.join(",")]);
        }
        let text = format!("{} {}", package.folder.display(), words.join(" "));
        let link =
            yard.links().join(format!("{}.tar", &protocol::canonical::sha256_hex(text.as_bytes())[..16]));
        Recipe {
            folder: package.folder.clone(),
            package: package.name.clone(),
            binary: package.binary.clone(),
            words,
            link,
            profile: cargo.profile.clone(),
        }
    }

    fn shown(&self) -> String {
        self.words.join(" ")
    }

    fn command(&self, yard: &Yard, jobs: Option<usize>) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.folder).args(&self.words[1..]);
        command.arg("--target-dir").arg(yard.target());
        command.arg("--message-format=json-render-diagnostics");
        if let Some(jobs) = jobs {
            command.arg("--jobs").arg(jobs.to_string());
        }
        with_rustflags(&mut command, layouts::capture::rustflags());
        command.arg("--").args(layouts::capture::link_args(&self.link));
        command
    }
}

/// Flags for every crate come on top of the user's own: cargo reads one source of them only.
fn with_rustflags(command: &mut Command, flags: Vec<String>) {
    let encoded = std::env::var("CARGO_ENCODED_RUSTFLAGS").ok().filter(|own| !own.is_empty());
    let plain = std::env::var("RUSTFLAGS").ok().filter(|own| !own.trim().is_empty());
    match (encoded, plain) {
        (Some(own), _) => {
            command.env("CARGO_ENCODED_RUSTFLAGS", format!("{own}\u{1f}{}", flags.join("\u{1f}")))
        }
        (None, Some(own)) => command.env("RUSTFLAGS", format!("{own} {}", flags.join(" "))),
        (None, None) => command.arg("--config").arg(format!("build.rustflags={flags:?}")),
    };
}

/// Builds the arm, again from scratch if the archive of its link has gone.
pub fn run(
    set: &str,
    name: &str,
    recipe: &Recipe,
    yard: &Yard,
    jobs: Option<usize>,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Built, BuildError> {
    let arm = &in_set(set, name);
    let mut made = build_once(arm, recipe, yard, jobs, progress, cancel)?;
    if made.is_some() && !recipe.link.is_file() {
        clean(arm, recipe, yard, cancel)?;
        made = build_once(arm, recipe, yard, jobs, progress, cancel)?;
    }
    let incomplete =
        |missing: String| BuildError::Incomplete { arm: arm.to_string(), command: recipe.shown(), missing };
    let made = made.ok_or_else(|| incomplete(format!("binary `{}`", recipe.binary)))?;
    if !recipe.link.is_file() {
        return Err(incomplete("record of its link: is lld the linker? gcc's own and mold keep none".into()));
    }
    // Cargo puts the next arm's executable in the same place.
    let executable = yard.scratch().join(format!("{}.built", file_name(set, name)));
    fs::copy(&made, &executable).map_err(BuildError::io("copy", &made))?;
    // The archive too is overwritten by the next build of the same recipe.
    Ok(Built {
        set: set.to_string(),
        name: name.to_string(),
        command: recipe.shown(),
        executable,
        link: recipe.link.clone(),
    })
}

/// Forgets the package's earlier builds, so that the next one links.
fn clean(arm: &str, recipe: &Recipe, yard: &Yard, cancel: &Cancel) -> Result<(), BuildError> {
    let mut command = Command::new("cargo");
    command.current_dir(&recipe.folder).args(["clean", "--quiet", "-p", &recipe.package]);
    command.args(["--profile", &recipe.profile, "--target-dir"]).arg(yard.target());
    let shown = format!("cargo clean -p {}", recipe.package);
    drive(arm, &shown, command, &recipe.folder, cancel, |_| {}, |_| {})
}

/// Runs cargo; gives the path of the executable, if it says that there is one.
fn build_once(
    arm: &str,
    recipe: &Recipe,
    yard: &Yard,
    jobs: Option<usize>,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Option<PathBuf>, BuildError> {
    let mut made = None;
    let on_output = |output: &mut dyn Read| {
        for message in Message::parse_stream(BufReader::new(output)).map_while(Result::ok) {
            if let Message::CompilerArtifact(artifact) = message
                && artifact.target.name == recipe.binary
                && let Some(executable) = artifact.executable
            {
                made = Some(executable.into_std_path_buf());
            }
        }
    };
    let command = recipe.command(yard, jobs);
    let on_line = |line: &str| progress.detail(line.trim());
    drive(arm, &recipe.shown(), command, &recipe.folder, cancel, on_output, on_line)?;
    Ok(made)
}

/// Runs a command to its end in a process group of its own, which is ended when the user cancels.
fn drive(
    arm: &str,
    shown: &str,
    mut command: Command,
    folder: &Path,
    cancel: &Cancel,
    on_output: impl FnOnce(&mut dyn Read) + Send,
    on_line: impl Fn(&str) + Send,
) -> Result<(), BuildError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(BuildError::io("start", Path::new("cargo")))?;
    let (mut stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (status, tail) = thread::scope(|scope| {
        scope.spawn(move || stdout.as_mut().map(|output| on_output(output)));
        let tail = scope.spawn(move || {
            let mut tail = VecDeque::new();
            for line in stderr.into_iter().flat_map(|e| BufReader::new(e).lines().map_while(Result::ok)) {
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
    let status =
        status.map_err(BuildError::io("wait for", Path::new("cargo")))?.ok_or(BuildError::Cancelled)?;
    if status.success() {
        return Ok(());
    }
    Err(BuildError::Failed {
        arm: arm.to_string(),
        command: shown.to_string(),
        folder: folder.to_path_buf(),
        status: match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        },
        output: Vec::from(tail).join("\n"),
    })
}

/// Waits for the end; `None` when the user cancelled and the group was ended.
fn wait(child: &mut Child, cancel: &Cancel) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if cancel.is_cancelled() {
            // The group may have ended by itself meanwhile; then there is nothing left to signal.
            let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGTERM);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}
