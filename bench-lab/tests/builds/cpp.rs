//! A throw-away source tree around a little C++ engine, a git repository, and the lab at work on it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bench_lab::Cancel;
use bench_lab::arm::ArmImage;
use bench_lab::arm::session::Limits;
use bench_lab::builds::{self, Shop, Yard};
use bench_lab::bundle::Bundle;
use bench_lab::identity::{self, IdentityJob, IdentitySet, Level};
use bench_lab::progress::Progress;
use bench_lab::subject::ArmSet;
use protocol::plan::{Identity, Lane};

/// How the engine is built.
pub const COMMAND: &str = "kind = \"command\"\npath = \"tree\"\nexecutable = \"engine\"\n\
    command = \"make -j{jobs} CXX={compiler} CXXFLAGS='{level} {cc_flags}' LDFLAGS='{ld_flags}'\"\n\
    vars = { compiler = \"g++\", level = \"-O1\" }\n";

const POSITIONS: &str =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n";

/// The folder with tree, bundle and everything that the lab leaves.
pub struct Cpp {
    folder: tempfile::TempDir,
}

/// Arms of a bundle.
#[derive(Debug)]
pub struct Made {
    pub bundle: Bundle,
    pub sets: Vec<ArmSet>,
    pub yard: Yard,
}

impl Cpp {
    pub fn new() -> Cpp {
        let cpp = Cpp { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(cpp.tree()).expect("a folder");
        fs::write(cpp.tree().join("engine.cpp"), include_str!("tree/engine.cpp")).expect("a file");
        fs::write(cpp.tree().join("Makefile"), include_str!("tree/Makefile")).expect("a file");
        fs::write(cpp.folder().join("short-table.diff"), include_str!("tree/short-table.diff"))
            .expect("a file");
        fs::write(cpp.folder().join("work.epd"), POSITIONS).expect("a file");
        cpp.git(&["init", "--quiet", "--initial-branch=trunk"]);
        cpp.git(&["add", "."]);
        cpp.git(&["commit", "--quiet", "-m", "the engine"]);
        cpp
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn tree(&self) -> PathBuf {
        self.folder().join("tree")
    }

    /// Changes the source.
    pub fn change(&self, from: &str, to: &str) {
        let file = self.tree().join("engine.cpp");
        let text = fs::read_to_string(&file).expect("the source");
        assert!(text.contains(from), "nothing to change");
        fs::write(file, text.replacen(from, to, 1)).expect("the source");
    }

    /// A branch with a change that the tree does not have.
    pub fn branch(&self, name: &str, from: &str, to: &str) {
        self.git(&["checkout", "--quiet", "-b", name]);
        self.change(from, to);
        self.git(&["commit", "--quiet", "-am", name]);
        self.git(&["checkout", "--quiet", "trunk"]);
    }

    pub fn git(&self, arguments: &[&str]) {
        crate::support::git(&self.tree(), arguments);
    }

    /// A bundle with this `[build]`, these components and these lanes beside `main`.
    pub fn bundle(&self, build: &str, components: &str, lanes: &str) -> PathBuf {
        let text = format!(
            "name = \"cpp\"\n[build]\n{build}{components}[workload]\npositions = \"work.epd\"\nnodes = 20000\n\
             [identity]\npositions = 4\nnodes = 100\n[[lane]]\nname = \"main\"\ncore = 0\n{lanes}\
             [measure]\nprocesses = 1\nslice_ms = 1\ncalibration_phases = 4\n"
        );
        let path = self.folder().join("bundle.toml");
        fs::write(&path, text).expect("a bundle");
        path
    }

    /// Builds the arms; what the user is told when that fails.
    pub fn made(&self, bundle: &Path) -> Result<Made, String> {
        self.made_until(bundle, &Cancel::new())
    }

    /// The same, until it is called off.
    pub fn made_until(&self, bundle: &Path, cancel: &Cancel) -> Result<Made, String> {
        // Only what lies below the folder is the same on every machine.
        let told = |message: String| message.replace(&format!("{}/", self.folder().display()), "");
        let bundle = Bundle::read(bundle).map_err(|problems| told(problems.to_string()))?;
        let yard = Yard::enter(&self.yard()).map_err(|error| told(error.to_string()))?;
        let linker = [env!("CARGO_BIN_EXE_bench-lab"), "layout", "link"].map(OsString::from);
        let progress = Progress::new();
        let shop = Shop { yard: &yard, jobs: Some(2), linker: &linker, progress: &progress, cancel };
        let built = builds::build(&bundle, &shop).map_err(|error| told(error.to_string()))?;
        let sets = ArmSet::open_all(&bundle, built, &yard).map_err(|error| told(format!("{error:#}")))?;
        sets.iter().try_for_each(|set| set.check_effects(&bundle)).map_err(|p| told(p.to_string()))?;
        Ok(Made { bundle, sets, yard })
    }

    fn yard(&self) -> PathBuf {
        self.folder().join("yard")
    }

    /// Files of this name in the private copies.
    pub fn kept(&self, name: &str) -> Vec<PathBuf> {
        let trees = fs::read_dir(self.yard().join("trees")).into_iter().flatten().flatten();
        trees.map(|tree| tree.path().join("tree").join(name)).filter(|file| file.exists()).collect()
    }

    /// Runs a whole trial; its exit code and what it told.
    pub fn run(&self, bundle: &Path, out: &str) -> (Option<i32>, String) {
        let bundle = bundle.to_str().expect("a UTF-8 path");
        let fixed = ["--anyway", "--seed", "7", "--register", "register.jsonl", "--out", out];
        let output = self.lab(&[&["run", bundle], &fixed[..]].concat());
        let told = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&told).into_owned())
    }

    /// Runs the lab in the folder.
    pub fn lab(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the lab")
    }

    /// The lab, as it works in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
        command.args(arguments).current_dir(self.folder()).env("BENCH_LAB_LOCKS", self.folder());
        command.env("XDG_CACHE_HOME", self.folder().join("cache")).stdin(Stdio::null());
        command
    }
}

impl Made {
    /// The proof that these arms of the first set search the same tree on the first lane.
    pub fn same_tree(&self, arms: &[ArmImage]) -> Result<Identity, identity::Refusal> {
        let plain = |arm: &ArmImage| {
            ArmImage::plain(arm.name.clone(), arm.executable.clone()).with_options(arm.options.clone())
        };
        let lane = &self.bundle.lanes[0];
        let lane = Lane {
            name: lane.name.clone(),
            core: lane.core,
            options: lane.options.clone(),
            files: Default::default(),
            build: 0,
        };
        let job = IdentityJob {
            sets: &[IdentitySet { name: self.sets[0].name.clone(), arms: arms.iter().map(plain).collect() }],
            lanes: &[lane],
            levels: &[Level { positions: self.bundle.identity.suite[..4].to_vec(), nodes: 100 }],
            bench: &self.bundle.identity.bench,
            scratch: self.yard.scratch(),
            limits: Limits::default(),
        };
        identity::prove(&job, &Cancel::new(), &|_| ())
    }
}
