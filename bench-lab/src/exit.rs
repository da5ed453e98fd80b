//! The exit codes of every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proven, or nothing to complain about.
    Proven,
    /// An error of the program or its surroundings.
    Error,
    /// Wrong usage or a bad bundle.
    Usage,
    /// Judged and not proven.
    NotProven,
    /// The arms search different trees.
    TreesDiffer,
    /// The trial broke off.
    Void,
    /// The noise is too large for the question.
    NotResolved,
    /// The trial waits between two runs.
    Paused,
}

impl Exit {
    /// The number the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Proven => 0,
            Exit::Error => 1,
            Exit::Usage => 2,
            Exit::NotProven => 3,
            Exit::TreesDiffer => 4,
            Exit::Void => 5,
            Exit::NotResolved => 6,
            Exit::Paused => 7,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
