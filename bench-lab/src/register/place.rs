//! Where the register is, and where trials are, seen from it.

use std::path::{Component, Path, PathBuf};

/// The register's name in the folder that it belongs to.
const NAME: &str = "results/register.jsonl";

/// The register of a bundle that names none: in the nearest folder above it that is a Git repository's, else in
/// the bundle's own.
pub fn beside(bundle: &Path) -> PathBuf {
    let folder = bundle.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    repository(folder).unwrap_or_else(|| folder.to_path_buf()).join(NAME)
}

/// The register that a folder's trials are most likely in: that of the nearest repository around it, else its own.
pub fn near(folder: &Path) -> PathBuf {
    repository(folder).unwrap_or_else(|| folder.to_path_buf()).join(NAME)
}

/// The nearest folder that holds `.git`, beginning with `folder` itself; named as `folder` is as far as that goes.
fn repository(folder: &Path) -> Option<PathBuf> {
    let whole = folder.canonicalize().ok()?;
    let found = whole.ancestors().find(|above| above.join(".git").exists())?;
    let up = whole.strip_prefix(found).ok()?.components().count();
    let named = folder.ancestors().nth(up).filter(|named| {
        let named = if named.as_os_str().is_empty() { Path::new(".") } else { named };
        named.canonicalize().is_ok_and(|named| named == found)
    });
    Some(named.map_or_else(|| found.to_path_buf(), Path::to_path_buf))
}

/// A trial's folder as the register notes it: seen from the register's own folder, or whole when they have no
/// folder in common.
pub fn relative(register: &Path, trial: &Path) -> PathBuf {
    let trial = trial.canonicalize().unwrap_or_else(|_| trial.to_path_buf());
    let own = folder_of(register);
    let Ok(own) = own.canonicalize() else { return trial };
    let common = own.components().zip(trial.components()).take_while(|(a, b)| a == b).count();
    // The root alone is nothing in common.
    if common < 2 {
        return trial;
    }
    let up = own.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(trial.components().skip(common)).collect();
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

/// The folder that the register notes.
pub fn seen_from(register: &Path, noted: &str) -> PathBuf {
    folder_of(register).join(noted)
}

pub(super) fn folder_of(register: &Path) -> &Path {
    register.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_register_belongs_to_the_nearest_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let (outer, inner) = (folder.path().join("outer"), folder.path().join("outer/inner"));
        fs::create_dir_all(inner.join("bundles")).expect("folders");
        assert_eq!(beside(&inner.join("bundles/b.toml")), inner.join("bundles/results/register.jsonl"));
        fs::create_dir(outer.join(".git")).expect("a folder");
        assert_eq!(beside(&inner.join("bundles/b.toml")), outer.join("results/register.jsonl"));
        // As in a worktree.
        fs::write(inner.join(".git"), "gitdir: elsewhere").expect("a file");
        assert_eq!(beside(&inner.join("bundles/b.toml")), inner.join("results/register.jsonl"));
        assert_eq!(near(&inner), inner.join("results/register.jsonl"));
    }

    #[test]
    fn folders_are_noted_as_seen_from_the_register() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("repo/results")).expect("folders");
        fs::create_dir_all(folder.path().join("repo/trials/one")).expect("folders");
        let register = folder.path().join("repo/results/register.jsonl");
        for (trial, noted) in [("repo/trials/one", "../trials/one"), ("repo/results", "."), ("", "../..")] {
            let found = relative(&register, &folder.path().join(trial));
            assert_eq!(found, PathBuf::from(noted));
            let back = seen_from(&register, noted).canonicalize().expect("a folder");
            assert_eq!(back, folder.path().join(trial).canonicalize().expect("a folder"));
        }
        assert_eq!(
            relative(&register, Path::new("/proc/self")),
            Path::new("/proc/self").canonicalize().expect("there")
        );
    }
}
