//! Unpacking the archive that `--reproduce` writes.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::error::io;

/// Unpacks `tar` into the empty folder `dir`; returns the one folder that it holds.
pub fn unpack(tar: &Path, dir: &Path) -> Result<PathBuf, Error> {
    let bad = |reason: String| Error::BadCapture { tar: tar.to_owned(), reason };
    let mut entries = fs::read_dir(dir).map_err(io("read", dir))?;
    if entries.next().is_some() {
        let source = std::io::Error::other("the folder is not empty");
        return Err(Error::Io { action: "unpack into", path: dir.to_owned(), source });
    }
    let file = File::open(tar).map_err(|error| bad(error.to_string()))?;
    let mut archive = tar::Archive::new(BufReader::new(file));
    archive.set_preserve_mtime(false);
    archive.set_preserve_permissions(false);
    archive.unpack(dir).map_err(|error| {
        // The archive's own errors carry the place; a full or read-only disk shows as their cause.
        bad(format!("it cannot be unpacked into {} ({error})", dir.display()))
    })?;
    let mut folders = fs::read_dir(dir).map_err(io("read", dir))?.flatten().map(|entry| entry.path());
    match (folders.next(), folders.next()) {
        (Some(folder), None) if folder.join("response.txt").is_file() => Ok(folder),
        _ => Err(bad("it does not hold one folder with a response.txt".into())),
    }
}
