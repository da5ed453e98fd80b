//! One line of the register.

use serde::{Deserialize, Serialize};

use super::Event;
use crate::canonical::{sha256_hex, to_bytes};

/// What the first line says of the line before.
pub const FIRST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// One line: an event, and its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an entry")]
pub struct Entry {
    /// Number of the line, from 1.
    pub n: usize,
    /// When it was written, RFC 3339 in UTC.
    pub time: String,
    /// What happened.
    pub event: Event,
    /// SHA-256 of the line before, hex, without its newline; [`FIRST`] in the first line.
    pub previous: String,
    /// SHA-256 of this line without this field, hex.
    pub sha256: String,
}

/// An entry without its own digest.
#[derive(Serialize)]
struct Content<'a> {
    n: usize,
    time: &'a str,
    event: &'a Event,
    previous: &'a str,
}

impl Entry {
    /// An entry with its digest filled in.
    ///
    /// # Errors
    /// Never for events of this crate; the type is that of the serialiser.
    pub fn new(n: usize, time: String, event: Event, previous: String) -> Result<Entry, serde_json::Error> {
        let sha256 = digest(n, &time, &event, &previous)?;
        Ok(Entry { n, time, event, previous, sha256 })
    }

    /// The digest that the entry should hold.
    ///
    /// # Errors
    /// As [`Entry::new`].
    pub fn digest(&self) -> Result<String, serde_json::Error> {
        digest(self.n, &self.time, &self.event, &self.previous)
    }

    /// The line, without a newline.
    ///
    /// # Errors
    /// As [`Entry::new`].
    pub fn line(&self) -> Result<Vec<u8>, serde_json::Error> {
        to_bytes(self)
    }
}

fn digest(n: usize, time: &str, event: &Event, previous: &str) -> Result<String, serde_json::Error> {
    Ok(sha256_hex(&to_bytes(&Content { n, time, event, previous })?))
}
