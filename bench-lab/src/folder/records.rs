//! `records.jsonl`: appended to while the trial runs, never rewritten.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use protocol::{ProcessRecord, lines};

use super::FolderError;
use crate::hash;

/// The open file. Who has it is at work on the trial, and nobody else can be.
#[derive(Debug)]
pub struct RecordsWriter {
    path: PathBuf,
    /// The option that names its folder, where it is not an earlier trial's.
    named_by: Option<&'static str>,
    file: File,
}

impl RecordsWriter {
    pub(super) fn create(
        path: PathBuf,
        named_by: Option<&'static str>,
    ) -> Result<RecordsWriter, FolderError> {
        let file = File::options().append(true).create_new(true).open(&path);
        let file = file.map_err(FolderError::io("create", &path, named_by))?;
        RecordsWriter { path, named_by, file }.hold()
    }

    pub(super) fn open(path: PathBuf, named_by: Option<&'static str>) -> Result<RecordsWriter, FolderError> {
        let file = File::options().append(true).open(&path);
        let file = file.map_err(FolderError::io("open", &path, named_by))?;
        RecordsWriter { path, named_by, file }.hold()
    }

    /// The lock goes with the process, however it ends.
    fn hold(self) -> Result<RecordsWriter, FolderError> {
        match self.file.try_lock() {
            Ok(()) => Ok(self),
            Err(TryLockError::WouldBlock) => Err(FolderError::AtWork { path: self.path }),
            Err(TryLockError::Error(source)) => Err(self.refused("lock")(source)),
        }
    }

    fn refused(&self, action: &'static str) -> impl FnOnce(io::Error) -> FolderError {
        FolderError::io(action, &self.path, self.named_by)
    }

    /// Appends the records of one phase and has them on the disk before it returns; when that fails, no
    /// line of the phase is left.
    pub fn append(&mut self, records: &[ProcessRecord]) -> Result<(), FolderError> {
        let before = self.file.metadata().map_err(FolderError::read(&self.path))?.len();
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
        self.file.write_all(lines.as_bytes()).map_err(self.refused("write"))?;
        self.file.sync_data().map_err(self.refused("write"))
    }
}

/// Whether a lab has the file.
pub(super) fn is_held(path: &Path) -> Result<bool, FolderError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        file => file.map_err(FolderError::read(path))?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(source)) => Err(FolderError::io("lock", path, None)(source)),
    }
}

/// Reads all records, with the SHA-256 of the bytes they were read from.
pub(super) fn read(path: &Path) -> Result<(Vec<ProcessRecord>, String), FolderError> {
    let (bytes, digest) = hash::read(path).map_err(FolderError::read(path))?;
    let text = String::from_utf8(bytes).map_err(|e| FolderError::content(path, e))?;
    let records = lines::read(&text).map_err(|e| FolderError::content(path, e))?;
    Ok((records, digest))
}
