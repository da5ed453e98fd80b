//! What the tests of the measuring room share: the fake engine and a small lane.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use bench_lab::arm::ArmImage;
use bench_lab::arm::session::Limits;
use protocol::plan::Lane;
use tempfile::TempDir;

/// The fake engine, which cargo builds as an example together with the tests.
pub fn fake_engine() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/fake_engine");
    assert!(path.exists(), "{} is missing: `cargo build -p bench-lab --examples`", path.display());
    path
}

/// An arm that follows `script` (see the fake engine).
pub fn arm(name: &str, script: &str) -> ArmImage {
    let script = script.to_owned();
    ArmImage::prepared(name, fake_engine(), move |command| {
        command.env("FAKE_ENGINE", &script);
        Ok(BTreeMap::new())
    })
}

/// The cores this process may use, the last one first: tests work in a container too.
pub fn cores() -> Vec<usize> {
    let cores = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0)).unwrap();
    (0..nix::sched::CpuSet::count()).rev().filter(|&core| cores.is_set(core).unwrap()).collect()
}

/// A lane on the last of them.
pub fn lane() -> Lane {
    Lane {
        name: "test".to_owned(),
        core: cores()[0],
        options: BTreeMap::from([("Hash".to_owned(), "1".to_owned())]),
        files: BTreeMap::new(),
        build: 0,
    }
}

/// Limits under which a hang ends soon, yet a loaded machine has time.
pub fn limits() -> Limits {
    Limits { start: Duration::from_secs(20), search: Duration::from_secs(20), quit: Duration::from_secs(5) }
}

/// Positions that the fake engine tells apart.
pub fn positions(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {number}")).collect()
}

/// Where copies are made, and the proof that nothing is left there.
pub struct Scratch(TempDir);

impl Scratch {
    /// A new folder.
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// No copy, and no process that was started from one.
    pub fn assert_clean(&self) {
        let left: Vec<_> =
            std::fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "left: {left:?}");
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(executable) = std::fs::read_link(process.path().join("exe")) else { continue };
            assert!(!executable.starts_with(self.path()), "{} still runs", process.path().display());
        }
    }
}

/// Runs git in a folder, as somebody. It starts no upkeep of the repository: that goes on behind its back, and a phase
/// that another test of this process measures would take it for the work of an arm.
pub fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]);
    command.args(["-c", "maintenance.auto=false", "-c", "gc.auto=0"]).args(arguments);
    let status = command.stdin(Stdio::null()).status().expect("git");
    assert!(status.success(), "git {arguments:?}");
}
