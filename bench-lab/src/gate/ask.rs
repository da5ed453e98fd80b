//! Asking: what every question works with, and which function answers it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use protocol::plan::Lane;

use super::answer::Answer;
use super::baseline::Baseline;
use super::file::GateFile;
use super::question::Question;
use super::{instructions, size, speed, tree};
use crate::Cancel;
use crate::commands::Failure;
use crate::fault::Fault;
use crate::lanes;
use crate::progress::Progress;

/// A side of the comparison: an executable that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// As messages and results tell it.
    pub name: String,
    /// The executable; nothing but the gate touches it.
    pub executable: PathBuf,
}

/// What a question works with.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// What the repository asks.
    pub file: &'a GateFile,
    /// The engine that is asked about.
    pub head: &'a Engine,
    /// What it is compared with, where that is measured too.
    pub base: Option<&'a Engine>,
    /// The repository of the head's source.
    pub repository: &'a Path,
    /// The commit of the head there, as git knows it.
    pub commit: &'a str,
    /// What was recorded for this question.
    pub recorded: Option<&'a Baseline>,
    /// The core that processes are measured on.
    pub core: usize,
    /// A folder for files that are gone afterwards.
    pub scratch: &'a Path,
    /// Where it is told how far it is.
    pub progress: &'a Progress,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
}

impl Asked<'_> {
    /// The core and the UCI options of engines that are spoken to.
    pub(super) fn lane(&self) -> Result<Lane, Failure> {
        let mut options = self.file.engine.options.clone();
        // As in bundles: such an option names a file, beside the gate file.
        for (name, value) in options.iter_mut().filter(|(name, _)| name.ends_with("File")) {
            *value = lanes::resolved(&self.file.folder().join(&*value)).map_err(|error| {
                Failure::Usage(format!("option {name} of {}: {error:#}", self.file.file.display()))
            })?;
        }
        Ok(Lane { name: "gate".to_owned(), core: self.core, options, files: BTreeMap::new(), build: 0 })
    }
}

/// Asks one question; none where the file does not ask it.
pub fn ask(question: Question, asked: &Asked<'_>) -> Result<Option<Answer>, Failure> {
    match question {
        Question::Tree => asked.file.tree.as_ref().map(|tree| tree::ask(asked, tree)).transpose(),
        Question::Size => asked.file.size.as_ref().map(|size| size::ask(asked, size)).transpose(),
        Question::Instructions => {
            asked.file.instructions.as_ref().map(|wanted| instructions::ask(asked, wanted)).transpose()
        }
        Question::Speed => asked.file.speed.as_ref().map(|speed| speed::ask(asked, speed)).transpose(),
    }
}

/// What voids a row: an engine that does not do what it should. Everything else ends the gate.
pub fn broken(fault: Fault) -> Result<String, Failure> {
    match fault {
        Fault::Cancelled => Err(Failure::Void("interrupted: nothing was judged".to_owned())),
        Fault::NoBench { arm, command, last } => Ok(format!(
            "arm {arm}: `{command}` {}; expected `<n> nodes <nps> nps` as its last line or a line `Nodes searched : \
             <n>`: `bench = […]` in `[tree]` names the arguments of the bench",
            if last.is_empty() { "says nothing".to_owned() } else { format!("ends with `{last}`") }
        )),
        fault if fault.is_bundles_doing() => Err(Failure::Usage(fault.to_string())),
        fault if fault.is_arms_doing() || matches!(fault, Fault::Slept { .. }) => Ok(fault.to_string()),
        fault => Err(Failure::Other(fault.into())),
    }
}
