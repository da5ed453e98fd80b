//! The linker: LLD as the Rust toolchain brings it, or as `ld.lld` on the search path.

use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::Error;

/// Time after which a linker counts as hanging.
pub const TIME_OUT: Duration = Duration::from_secs(60);

/// An LLD that works.
#[derive(Clone, Debug)]
pub struct Linker {
    path: PathBuf,
    version: String,
    time_out: Duration,
}

impl Linker {
    /// Finds `rust-lld` in the toolchain of `rustc`, else `ld.lld` on `PATH`.
    pub fn find() -> Result<Self, Error> {
        Self::find_among(toolchain_bin().as_deref(), &std::env::var_os("PATH").unwrap_or_default())
    }

    fn find_among(toolchain: Option<&Path>, search: &OsStr) -> Result<Self, Error> {
        let folders = || std::env::split_paths(search);
        let own = toolchain.map(|bin| bin.join("rust-lld"));
        let others = ["ld.lld", "rust-lld"].into_iter().flat_map(|name| folders().map(move |f| f.join(name)));
        if let Some(path) = own.iter().cloned().chain(others).find(|path| path.is_file()) {
            return Self::at(&path);
        }
        let own =
            own.map_or_else(|| "rustc, which does not answer".into(), |path| path.display().to_string());
        Err(Error::LinkerMissing { tried: format!("{own}; ld.lld and rust-lld on PATH") })
    }

    /// Takes the LLD at `path` and asks for its version.
    pub fn at(path: &Path) -> Result<Self, Error> {
        let unusable = |reason: String| Error::LinkerUnusable { linker: path.to_owned(), reason };
        let mut linker = Self { path: path.to_owned(), version: String::new(), time_out: TIME_OUT };
        let output = linker
            .command()
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| unusable(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().next().unwrap_or_default().trim();
        if !output.status.success() || !version.contains("LLD") {
            return Err(unusable(format!("`--version` says `{version}` ({})", output.status)));
        }
        linker.version = version.to_owned();
        Ok(linker)
    }

    /// The same linker with another time-out.
    pub fn with_time_out(self, time_out: Duration) -> Self {
        Self { time_out, ..self }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it calls itself (`LLD 22.1.2 …`).
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Runs a link in `folder`; a linker that fails or hangs is an error and leaves no process.
    pub(crate) fn run<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        args: impl IntoIterator<Item = S>,
        stdout: Stdio,
    ) -> Result<(), Error> {
        let mut child = self
            .command()
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| Error::LinkerUnusable {
                linker: self.path.clone(),
                reason: error.to_string(),
            })?;
        let message = self.watch(&mut child);
        let status = child.wait().map_err(crate::error::io("wait for", &self.path))?;
        let message = message?;
        if status.success() {
            return Ok(());
        }
        // A linker that breaks down tells its own innards first.
        let told = |line: &&str| line.contains("error:");
        let mut lines: Vec<_> = message.lines().filter(told).take(3).collect();
        if lines.is_empty() {
            lines = message.lines().take(3).collect();
        }
        let mut lines = lines.join("; ");
        if lines.is_empty() {
            lines = "no message".into();
        }
        Err(Error::LinkerFailed {
            linker: self.path.clone(),
            folder: folder.to_owned(),
            status: status.to_string(),
            message: lines,
        })
    }

    /// Collects messages until the linker closes them at its end; kills its process group when time is up.
    fn watch(&self, child: &mut Child) -> Result<String, Error> {
        let start = Instant::now();
        let mut messages = Vec::new();
        let Some(mut stderr) = child.stderr.take() else { return Ok(String::new()) };
        loop {
            let left = self.time_out.saturating_sub(start.elapsed());
            let wait = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
            let ready = poll(&mut [PollFd::new(stderr.as_fd(), PollFlags::POLLIN)], wait);
            let mut buffer = [0; 4096];
            match ready {
                Ok(0) => {
                    // The group is the child's own, made at its start; the child is not reaped yet, so the id is its.
                    let _ = killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL);
                    return Err(Error::LinkerHung {
                        linker: self.path.clone(),
                        seconds: self.time_out.as_secs(),
                    });
                }
                Err(nix::errno::Errno::EINTR) => {}
                _ => match stderr.read(&mut buffer) {
                    Ok(0) | Err(_) => return Ok(String::from_utf8_lossy(&messages).into_owned()),
                    Ok(count) => messages.extend_from_slice(&buffer[..count]),
                },
            }
        }
    }

    /// A command that runs the linker with these arguments, for the caller to start and to wait for.
    pub(crate) fn command_with<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.command();
        command.args(args);
        command
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        if self.path.file_name().is_some_and(|name| name == "rust-lld" || name == "lld") {
            command.args(["-flavor", "gnu"]);
        }
        command
    }
}

/// The folder of the toolchain's own binaries, which holds `rust-lld` and `gcc-ld`.
fn toolchain_bin() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let ask = |what: &[&str]| {
        let output = Command::new(&rustc).args(what).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let sysroot = ask(&["--print", "sysroot"])?;
    let version = ask(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "))?;
    Some(Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toolchain_comes_first_and_nothing_is_an_error_with_its_remedy() {
        let bin = toolchain_bin().expect("a toolchain builds this test");
        let found = Linker::find_among(Some(&bin), OsStr::new("")).expect("rust-lld");
        assert_eq!(found.path(), bin.join("rust-lld"));
        let found = Linker::find_among(None, bin.join("gcc-ld").as_os_str());
        assert_eq!(found.expect("ld.lld on the path").path(), bin.join("gcc-ld/ld.lld"));
        let empty = tempfile::tempdir().expect("folder");
        for toolchain in [None, Some(empty.path())] {
            let error = Linker::find_among(toolchain, empty.path().as_os_str()).expect_err("none there");
            assert!(error.to_string().contains("install the Rust toolchain"), "{error}");
        }
    }
}
