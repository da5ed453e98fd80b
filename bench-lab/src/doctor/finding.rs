//! One thing that was looked at.

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nothing to mend.
    Fine,
    /// The system does not tell.
    Unknown,
    /// It disturbs: trials take longer or prove less.
    Disturbs,
    /// Trials will hardly resolve anything.
    Prevents,
}

/// What was found, what it costs, what mends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What was looked at.
    pub what: String,
    /// How bad it is.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What it costs; measured here where `measured` says so, else a typical figure that docs/daily.md has the source of.
    pub cost: Option<String>,
    /// Whether cost or finding was measured here and now.
    pub measured: bool,
    /// The command or the deed that mends it.
    pub mend: Option<String>,
}

impl Finding {
    /// Something in order.
    pub fn fine(what: &str, found: impl Into<String>) -> Finding {
        Finding {
            what: what.to_owned(),
            status: Status::Fine,
            found: found.into(),
            cost: None,
            measured: false,
            mend: None,
        }
    }

    /// Something that the system does not tell.
    pub fn unknown(what: &str, why: impl Into<String>) -> Finding {
        Finding { status: Status::Unknown, ..Finding::fine(what, why) }
    }

    /// Something that disturbs.
    pub fn disturbs(what: &str, found: impl Into<String>, cost: impl Into<String>) -> Finding {
        Finding { status: Status::Disturbs, cost: Some(cost.into()), ..Finding::fine(what, found) }
    }

    /// Something that makes trials useless.
    pub fn prevents(what: &str, found: impl Into<String>, cost: impl Into<String>) -> Finding {
        Finding { status: Status::Prevents, ..Finding::disturbs(what, found, cost) }
    }

    /// The same, measured.
    pub fn measured(self) -> Finding {
        Finding { measured: true, ..self }
    }

    /// The same with what mends it.
    pub fn mended_by(self, mend: impl Into<String>) -> Finding {
        Finding { mend: Some(mend.into()), ..self }
    }
}
