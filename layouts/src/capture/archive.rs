//! Unpacking the archive that `--reproduce` writes.

use std::fs::{self, File};
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::error::io;

/// Unpacks `tar` into the empty folder `dir`; returns the one folder that it holds.
pub fn unpack(tar: &Path, dir: &Path) -> Result<PathBuf, Error> {
    let bad = |reason: String| Error::BadCapture { tar: tar.to_owned(), reason };
    let file = File::open(tar).map_err(|error| bad(error.to_string()))?;
    let mut archive = tar::Archive::new(BufReader::new(file));
    archive.set_preserve_mtime(false);
    archive.set_preserve_permissions(false);
    archive.unpack(dir).map_err(|error| match error.kind() {
        // The archive is not to blame. Its errors carry the place; the system's reason is their last cause.
        ErrorKind::StorageFull
        | ErrorKind::QuotaExceeded
        | ErrorKind::FileTooLarge
        | ErrorKind::ReadOnlyFilesystem
        | ErrorKind::PermissionDenied => {
            let mut reason: &dyn std::error::Error = &error;
            while let Some(cause) = reason.source() {
                reason = cause;
            }
            let source = std::io::Error::new(error.kind(), reason.to_string());
            Error::Io { action: "unpack a capture into", path: dir.to_owned(), source }
        }
        _ => bad(format!("it cannot be unpacked ({error})")),
    })?;
    let mut folders = fs::read_dir(dir).map_err(io("read", dir))?.flatten().map(|entry| entry.path());
    match (folders.next(), folders.next()) {
        (Some(folder), None) if folder.join("response.txt").is_file() => Ok(folder),
        _ => Err(bad("it does not hold one folder with a response.txt".into())),
    }
}
