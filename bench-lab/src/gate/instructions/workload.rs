//! Work that any engine does under callgrind: its bench, or searches to a number of nodes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use layouts::startup::Startup;
use protocol::plan::Lane;
use thiserror::Error;

use super::callgrind::{Counts, Malformed};
use crate::Cancel;
use crate::arm::session::{self, Limits};
use crate::arm::{ArmImage, ArmProcess};
use crate::fault::Fault;

/// Positions for who names none: the first one, a middle game, an ending.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/8/8 w - - 2 40",
];

/// The program that counts; none where `PATH` has none.
pub fn valgrind() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("valgrind")).find(|file| file.is_file())
}

/// What an engine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The work.
    pub task: Task,
    /// Only what is executed within functions of this name, as callgrind's `--toggle-collect` matches it, is counted.
    pub within: Option<String>,
}

/// The work itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// It is started with these arguments and ends by itself.
    Bench(Vec<String>),
    /// It is spoken to by UCI and searches each position to so many nodes, one after the other.
    Search {
        /// The positions.
        positions: Vec<String>,
        /// Nodes of each.
        nodes: u64,
    },
}

impl Workload {
    /// Searches of positions of every kind.
    pub fn searches(nodes: u64) -> Workload {
        Workload {
            task: Task::Search { positions: POSITIONS.map(str::to_owned).to_vec(), nodes },
            within: None,
        }
    }

    /// In words that stay the same as long as the work does.
    pub fn told(&self) -> String {
        let task = match &self.task {
            Task::Bench(arguments) => format!("`{}`", arguments.join(" ")),
            Task::Search { positions, nodes } => format!("{nodes} nodes of {}", positions.join(", ")),
        };
        match &self.within {
            None => task,
            Some(function) => format!("{task} within {function}"),
        }
    }
}

/// Why nothing was counted.
#[derive(Debug, Error)]
pub enum Broken {
    /// The engine did not do its work.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Callgrind left no file.
    #[error("callgrind has left no counts in {}: {source}", path.display())]
    NoCounts {
        /// Where they should be.
        path: PathBuf,
        /// Why they cannot be read.
        source: io::Error,
    },
    /// Callgrind's file is not whole.
    #[error("what callgrind has left cannot be read: {0}")]
    Malformed(#[from] Malformed),
    /// `within` names nothing that was executed.
    #[error(
        "no instruction was counted within `{0}`: is a function called so, and does it have a name in the executable?"
    )]
    NothingWithin(String),
}

/// Whose work is counted, and with what.
pub struct Counting<'a> {
    /// The name of the engine, in messages.
    pub name: &'a str,
    /// The engine.
    pub executable: &'a Path,
    /// Valgrind.
    pub valgrind: &'a Path,
    /// Options that are set where it is spoken to.
    pub lane: &'a Lane,
    /// How long an answer, a search or the whole bench may take, under valgrind.
    pub patience: Duration,
    /// A folder for files that are gone afterwards.
    pub scratch: &'a Path,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
}

impl Counting<'_> {
    /// Does the work once.
    pub fn count(&self, workload: &Workload) -> Result<Counts, Broken> {
        let file = self.scratch.join("callgrind.out");
        let arguments = self.arguments(workload, &file);
        match &workload.task {
            Task::Bench(_) => self.bench(&arguments)?,
            Task::Search { positions, nodes } => self.search(arguments, positions, *nodes)?,
        }
        let text =
            fs::read_to_string(&file).map_err(|source| Broken::NoCounts { path: file.clone(), source })?;
        // The next count must not find it.
        fs::remove_file(&file).map_err(|source| Broken::NoCounts { path: file, source })?;
        let counts = Counts::parse(&text)?;
        match &workload.within {
            Some(function) if counts.total == 0 => Err(Broken::NothingWithin(function.clone())),
            _ => Ok(counts),
        }
    }

    /// Callgrind's, then the engine and its own.
    fn arguments(&self, workload: &Workload, file: &Path) -> Vec<String> {
        let mut arguments: Vec<String> = [
            "-q",
            "--tool=callgrind",
            "--cache-sim=no",
            "--branch-sim=no",
            "--dump-line=no",
            "--fair-sched=try",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--callgrind-out-file={}", file.display()));
        arguments.extend(workload.within.iter().map(|function| format!("--toggle-collect={function}")));
        // Without a slash valgrind would look for it in `PATH`.
        let executable = std::path::absolute(self.executable).unwrap_or(self.executable.to_path_buf());
        arguments.push(executable.display().to_string());
        if let Task::Bench(own) = &workload.task {
            arguments.extend(own.iter().cloned());
        }
        arguments
    }

    /// Starts valgrind; with `said`, arguments of a process that is spoken to.
    fn image(&self, said: Vec<String>) -> ArmImage {
        let prepare = move |command: &mut Command| {
            command.args(&said);
            // The same environment and addresses every time. Where a system forbids that, counting twice tells what
            // it costs.
            let fixed = Startup { stack_offset: 0, mapping_offset: 0, tables: 0 };
            if fixed.apply(command).is_err() {
                command.env_clear();
            }
            Ok(BTreeMap::new())
        };
        ArmImage::prepared(self.name, self.valgrind, prepare).with_copies(false)
    }

    fn bench(&self, arguments: &[String]) -> Result<(), Fault> {
        let image = self.image(Vec::new());
        let mut process = ArmProcess::spawn(&image, arguments, None, self.scratch, "gate, under callgrind")?;
        process.set_step("at its bench");
        self.to_the_end(&mut process)
    }

    fn search(&self, arguments: Vec<String>, positions: &[String], nodes: u64) -> Result<(), Fault> {
        let limits = self.limits();
        let image = self.image(arguments);
        let mut process = ArmProcess::spawn(&image, &[], None, self.scratch, "gate, under callgrind")?;
        session::get_ready(&mut process, self.lane, &limits, self.cancel)?;
        for position in positions {
            process.set_step(format!("at `go nodes {nodes}`"));
            let found = session::search(&mut process, position, nodes, &limits, self.cancel, |_| ())?;
            if found.nodes.is_none() {
                return Err(process.counts_no_nodes(position));
            }
        }
        process.send("quit")?;
        process.set_step("at `quit`");
        self.to_the_end(&mut process)
    }

    fn limits(&self) -> Limits {
        Limits { start: self.patience, search: self.patience, quit: self.patience }
    }

    fn to_the_end(&self, process: &mut ArmProcess) -> Result<(), Fault> {
        session::to_the_end(process, "its end", &self.limits(), self.cancel, drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_told_as_long_as_it_is_the_same_in_the_same_words() {
        let bench = Workload { task: Task::Bench(vec!["bench".into(), "6".into()]), within: None };
        assert_eq!(bench.told(), "`bench 6`");
        let positions = vec!["startpos".to_owned(), "8/8/8/8/8/8/8/8 w - - 0 1".to_owned()];
        let search =
            Workload { task: Task::Search { positions, nodes: 5_000 }, within: Some("*search*".into()) };
        assert_eq!(search.told(), "5000 nodes of startpos, 8/8/8/8/8/8/8/8 w - - 0 1 within *search*");
    }
}
