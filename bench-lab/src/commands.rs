//! The commands, each from its arguments to an exit code.

pub mod aa;
pub mod arguments;
pub mod check;
pub mod compare;
pub mod doctor;
mod eliminated;
mod follow;
pub mod gate;
mod given;
pub mod layout;
pub mod link;
pub mod pause;
pub mod register;
mod rejudge;
pub mod report;
pub mod resume;
pub mod run;
mod same_tree;
pub mod simulate;
pub mod verdict;
pub mod verify;

use std::io::{self, Write};

use thiserror::Error;

use crate::builds::BuildError;
use crate::bundle::BadBundle;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::folder::FolderError;
use crate::identity::{Difference, Refusal};
use crate::register::RegisterError;

/// Why a command ended before its work was done.
#[derive(Debug, Error)]
pub enum Failure {
    /// The bundle is bad.
    #[error(transparent)]
    Bundle(#[from] BadBundle),
    /// The command cannot be meant so.
    #[error("{0}")]
    Usage(String),
    /// The arms search different trees.
    #[error("{0}")]
    Trees(Box<Difference>),
    /// Different trees where there should be one: of one executable in different layouts, or of two that are compared.
    #[error("{0}")]
    Layouts(String),
    /// The noise is too large for the question.
    #[error("{0}")]
    Unresolved(String),
    /// The trial counts for nothing.
    #[error("{0}")]
    Void(String),
    /// Anything else.
    #[error("{}", chain(.0))]
    Other(anyhow::Error),
}

impl Failure {
    /// The exit code it is told by.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Bundle(_) | Failure::Usage(_) => Exit::Usage,
            Failure::Trees(_) | Failure::Layouts(_) => Exit::TreesDiffer,
            Failure::Void(_) => Exit::Void,
            Failure::Unresolved(_) => Exit::NotResolved,
            Failure::Other(_) => Exit::Error,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Differs(difference) => Failure::Trees(difference),
            Refusal::Fault(fault) => anyhow::Error::new(fault).into(),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::Patch(problem) => Failure::Bundle((*problem).into()),
            error => Failure::Other(error.into()),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        match error {
            // The user named it.
            FolderError::NotEmpty { .. } => Failure::Usage(error.to_string()),
            error => Failure::Other(error.into()),
        }
    }
}

impl From<RegisterError> for Failure {
    fn from(error: RegisterError) -> Failure {
        Failure::Other(error.into())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        match error.downcast_ref::<Fault>() {
            Some(fault) if fault.is_bundles_doing() => Failure::Usage(chain(&error)),
            _ => Failure::Other(error),
        }
    }
}

/// An error with its causes, each once: some messages hold their cause already.
fn chain(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        told if told.contains(&cause) => text,
        told => format!("{told}: {cause}"),
    })
}

/// A number with its noun.
fn count(number: usize, what: &str) -> String {
    match (number, what.ends_with('s')) {
        (1, _) => format!("1 {what}"),
        (_, true) => format!("{number} {what}es"),
        (_, false) => format!("{number} {what}s"),
    }
}

/// Prints to standard output; a reader that has gone away is no error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(e).context("cannot write to standard output").into())
        }
        _ => Ok(()),
    }
}

/// Prints a line to standard error.
fn warn(text: &str) {
    // When nobody listens any more the exit code still tells.
    let _ = writeln!(io::stderr(), "{text}");
}

/// The exit code of a verdict.
fn judged(verdict: &protocol::Verdict) -> Exit {
    if verdict.proven { Exit::Proven } else { Exit::NotProven }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let source = io::Error::other("no space");
        let error = anyhow::Error::new(source).context("cannot write x: no space").context("run 1");
        assert_eq!(chain(&error), "run 1: cannot write x: no space");
        assert_eq!(chain(&anyhow::anyhow!("alone")), "alone");
    }
}
