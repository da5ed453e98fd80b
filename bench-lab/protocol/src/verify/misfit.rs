//! The first thing that does not fit.

use std::fmt;

/// Where something does not fit, what was found there and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Misfit {
    /// The file.
    pub file: String,
    /// Its line, from 1, where one is to blame.
    pub line: Option<usize>,
    /// What was found, and what was expected.
    pub what: String,
}

impl Misfit {
    /// Something about a whole file.
    pub(super) fn file(file: &str, what: impl fmt::Display) -> Misfit {
        Misfit { file: file.to_owned(), line: None, what: what.to_string() }
    }

    /// Something in a line, from 1.
    pub(super) fn line(file: &str, line: usize, what: impl fmt::Display) -> Misfit {
        Misfit { file: file.to_owned(), line: Some(line), what: what.to_string() }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}
