//! A throw-away cargo project around the little engine, and the lab run on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One lab at a time may build in the project.
static TURN: Mutex<()> = Mutex::new(());

const MANIFEST: &str = r#"[package]
name = "mini"
version = "0.0.0"
edition = "2024"

[features]
quick = []
odd = []
frail = []
first = []
second = []
idle = []

[profile.release]
lto = "fat"
codegen-units = 1
panic = "abort"

[workspace]
"#;

const POSITIONS: &str =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n";

/// The project, for as long as its turn lasts.
pub struct Mini {
    folder: PathBuf,
    pub trials: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Mini {
    /// Takes the project; it is kept between tests so that its builds are.
    pub fn take() -> Mini {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mini");
        fs::create_dir_all(folder.join("src")).expect("a folder");
        let write = |name: &str, text: &str| {
            // An unchanged file keeps its time, so that cargo finds it fresh.
            if fs::read_to_string(folder.join(name)).ok().as_deref() != Some(text) {
                fs::write(folder.join(name), text).expect("a file");
            }
        };
        write("Cargo.toml", MANIFEST);
        write("src/main.rs", include_str!("engine.rs"));
        write("work.epd", POSITIONS);
        let mini = Mini { folder, trials: tempfile::tempdir().expect("a folder"), _turn: turn };
        mini.live();
        mini
    }

    /// Tells frail arms to die.
    pub fn die(&self) {
        fs::write(self.folder.join("die"), "").expect("a file");
    }

    fn live(&self) {
        match fs::remove_file(self.folder.join("die")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
            _ => {}
        }
    }

    /// A bundle with these features as components.
    pub fn bundle(&self, features: &[&str]) -> PathBuf {
        self.bundle_with(features, "")
    }

    /// The same with more tables.
    pub fn bundle_with(&self, features: &[&str], more: &str) -> PathBuf {
        let components: Vec<String> = features
            .iter()
            .map(|f| format!("[[component]]\nname = \"{f}\"\nfeature = \"{f}\"\ncosts = []\n"))
            .collect();
        let text = format!(
            "name = \"mini\"\n[build]\nkind = \"cargo\"\npath = \".\"\npackage = \"mini\"\n{}\
             [workload]\npositions = \"work.epd\"\nnodes = 20000\n\
             [identity]\npositions = 4\nnodes = 100\n[[lane]]\nname = \"main\"\ncore = 0\n\
             [measure]\nprocesses = 1\nslice_ms = 2\ncalibration_phases = 4\n{more}",
            components.join("")
        );
        let path = self.folder.join("bundle.toml");
        fs::write(&path, text).expect("a bundle");
        path
    }

    /// Where the trial goes.
    pub fn out(&self) -> PathBuf {
        self.trials.path().join("trial")
    }

    /// Where trials are registered.
    pub fn register(&self) -> PathBuf {
        self.trials.path().join("register.jsonl")
    }

    /// The lab's `run` on a bundle.
    pub fn command(&self, bundle: &Path) -> Command {
        let mut command = lab();
        command.arg("run").arg(bundle).arg("--out").arg(self.out()).args(["--anyway", "--seed", "7"]);
        command.arg("--register").arg(self.register()).env("BENCH_LAB_LOCKS", self.trials.path());
        command.env_remove("CARGO_TARGET_DIR").stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Folders of single trials in the lab's work folder: none when no lab runs.
    pub fn scratch_folders(&self) -> Vec<String> {
        // Before the first trial there is no work folder.
        let entries = fs::read_dir(self.folder.join("target/bench-lab")).ok().into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("trial-")).collect()
    }

    /// How many draws have executables on the disk at this moment.
    pub fn draws(&self) -> usize {
        let work = self.folder.join("target/bench-lab");
        let folders = self.scratch_folders().into_iter().map(|name| work.join(name));
        let files = folders.filter_map(|folder| fs::read_dir(folder).ok()).flat_map(|files| files.flatten());
        // `<set>.<arm>.<seed>.drawn`
        let seed = |name: &str| name.strip_suffix(".drawn")?.rsplit('.').next().map(str::to_owned);
        let seeds = files.filter_map(|file| seed(&file.file_name().to_string_lossy()));
        seeds.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// Processes that still run something of the project, or in its folder.
    pub fn orphans(&self) -> Vec<String> {
        let entries = fs::read_dir("/proc").expect("processes").flatten();
        let is_ours = |entry: &fs::DirEntry| {
            let names = |link: &str| fs::read_link(entry.path().join(link));
            ["exe", "cwd"].iter().any(|link| names(link).is_ok_and(|path| path.starts_with(&self.folder)))
        };
        let name = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        entries.filter(is_ours).map(name).collect()
    }
}

impl Drop for Mini {
    fn drop(&mut self) {
        self.live();
    }
}

/// The lab.
pub fn lab() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bench-lab"))
}

/// Standard error as text.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
