//! The linker: LLD as the Rust toolchain brings it, or as `ld.lld` on the search path.

mod bounded;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Error;

/// Time after which a linker counts as hanging.
pub const TIME_OUT: Duration = Duration::from_secs(60);
/// Time in which it tells its version.
const VERSION_TIME_OUT: Duration = Duration::from_secs(20);

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
        let mut ask = linker.command_with(["--version"]);
        let ended = bounded::run(ask.stdout(Stdio::piped()).stderr(Stdio::null()), VERSION_TIME_OUT)
            .map_err(|error| unusable(error.to_string()))?;
        let Some((status, output)) = ended else {
            let seconds = VERSION_TIME_OUT.as_secs();
            return Err(unusable(format!("`--version` gives no answer within {seconds} s")));
        };
        let text = String::from_utf8_lossy(&output);
        let version = text.lines().next().unwrap_or_default().trim();
        if !status.success() || !version.contains("LLD") {
            return Err(unusable(format!("`--version` says `{version}` ({status})")));
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
        let mut command = self.command_with(args);
        command.current_dir(folder).stdout(stdout).stderr(Stdio::piped());
        let ended = bounded::run(&mut command, self.time_out).map_err(|error| Error::LinkerUnusable {
            linker: self.path.clone(),
            reason: error.to_string(),
        })?;
        let Some((status, message)) = ended else {
            return Err(Error::LinkerHung { linker: self.path.clone(), seconds: self.time_out.as_secs() });
        };
        let message = String::from_utf8_lossy(&message);
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
