//! Fresh copies of executables: new pages in the page cache for every process.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::image::ArmImage;
use crate::fault::Fault;
use crate::hash::Status;

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
    /// Copies `executable` into a new folder below `scratch`; nothing is left there when that fails. It must
    /// be as it was when it was hashed, before and after.
    pub fn new(executable: &Path, hashed: Option<&Status>, scratch: &Path) -> io::Result<FreshCopy> {
        let folder = tempfile::Builder::new().prefix("arm-").rand_bytes(8).tempdir_in(scratch)?;
        let copy = FreshCopy { folder };
        must_be(hashed, executable)?;
        write_again(executable, &copy.path())?;
        must_be(hashed, executable)?;
        Ok(copy)
    }

    /// Copies an arm's executable if the arm wants that; a copy that fails is told with its arm.
    pub(crate) fn of(image: &ArmImage, scratch: &Path) -> Result<Option<FreshCopy>, Fault> {
        let copied = image
            .copies
            .then(|| FreshCopy::new(&image.executable, image.hashed.as_ref(), scratch))
            .transpose();
        copied.map_err(|source| Fault::Copy {
            arm: image.name.clone(),
            path: image.executable.clone(),
            scratch: scratch.to_owned(),
            source: layouts::nameless(source),
        })
    }

    /// Where the copy lies.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }
}

/// Refuses an executable that is not as it was when it was hashed.
pub(super) fn must_be(hashed: Option<&Status>, executable: &Path) -> io::Result<()> {
    let Some(hashed) = hashed else { return Ok(()) };
    match hashed.change(&Status::of_path(executable)?) {
        None => Ok(()),
        Some(changed) => Err(io::Error::other(format!("it changed since it was hashed: {changed}"))),
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
        let copies = [1, 2].map(|_| FreshCopy::new(&original, None, scratch.path()).expect("a copy"));
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
        FreshCopy::new(&scratch.path().join("absent"), None, scratch.path()).expect_err("nothing to copy");
        assert_eq!(fs::read_dir(scratch.path()).expect("the folder").count(), 0);
    }

    #[test]
    fn only_what_was_hashed_is_copied() {
        let scratch = tempfile::tempdir().expect("a folder");
        let original = scratch.path().join("original");
        fs::write(&original, "one").expect("a file");
        let hashed = Status::of_path(&original).expect("a file");
        let copy = || FreshCopy::new(&original, Some(&hashed), scratch.path());
        assert_eq!(fs::read(copy().expect("a copy").path()).expect("the copy"), b"one");
        fs::write(&original, "longer").expect("a file");
        let refused = copy().expect_err("changed").to_string();
        assert_eq!(refused, "it changed since it was hashed: its size was 3, then 6");
        assert_eq!(fs::read_dir(scratch.path()).expect("the folder").count(), 1, "nothing but the original");
    }
}
