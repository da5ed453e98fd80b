//! `records.jsonl`: appended to while the trial runs, never rewritten.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use protocol::{ProcessRecord, lines};

use super::{FolderError, append_only};
use crate::hash;

/// The open file.
#[derive(Debug)]
pub struct RecordsWriter {
    path: PathBuf,
    file: File,
}

impl RecordsWriter {
    pub(super) fn create(path: PathBuf) -> Result<RecordsWriter, FolderError> {
        let file = append_only(&path).map_err(FolderError::io("create", &path))?;
        Ok(RecordsWriter { path, file })
    }

    /// Appends the records of one phase and has them on the disk before it returns; when that fails, no
    /// line of the phase is left.
    pub fn append(&mut self, records: &[ProcessRecord]) -> Result<(), FolderError> {
        let before = self.file.metadata().map_err(FolderError::io("read", &self.path))?.len();
        let appended = self.write(records);
        if appended.is_err() {
            // Without room for the phase there still is room to say so.
            let _ = self.file.set_len(before);
        }
        appended
    }

    /// One write for the phase: who is killed meanwhile has written all of it or nothing.
    fn write(&mut self, records: &[ProcessRecord]) -> Result<(), FolderError> {
        let lines = records.iter().map(lines::write).collect::<Result<String, _>>();
        let lines = lines.map_err(|e| FolderError::content(&self.path, e))?;
        self.file.write_all(lines.as_bytes()).map_err(FolderError::io("write", &self.path))?;
        self.file.sync_data().map_err(FolderError::io("write", &self.path))
    }
}

/// Reads all records, with the SHA-256 of the bytes they were read from.
pub(super) fn read(path: &Path) -> Result<(Vec<ProcessRecord>, String), FolderError> {
    let (bytes, digest) = hash::read(path).map_err(FolderError::io("read", path))?;
    let text = String::from_utf8(bytes).map_err(|e| FolderError::content(path, e))?;
    let records = lines::read(&text).map_err(|e| FolderError::content(path, e))?;
    Ok((records, digest))
}
