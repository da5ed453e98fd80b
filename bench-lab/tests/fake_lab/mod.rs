//! The real lab on the fake engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::fake_engine;

/// Components of the fake engine that save work: in this order, the first ones.
const PARTS: [&str; 2] = ["A", "B"];

/// A folder with a bundle, and the lab at work there.
pub struct Lab {
    folder: TempDir,
}

/// What a command left behind.
pub struct Told {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Lab {
    pub fn new() -> Lab {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(
            folder.path().join("work.epd"),
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n8/8/8/4k3/8/4K3/4P3/8 b - - 0 1\n",
        )
        .expect("positions");
        Lab { folder }
    }

    /// Where the trial goes.
    pub fn trial(&self) -> PathBuf {
        self.folder.path().join("trial")
    }

    /// A bundle of the fake engine: its components, its lanes, and what else is to be said in `[measure]` and behind it.
    pub fn bundle(&self, components: &str, lanes: &[String], rest: &str) -> PathBuf {
        let text = format!(
            "name = \"fake\"\n[build]\nkind = \"prebuilt\"\nexecutable = {:?}\n{components}{}\
             [workload]\npositions = \"work.epd\"\nnodes = 20000\n\
             [measure]\nprocesses = 1\nslice_ms = 2\ncalibration_phases = 4\n{rest}",
            fake_engine(),
            lanes.concat()
        );
        let path = self.folder.path().join("bundle.toml");
        fs::write(&path, text).expect("a bundle");
        path
    }

    /// A file beside the bundle.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A whole trial, however loud the machine is.
    pub fn run(&self, bundle: &Path) -> Told {
        self.run_with(bundle, &["--anyway"])
    }

    /// A trial that is begun only if noise leaves it a chance.
    pub fn run_unless_hopeless(&self, bundle: &Path) -> Told {
        self.run_with(bundle, &[])
    }

    fn run_with(&self, bundle: &Path, arguments: &[&str]) -> Told {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
        command.arg("run").arg(bundle).arg("--out").arg(self.trial()).args(["--seed", "7"]).args(arguments);
        command
            .env("BENCH_LAB_LOCKS", self.folder.path())
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        let output = command.stdin(Stdio::null()).output().expect("the lab");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Told { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Told {
    /// The message that ended the command.
    pub fn error(&self) -> &str {
        let at = self.err.find("error: ").unwrap_or_else(|| panic!("no error in {}", self.err));
        self.err[at..].trim_end()
    }
}

/// A lane on a SIMD path, whose engines follow this script.
pub fn lane(name: &str, core: usize, simd: &str, script: &str) -> String {
    format!(
        "[[lane]]\nname = \"{name}\"\ncore = {core}\noptions = {{ SIMD = \"{simd}\", Script = \"{script}\" }}\n"
    )
}

/// The first components, each saving so many steps on every node.
pub fn saving(steps: &[i64]) -> String {
    let part = |(part, steps): (&str, &i64)| {
        format!(
            "[[component]]\nname = \"part-{}\"\noption = {{ name = \"Save {part}\", on = {steps}, off = 0 }}\ncosts = []\n",
            part.to_lowercase()
        )
    };
    PARTS.into_iter().zip(steps).map(part).collect()
}
