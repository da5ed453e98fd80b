//! A repository of a fake engine, and the gate at work in it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::fake_engine;

/// The gate file of most tests.
pub const GATE: &str = "[engine]\nexecutable = \"engine\"\nseconds = 60\n[tree]\n[size]\nbenchmark.executable = { soft = 1, hard = 5 }\n";

/// A repository.
pub struct Repository {
    folder: TempDir,
}

/// What a command left behind.
pub struct Told {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Repository {
    /// With the engine and this gate file, not under git yet.
    pub fn new(gate: &str) -> Repository {
        let repository = Repository { folder: tempfile::tempdir().expect("a folder") };
        repository.write("gate.toml", gate);
        repository.engine("engine", "");
        repository
    }

    /// The same under git, with one commit of this message.
    pub fn with_commit(gate: &str, message: &str) -> Repository {
        let repository = Repository::new(gate);
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit(message);
        repository
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    /// A copy of the fake engine that follows a script.
    pub fn engine(&self, name: &str, script: &str) {
        let path = self.path(name);
        fs::copy(fake_engine(), &path).expect("copied");
        if !script.is_empty() {
            let mut file = OpenOptions::new().append(true).open(&path).expect("opened");
            write!(file, "#FAKE_ENGINE:{script}").expect("written");
        }
    }

    /// Makes a file longer by so many bytes, which say nothing.
    pub fn grow(&self, name: &str, bytes: usize) {
        let mut file = OpenOptions::new().append(true).open(self.path(name)).expect("opened");
        file.write_all(&vec![0; bytes]).expect("written");
    }

    /// Commits everything but the engine.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "gate.toml"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    pub fn git(&self, arguments: &[&str]) {
        crate::support::git(self.folder.path(), arguments);
    }

    /// `bench-lab gate` in the repository.
    pub fn gate(&self, arguments: &[&str]) -> Told {
        self.gate_with(arguments, &[])
    }

    /// The same in a changed environment.
    pub fn gate_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Told {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
        command.current_dir(self.folder.path()).arg("gate").args(arguments);
        for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "FAKE_ENGINE"] {
            command.env_remove(name);
        }
        command
            .env("BENCH_LAB_LOCKS", self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            // No repository around the temporary folder counts.
            .env("GIT_CEILING_DIRECTORIES", self.folder.path().parent().unwrap_or(Path::new("/")));
        command.envs(variables.iter().copied());
        let output = command.stdin(Stdio::null()).output().expect("the lab");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Told { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Told {
    /// Checks the exit code.
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Told {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// Checks that something is said on standard output.
    #[track_caller]
    pub fn says(self, text: &str) -> Told {
        assert!(self.out.contains(text), "no {text:?} in\n{}\n{}", self.out, self.err);
        self
    }

    /// Checks that something is said on standard error.
    #[track_caller]
    pub fn complains(self, text: &str) -> Told {
        assert!(self.err.contains(text), "no {text:?} in\n{}", self.err);
        self
    }
}
