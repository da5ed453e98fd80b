//! Fresh copies of executables: new pages in the page cache for every process.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A copy of an executable in a folder of its own, both deleted on drop.
///
/// Path lengths are the same for all copies: the path lies on the new process's stack and shifts it.
#[derive(Debug)]
pub struct FreshCopy {
    folder: TempDir,
}

/// The one name of all copies.
const NAME: &str = "arm";

impl FreshCopy {
    /// Copies `executable` into a new folder below `scratch`.
    pub fn new(executable: &Path, scratch: &Path) -> io::Result<FreshCopy> {
        let folder = tempfile::Builder::new().prefix("arm-").rand_bytes(8).tempdir_in(scratch)?;
        let copy = FreshCopy { folder };
        // Read and write, so that no file system shares the pages of the two.
        let bytes = fs::read(executable)?;
        fs::write(copy.path(), bytes)?;
        fs::set_permissions(copy.path(), fs::metadata(executable)?.permissions())?;
        Ok(copy)
    }

    /// Where the copy lies.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }
}
