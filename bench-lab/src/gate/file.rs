//! `gate.toml`: what a repository asks of its commits.
//!
//! A [`GateFile`] has passed every check that needs no engine.

mod check;
mod schema;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::instructions::workload::Workload;
use super::limits::Limits;
use super::question::Question;
use crate::bundle::BadBundle;
use crate::bundle::problem::Source;
use crate::bundle::schema::parse;

/// Its usual name.
pub const NAME: &str = "gate.toml";

/// A checked gate file.
#[derive(Clone, Debug, PartialEq)]
pub struct GateFile {
    /// The file, as the user named it.
    pub file: PathBuf,
    /// The folder of the baselines.
    pub baseline: PathBuf,
    /// The engine.
    pub engine: Engine,
    /// Asked only if it is there, as all questions.
    pub tree: Option<Tree>,
    /// The instruction counts.
    pub instructions: Option<Instructions>,
    /// The speed.
    pub speed: Option<Speed>,
    /// Size and start-up.
    pub size: Option<Size>,
}

/// Where the engine comes from; at least one of the first two.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// A finished executable.
    pub executable: Option<PathBuf>,
    /// A bundle that says how commits are built.
    pub bundle: Option<PathBuf>,
    /// UCI options that are set wherever it is spoken to.
    pub options: BTreeMap<String, String>,
    /// How long its bench, or an answer at its start, may take.
    pub patience: Duration,
}

/// The question for the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Arguments that make the engine print its node count and end.
    pub bench: Vec<String>,
    /// What the count is compared with: the first of these that has one.
    pub against: Vec<Against>,
    /// Whether another tree fails or only warns.
    pub is_hard: bool,
}

/// What can tell the node count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The `Bench: N` line of the commit message.
    Commit,
    /// The recorded count.
    Baseline,
}

/// The question for instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct Instructions {
    /// Its limits.
    pub limits: LimitSet,
    /// What runs benchmarks that count themselves, for the shell, in the folder of the file.
    pub command: Option<String>,
    /// What the engine itself is given to do.
    pub workloads: BTreeMap<String, Workload>,
    /// At most so many functions of a benchmark are told.
    pub functions: usize,
}

/// The question for speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// Its limits.
    pub limits: LimitSet,
    /// Benchmarks that criterion has measured.
    pub criterion: Option<Criterion>,
}

/// Where criterion keeps what it has measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// Its folder.
    pub folder: PathBuf,
    /// The name of the run of the base.
    pub base: String,
    /// The name of the run of the head.
    pub head: String,
}

/// The question for size and start-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// Its limits.
    pub limits: LimitSet,
    /// Starts of each side.
    pub starts: usize,
}

/// The limits of a question's benchmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitSet {
    /// Of every benchmark that has none of its own.
    pub common: Option<Limits>,
    /// Of single benchmarks; what they do not say is as in `common`.
    pub own: BTreeMap<String, Limits>,
}

impl LimitSet {
    /// The limits of a benchmark; none: it is not asked about.
    pub fn of(&self, benchmark: &str) -> Option<Limits> {
        let common = || self.common;
        self.own.get(benchmark).copied().or_else(common)
    }
}

impl GateFile {
    /// Reads and checks a gate file.
    pub fn read(file: &Path) -> Result<GateFile, BadBundle> {
        GateFile::of(&Source::read(file)?)
    }

    /// Checks the text of a gate file as if `file` held it.
    pub fn of_text(file: &Path, text: String) -> Result<GateFile, BadBundle> {
        GateFile::of(&Source { path: file.to_path_buf(), text })
    }

    fn of(source: &Source) -> Result<GateFile, BadBundle> {
        check::check(source, &parse(source)?)
    }

    /// The folder that it lies in.
    pub fn folder(&self) -> &Path {
        match self.file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// The questions that it asks, in the order of [`Question::ALL`].
    pub fn questions(&self) -> Vec<Question> {
        let asks = |question: &Question| match question {
            Question::Tree => self.tree.is_some(),
            Question::Instructions => self.instructions.is_some(),
            Question::Speed => self.speed.is_some(),
            Question::Size => self.size.is_some(),
        };
        Question::ALL.into_iter().filter(asks).collect()
    }
}
