//! How a net file is to be loaded.

use std::fmt;

use super::checks::Checks;
use super::progress::{Report, Silence};

/// What a load may rely on, and who is told how far it has come.
pub struct Loading<'a> {
    /// Where the checks of earlier loads are remembered.
    pub checks: Checks,
    /// Hashes the file whatever is remembered.
    pub anew: bool,
    /// Told of a large net.
    pub report: &'a dyn Report,
}

impl Default for Loading<'_> {
    /// Every check is made, none is remembered, and nobody is told.
    fn default() -> Self {
        Self { checks: Checks::NONE, anew: true, report: &Silence }
    }
}

/// When the payload was last found to have its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashCheck {
    /// By this crate's tests: it is part of the executable.
    Built,
    /// At this load.
    Now,
    /// At an earlier load; the file's state is still the same.
    Before,
}

impl fmt::Display for HashCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Built => "by the tests of this build",
            Self::Now => "now",
            Self::Before => "earlier; the file's state is the same",
        })
    }
}
