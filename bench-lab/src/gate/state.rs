//! The four states of everything that a gate looks at.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a limit fared; the later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The whole interval is within the limit.
    Held,
    /// The limit lies inside the interval, or there is nothing to compare with.
    CannotSay,
    /// The whole interval is beyond the limit.
    Lost,
    /// Measuring broke off: nothing was computed.
    Void,
}

impl State {
    /// All of them.
    pub const ALL: [State; 4] = [State::Held, State::CannotSay, State::Lost, State::Void];

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            State::Held => "held",
            State::CannotSay => "cannot say",
            State::Lost => "lost",
            State::Void => "void",
        }
    }

    /// Its mark, told by shape as well as by colour.
    pub const fn mark(self) -> &'static str {
        match self {
            State::Held => "✔",
            State::CannotSay => "?",
            State::Lost => "✘",
            State::Void => "∅",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
