//! What does not fit in a register.

/// The first thing in a register that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterFault {
    /// The last line has no end.
    #[error("line {line}: cut off after {bytes} bytes, expected a newline at its end")]
    Torn {
        /// Line, from 1.
        line: usize,
        /// Bytes of it that are there.
        bytes: usize,
    },
    /// The line is no entry.
    #[error("line {line}: {found}; expected an entry of the register")]
    NotAnEntry {
        /// Line, from 1.
        line: usize,
        /// What it is instead, with the column.
        found: String,
    },
    /// The line says what an entry says, but is written otherwise.
    #[error(
        "line {line}: found `…{found}…` from column {column} on, expected `…{expected}…` as the lab writes it"
    )]
    NotCanonical {
        /// Line, from 1.
        line: usize,
        /// Column of the first byte that differs, from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What should stand there.
        expected: String,
    },
    /// The line is not what it was when it was written.
    #[error(
        "line {line}: its contents have SHA-256 {found}, expected {expected} as the line says itself: it was changed"
    )]
    Changed {
        /// Line, from 1.
        line: usize,
        /// Digest of its contents.
        found: String,
        /// Digest that it holds.
        expected: String,
    },
    /// The line is not in its place.
    #[error(
        "line {line}: found the entry with number {found}, expected {line}: lines were taken out, put in or moved"
    )]
    Number {
        /// Line, from 1.
        line: usize,
        /// Number that it holds.
        found: usize,
    },
    /// The line before is not the one that this line was written behind.
    #[error("{}", broken(*line, found, expected))]
    Chain {
        /// The line that tells, from 1.
        line: usize,
        /// Digest of the line before it.
        found: String,
        /// What this line says of it.
        expected: String,
    },
    /// The event cannot have happened after those before.
    #[error("line {line}: found {found}, expected {expected}")]
    Story {
        /// Line, from 1.
        line: usize,
        /// The event.
        found: String,
        /// What could have happened.
        expected: String,
    },
}

impl RegisterFault {
    /// The line that it is about, from 1.
    pub fn line(&self) -> usize {
        match self {
            RegisterFault::Torn { line, .. }
            | RegisterFault::NotAnEntry { line, .. }
            | RegisterFault::NotCanonical { line, .. }
            | RegisterFault::Changed { line, .. }
            | RegisterFault::Number { line, .. }
            | RegisterFault::Story { line, .. } => *line,
            RegisterFault::Chain { line, .. } => line.saturating_sub(1).max(1),
        }
    }
}

/// Two lines that do not hold together: the earlier one was changed or put in later.
fn broken(line: usize, found: &str, expected: &str) -> String {
    match line - 1 {
        0 => format!("line 1: found nothing before it, expected a line with SHA-256 {expected} as it says"),
        before => format!(
            "line {before}: found SHA-256 {found}, expected {expected} as line {line} says: it is not the line that was \
             there"
        ),
    }
}
