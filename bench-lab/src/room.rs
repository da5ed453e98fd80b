//! Folders without room, or that can't be written to: how they are recognised, and what helps.

use std::io;
use std::path::Path;

use nix::sys::statvfs::statvfs;

/// What names the folder where arms are built, linked and copied.
pub(crate) const YARD: &str = "CARGO_TARGET_DIR";

/// What names the folder where a trial is recorded.
pub(crate) const TRIAL: &str = "--out";

/// What names the register.
pub(crate) const REGISTER: &str = "--register";

/// `; <remedy>` when the system refused to write, else nothing. `name` is what names the folder.
pub(crate) fn hint(error: &io::Error, name: &str) -> String {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    match error.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => {
            format!("; make room there, or name a folder on another disk with {name}")
        }
        ReadOnlyFilesystem | PermissionDenied => {
            format!("; name a folder that you may write to with {name}")
        }
        _ => String::new(),
    }
}

/// ` (…)` with the remedy when fewer than `bytes` are left on the disk of `folder`: other programs say in
/// words of their own, or not at all, why they failed.
pub(crate) fn shortage(folder: &Path, bytes: u64, name: &str) -> String {
    match statvfs(folder) {
        Ok(disk) if disk.blocks_available() * disk.fragment_size() < bytes => {
            let left = disk.blocks_available() * disk.fragment_size() / 1_000_000;
            let folder = folder.display();
            format!(
                " ({left} MB are left on the disk of {folder}: make room there, or name a folder on another disk with \
                 {name})"
            )
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remedy_is_named_where_it_helps() {
        let hint = |kind| hint(&io::Error::from(kind), TRIAL);
        assert!(hint(io::ErrorKind::StorageFull).starts_with("; make room there"));
        assert!(hint(io::ErrorKind::ReadOnlyFilesystem).ends_with("write to with --out"));
        assert_eq!(hint(io::ErrorKind::NotFound), "");
    }

    #[test]
    fn a_shortage_is_told_with_its_folder() {
        let here = tempfile::tempdir().expect("a folder");
        assert_eq!(shortage(here.path(), 0, YARD), "");
        let told = shortage(here.path(), u64::MAX, YARD);
        assert!(told.contains(&format!("on the disk of {}", here.path().display())), "{told}");
        assert!(told.ends_with("with CARGO_TARGET_DIR)"), "{told}");
        assert_eq!(shortage(&here.path().join("absent"), u64::MAX, YARD), "");
    }
}
