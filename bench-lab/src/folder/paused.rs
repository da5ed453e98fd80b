//! `pause.json`: what a paused trial needs to go on, and the wish to pause.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Folder, FolderError, Timing};

const PAUSE: &str = "pause.json";
/// Its presence asks the lab at work on the trial to pause.
const WISH: &str = "pause-wanted";

/// A trial between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// Id of its plan.
    pub plan_id: String,
    /// The last run that has ended.
    pub after_run: usize,
    /// Since when, RFC 3339 in UTC.
    pub time: String,
    /// Boot id of the kernel: a trial goes on under the same one or not at all.
    pub boot_id: String,
    /// The bundle file.
    pub bundle: PathBuf,
    /// The register that it is in.
    pub register: PathBuf,
    /// Where the built arms and their captured links wait.
    pub kept: PathBuf,
    /// SHA-256 of the records so far.
    pub records_sha256: String,
    /// Where the time went so far.
    pub timing: Timing,
}

impl Folder {
    /// Writes that the trial is paused: from then on it is.
    pub fn write_paused(&self, paused: &Paused) -> Result<(), FolderError> {
        self.put_json(PAUSE, paused)
    }

    /// What the paused trial needs to go on, if it is paused.
    pub fn read_paused(&self) -> Result<Option<Paused>, FolderError> {
        self.read_json(PAUSE)
    }

    /// Ends the pause.
    pub fn end_pause(&self) -> Result<(), FolderError> {
        self.remove(PAUSE)
    }

    /// Asks the lab at work here to pause.
    pub fn want_pause(&self) -> Result<(), FolderError> {
        self.put(WISH, b"")
    }

    /// Whether somebody has asked for a pause.
    pub fn is_pause_wanted(&self) -> bool {
        self.path.join(WISH).exists()
    }

    /// Forgets that somebody has asked.
    pub fn forget_pause(&self) -> Result<(), FolderError> {
        self.remove(WISH)
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, name: &str) -> Result<(), FolderError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(FolderError::io("remove", &path, self.named_by)(error))
            }
            _ => Ok(()),
        }
    }
}
