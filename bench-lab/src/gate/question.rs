//! What a gate can be asked.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the four questions.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Does the engine still search the same tree?
    Tree,
    /// Does it execute more instructions for the same work?
    Instructions,
    /// Do benchmarks that criterion has measured take longer?
    Speed,
    /// Is it larger, in the file or in memory, or slower to start?
    Size,
}

impl Question {
    /// All of them, in the order in which they are asked: the cheap ones first.
    pub const ALL: [Question; 4] = [Question::Tree, Question::Size, Question::Instructions, Question::Speed];

    /// Whether its counts are recorded: not those of a machine.
    pub const fn is_recorded(self) -> bool {
        !matches!(self, Question::Speed)
    }

    /// Its name on the command line, in `gate.toml` and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Question::Tree => "tree",
            Question::Instructions => "instructions",
            Question::Speed => "speed",
            Question::Size => "size",
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
