//! A bundle around the engine that falls ill on demand, and the lab run on it: nothing is built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One lab at a time: labs take turns on a core.
static TURN: Mutex<()> = Mutex::new(());

const POSITIONS: &str =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n";

/// The bundle in a folder of its own.
pub struct Ill {
    folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Ill {
    /// A bundle whose arms with the component fall ill in this way.
    pub fn new(ill: &str) -> Ill {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        write("work.epd", POSITIONS);
        write(
            "bundle.toml",
            &format!(
                "name = \"ill\"\n[build]\nkind = \"prebuilt\"\nexecutable = \"engine\"\n\
                 [[component]]\nname = \"cure\"\ncosts = []\n\
                 option = {{ name = \"Ill\", on = \"{ill}@{}\", off = \"none\" }}\n\
                 [workload]\npositions = \"work.epd\"\nnodes = 20000\n\
                 [identity]\npositions = 4\nnodes = 100\nbench = []\n[[lane]]\nname = \"main\"\ncore = 0\n\
                 [measure]\nprocesses = 1\nslice_ms = 1\ncalibration_phases = 4\n",
                folder.path().join("mark").display()
            ),
        );
        let test = std::env::current_exe().expect("this test");
        let engine = test.ancestors().nth(2).expect("a target folder").join("examples/ill_engine");
        assert!(engine.exists(), "{} is missing: `cargo build -p bench-lab --examples`", engine.display());
        fs::copy(engine, folder.path().join("engine")).expect("the engine");
        Ill { folder, _turn: turn }
    }

    /// A file of the bundle's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where the trial goes.
    pub fn out(&self) -> PathBuf {
        self.path("trial")
    }

    /// The lab, as it works here.
    pub fn lab(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.path("caches")).env("BENCH_LAB_LOCKS", self.folder.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The lab at work on the bundle.
    pub fn run(&self) -> Child {
        self.lab(&["run", "bundle.toml", "--anyway", "--out", "trial", "--seed", "7"])
            .spawn()
            .expect("the lab")
    }

    /// From now on the arms are ill.
    pub fn fall(&self) {
        fs::write(self.path("mark"), "").expect("a file");
    }

    /// Waits until the trial has this many records.
    pub fn wait_for_records(&self, lab: &mut Child, count: usize) {
        let begun = Instant::now();
        while records(&self.out()).lines().count() < count {
            assert!(lab.try_wait().expect("a child").is_none(), "the lab ended before it had measured");
            assert!(begun.elapsed() < Duration::from_secs(300), "the lab does not measure");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Files and folders of single trials in the lab's work folder: none when no lab runs.
    pub fn litter(&self) -> Vec<String> {
        let of_bundle = fs::read_dir(self.path("caches/bench-lab")).into_iter().flatten().flatten();
        let entries = of_bundle.flat_map(|bundle| fs::read_dir(bundle.path()).expect("a folder").flatten());
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| !["lock", "links", "trees", "target"].contains(&name.as_str())).collect()
    }

    /// Waits until no process of the bundle is left: the kernel ends them when their lab is gone, and until then they hold
    /// what it had locked.
    pub fn wait_until_alone(&self) {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{left:?} left");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The lab, its arms, and what they have started: processes that were started in the bundle's folder.
    pub fn processes(&self) -> Vec<String> {
        let own = self.folder.path().canonicalize().expect("the folder");
        let processes = fs::read_dir("/proc").expect("processes").flatten();
        let is_ours =
            |process: &fs::DirEntry| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == own);
        let name = |process: fs::DirEntry| {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            format!("{} {}", name.trim(), process.file_name().display())
        };
        processes.filter(is_ours).map(name).collect()
    }
}

/// The records of a trial so far.
pub fn records(folder: &Path) -> String {
    fs::read_to_string(folder.join("records.jsonl")).unwrap_or_default()
}
