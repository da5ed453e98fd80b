//! What can be wrong with a command, said with what was found and what was expected.

use std::io;

use thiserror::Error;

use crate::nnue::NetError;
use crate::position::FenError;
use crate::search::TableError;

/// Longest piece of foreign text that a message repeats.
const EXCERPT: usize = 60;

/// `text` as a message may repeat it: short, and without control characters.
pub fn excerpt(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(EXCERPT).map(clean).collect();
    if text.chars().nth(EXCERPT).is_some() {
        short.push('…');
    }
    short
}

/// A command that is not carried out.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The first word is none of ours.
    #[error("unknown command '{found}'; expected one of: {expected}")]
    Unknown {
        /// The first word.
        found: String,
        /// All commands.
        expected: &'static str,
    },
    /// A word in a place where another was expected.
    #[error("{place}: found '{found}', expected {expected}")]
    Word {
        /// Command and parameter.
        place: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// The line ends where something was expected.
    #[error("{place}: the line ends, expected {expected}")]
    Missing {
        /// Command and parameter.
        place: String,
        /// What should stand there.
        expected: String,
    },
    /// A FEN that does not describe a legal position.
    #[error("position fen: {0}")]
    Fen(#[from] FenError),
    /// A move that cannot be played.
    #[error("{place}: move {number}, found '{found}', expected a legal move in {fen}")]
    Illegal {
        /// Command and parameter.
        place: &'static str,
        /// Which move of the list, from 1.
        number: usize,
        /// The text.
        found: String,
        /// Where it should be legal.
        fen: String,
    },
    /// Bytes that are not text.
    #[error("input line: byte {at} is not UTF-8; expected text")]
    NotText {
        /// Offset of the first such byte.
        at: usize,
    },
    /// More than any command needs.
    #[error("input line: more than {most} bytes; expected a shorter line")]
    TooLong {
        /// Longest line that is read.
        most: usize,
    },
    /// A search that would never end, where nothing can stop it.
    #[error("go: without a limit; expected depth, nodes, movetime or a clock when given as an argument")]
    Endless,
}

impl CommandError {
    /// A word in a place where another was expected.
    pub fn word(place: impl Into<String>, found: &str, expected: impl Into<String>) -> Self {
        Self::Word { place: place.into(), found: excerpt(found), expected: expected.into() }
    }

    /// The line ends too early.
    pub fn missing(place: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Missing { place: place.into(), expected: expected.into() }
    }
}

/// Why a well-formed command could not be carried out, or that it was not well formed.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The controller's mistake.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The table could not be had.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The net could not be loaded.
    #[error("EvalFile: {0}; keeping the net in use")]
    Net(#[from] NetError),
    /// Nobody to read the commands.
    #[error("cannot start: expected a thread that reads commands, found {0}")]
    NoReader(#[source] io::Error),
    /// There is no net or no room to evaluate with it.
    #[error("{0}; nothing can be evaluated until it is there")]
    NoEvaluator(#[source] NetError),
}

impl SessionError {
    /// The controller's mistake, not that of the surroundings.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Command(_))
    }
}
