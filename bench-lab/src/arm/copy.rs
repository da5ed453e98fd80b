//! Fresh copies of executables: new pages in the page cache for every process.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::image::ArmImage;
use crate::fault::Fault;

/// A copy of an executable in a folder of its own, both deleted on drop.
///
/// Path lengths are the same for all copies: the path lies on the new process's stack and shifts it.
#[derive(Debug)]
pub struct FreshCopy {
    folder: TempDir,
}

/// The one name of all copies.
const NAME: &str = "arm";

/// Bytes that are copied at a time. They stay in the processor's cache between reading and writing, which
/// makes the copy of a large file several times as fast as reading it whole first.
const PIECE: usize = 256 * 1024;

impl FreshCopy {
    /// Copies `executable` into a new folder below `scratch`; nothing is left there when that fails.
    pub fn new(executable: &Path, scratch: &Path) -> io::Result<FreshCopy> {
        let folder = tempfile::Builder::new().prefix("arm-").rand_bytes(8).tempdir_in(scratch)?;
        let copy = FreshCopy { folder };
        write_again(executable, &copy.path())?;
        Ok(copy)
    }

    /// Copies an arm's executable if the arm wants that; a copy that fails is told with its arm.
    pub(crate) fn of(image: &ArmImage, scratch: &Path) -> Result<Option<FreshCopy>, Fault> {
        let copied = image.copies.then(|| FreshCopy::new(&image.executable, scratch)).transpose();
        copied.map_err(|source| Fault::Copy {
            arm: image.name.clone(),
            path: image.executable.clone(),
            scratch: scratch.to_owned(),
            source,
        })
    }

    /// Where the copy lies.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }
}

/// Reads and writes, so that the copy's pages are new and in memory. The kernel's own copy might have the
/// file system share the blocks of the two: then each process would read its pages from the disk.
fn write_again(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = File::create(to)?;
    let mut piece = vec![0; PIECE];
    loop {
        match source.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => target.write_all(&piece[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    fs::set_permissions(to, source.metadata()?.permissions())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    #[test]
    fn a_copy_is_a_file_of_its_own_with_the_same_bytes() {
        let scratch = tempfile::tempdir().expect("a folder");
        let original = scratch.path().join("original");
        let bytes: Vec<u8> = (0..2 * PIECE + 17).map(|i| (i % 251) as u8).collect();
        fs::write(&original, &bytes).expect("a file");
        fs::set_permissions(&original, fs::Permissions::from_mode(0o750)).expect("permissions");
        let copies = [1, 2].map(|_| FreshCopy::new(&original, scratch.path()).expect("a copy"));
        for copy in &copies {
            assert!(fs::read(copy.path()).expect("the copy") == bytes);
            let (of_copy, of_original) =
                (fs::metadata(copy.path()).expect("the copy"), fs::metadata(&original).expect("a file"));
            assert_ne!(of_copy.ino(), of_original.ino());
            assert_eq!(of_copy.mode(), of_original.mode());
        }
        let [one, other] = copies.map(|copy| copy.path());
        assert_eq!(one.as_os_str().len(), other.as_os_str().len());
        assert!(!one.exists() && !other.exists(), "dropped");
    }

    #[test]
    fn a_copy_that_fails_leaves_nothing() {
        let scratch = tempfile::tempdir().expect("a folder");
        FreshCopy::new(&scratch.path().join("absent"), scratch.path()).expect_err("nothing to copy");
        assert_eq!(fs::read_dir(scratch.path()).expect("the folder").count(), 0);
    }
}
