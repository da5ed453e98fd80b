//! A captured link that is of no use: whose it is, and what may be amiss in its build.

use std::fmt;
use std::path::Path;

use layouts::Error;

use super::{Built, in_set};

/// A link that can't be repeated.
#[derive(Debug)]
pub struct BadLink {
    /// Whose it is, where the fault itself does not say that.
    whose: Option<String>,
    fault: Error,
    /// It comes from a command that had to pass the compiler's flags on.
    by_command: bool,
}

impl BadLink {
    /// The link of an arm that was built.
    pub fn of_arm(built: &Built, fault: Error) -> BadLink {
        let whose = Some(format!("the link of arm {}", in_set(&built.set, &built.name)));
        BadLink { whose, fault, by_command: built.by_command }
    }

    /// The link that a command of the user's made.
    pub fn of_command(fault: Error) -> BadLink {
        BadLink { whose: None, fault, by_command: true }
    }

    /// A link that lies in a file.
    pub fn of_file(file: &Path, fault: Error) -> BadLink {
        let (whose, fault) = match fault {
            // It may be told of a copy.
            Error::BadCapture { reason, .. } => (None, Error::BadCapture { tar: file.to_owned(), reason }),
            fault => (Some(format!("the link in {}", file.display())), fault),
        };
        BadLink { whose, fault, by_command: false }
    }
}

impl std::error::Error for BadLink {}

impl fmt::Display for BadLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(whose) = &self.whose {
            write!(f, "{whose} can't be repeated: ")?;
        }
        write!(f, "{}", self.fault)?;
        match self.fault {
            Error::NoFunctionSections { .. } if self.by_command => {
                f.write_str(" (does `{cc_flags}` reach every compilation?)")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::bundle::DEFAULT_SET;

    fn lumped() -> Error {
        Error::NoFunctionSections { lumped: 2, all: 3, first: "x.o".to_owned() }
    }

    fn built(by_command: bool) -> Built {
        Built {
            set: DEFAULT_SET.to_owned(),
            name: "full".to_owned(),
            command: String::new(),
            by_command,
            executable: PathBuf::new(),
            link: None,
            profile: None,
        }
    }

    #[test]
    fn flags_that_a_command_loses_are_asked_for() {
        let question = " (does `{cc_flags}` reach every compilation?)";
        let by_command = BadLink::of_arm(&built(true), lumped()).to_string();
        let by_cargo = BadLink::of_arm(&built(false), lumped()).to_string();
        assert_eq!(by_command, format!("{by_cargo}{question}"));
        let whose = "the link of arm full can't be repeated: 2 of 3 functions share a section with others";
        assert!(by_cargo.starts_with(whose), "{by_cargo}");
        assert!(BadLink::of_command(lumped()).to_string().ends_with(question));
        let missing = Error::MissingInput { input: "x.o".to_owned(), folder: PathBuf::from("link") };
        assert!(!BadLink::of_command(missing).to_string().contains("cc_flags"));
    }

    #[test]
    fn a_file_is_named_once() {
        let file = Path::new("x.tar");
        let told = BadLink::of_file(file, lumped()).to_string();
        assert!(told.starts_with("the link in x.tar can't be repeated: 2 of 3"), "{told}");
        let none = Error::BadCapture { tar: "/a/copy".into(), reason: "it is empty".to_owned() };
        assert!(BadLink::of_file(file, none).to_string().starts_with("x.tar is no usable capture"));
    }
}
