//! Folders without room, files that can't be written or read: how they are recognised, and what helps.

use std::io;
use std::path::Path;

use nix::sys::statvfs::statvfs;

/// What names the folder where a trial is recorded.
pub(crate) const TRIAL: &str = "--out";

/// What names the register.
pub(crate) const REGISTER: &str = "--register";

/// `; <remedy>` when the system refused to write, else nothing. `name` is what names the folder, if something does.
pub(crate) fn hint(error: &io::Error, name: Option<&str>) -> String {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    match (error.kind(), name) {
        (StorageFull | QuotaExceeded | FileTooLarge, Some(name)) => {
            format!("; make room there, or name a folder on another disk with {name}")
        }
        (StorageFull | QuotaExceeded | FileTooLarge, None) => "; make room there".to_owned(),
        (ReadOnlyFilesystem | PermissionDenied, Some(name)) => {
            format!("; name a folder that you may write to with {name}")
        }
        (ReadOnlyFilesystem | PermissionDenied, None) => "; make the folder writable".to_owned(),
        _ => String::new(),
    }
}

/// The same for an action in words, which begin with their verb: where nothing is written, other things help.
pub(crate) fn remedy(action: &str, error: &io::Error, name: Option<&str>) -> String {
    match action.split(' ').next().unwrap_or_default() {
        "create" | "write" | "open" | "lock" | "remove" | "protect" | "copy" | "mend" => hint(error, name),
        "read" if error.kind() == io::ErrorKind::PermissionDenied => {
            "; check that you may read it".to_owned()
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
        let hint = |kind| hint(&io::Error::from(kind), Some(TRIAL));
        assert!(hint(io::ErrorKind::StorageFull).starts_with("; make room there, or name"));
        assert!(hint(io::ErrorKind::ReadOnlyFilesystem).ends_with("write to with --out"));
        assert_eq!(hint(io::ErrorKind::NotFound), "");
    }

    #[test]
    fn what_has_no_other_name_is_mended_where_it_is() {
        let hint = |kind| hint(&io::Error::from(kind), None);
        assert_eq!(hint(io::ErrorKind::QuotaExceeded), "; make room there");
        assert_eq!(hint(io::ErrorKind::PermissionDenied), "; make the folder writable");
    }

    #[test]
    fn who_may_not_read_is_not_told_to_write_elsewhere() {
        let remedy = |action| remedy(action, &io::ErrorKind::PermissionDenied.into(), Some(TRIAL));
        assert!(remedy("write to").ends_with("write to with --out"));
        assert_eq!(remedy("read"), "; check that you may read it");
        assert_eq!(remedy("start"), "");
    }

    #[test]
    fn a_shortage_is_told_with_its_folder() {
        let here = tempfile::tempdir().expect("a folder");
        assert_eq!(shortage(here.path(), 0, TRIAL), "");
        let told = shortage(here.path(), u64::MAX, TRIAL);
        assert!(told.contains(&format!("on the disk of {}", here.path().display())), "{told}");
        assert!(told.ends_with("with --out)"), "{told}");
        assert_eq!(shortage(&here.path().join("absent"), u64::MAX, TRIAL), "");
    }
}
