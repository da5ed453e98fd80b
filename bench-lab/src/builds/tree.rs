//! Private copies of source trees, kept between trials so that only what changed is compiled again.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::patch::{self, Change};
use super::{BuildError, Yard};
use crate::bundle::{Tree, git};

/// Endings of files that compilers leave: in a tree where somebody has built, they must not pass for ours.
const LEFT: [&str; 6] = ["o", "lo", "gcda", "gcno", "profraw", "ltrans"];
/// By this file cargo and others mark folders that hold nothing of their own.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// The folder of one private copy and of what is built from it.
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// The place with this key.
    pub fn new(yard: &Yard, key: &str) -> Place {
        Place { folder: yard.trees().join(key) }
    }

    /// The copy.
    pub fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// Where the link's archive goes.
    pub fn link(&self) -> PathBuf {
        self.folder.join("link.tar")
    }

    /// Where the executable goes, if the command is told.
    pub fn out(&self) -> PathBuf {
        self.folder.join("engine")
    }

    /// Where the linker's stand-in is.
    pub fn tools(&self) -> PathBuf {
        self.folder.join("tools")
    }

    /// Names of the files that the copy had when it was last built to the end.
    fn manifest(&self) -> PathBuf {
        self.folder.join("manifest")
    }

    /// Forgets copy and builds.
    pub fn clear(&self) -> Result<(), BuildError> {
        remove(&self.folder)
    }

    /// Makes the copy equal to the tree with these changes. Files that are equal already stay as they are, with
    /// what was built from them; if files came or went, or the last build was broken off, all is copied anew.
    pub fn refresh(&self, source: &Tree, changes: &[Change<'_>], yard: &Yard) -> Result<Copied, BuildError> {
        let staged = match (&source.commit, changes) {
            (None, []) => None,
            (commit, changes) => {
                let staged = tempfile::Builder::new().prefix("stage-").tempdir_in(yard.scratch());
                let staged = staged.map_err(BuildError::io("write to", yard.scratch()))?;
                match commit {
                    Some(commit) => git::export(&source.folder, commit, staged.path())
                        .map_err(io::Error::other)
                        .map_err(BuildError::io("take the source from", &source.folder))?,
                    None => copy(&source.folder, &files(&source.folder, yard)?, staged.path())?,
                }
                for change in changes {
                    patch::apply(staged.path(), change)?;
                }
                Some(staged)
            }
        };
        let from = staged.as_ref().map_or(source.folder.as_path(), |staged| staged.path());
        let files = files(from, yard)?;
        let names: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
        if fs::read_to_string(self.manifest()).ok().as_ref() != Some(&names) {
            self.clear()?;
        }
        remove(&self.manifest())?;
        copy(from, &files, &self.tree())?;
        Ok(Copied(names))
    }

    /// Notes that the build of a refreshed copy went to its end.
    pub fn keep(&self, copy: &Copied) -> Result<(), BuildError> {
        fs::write(self.manifest(), &copy.0).map_err(BuildError::io("write", &self.manifest()))
    }
}

/// Names of the files that were copied, one a line.
pub struct Copied(String);

/// All files of a tree but those that are no source, in order: relative to it.
fn files(tree: &Path, yard: &Yard) -> Result<BTreeSet<PathBuf>, BuildError> {
    let mut files = BTreeSet::new();
    let mut open = vec![tree.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(BuildError::io("read", &folder))? {
            let entry = entry.map_err(BuildError::io("read", &folder))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(BuildError::io("read", &path))?;
            let is_left = path.extension().is_some_and(|end| LEFT.iter().any(|left| end == *left));
            if kind.is_dir() {
                let is_trial = path.join("plan.json").exists() && path.join("records.jsonl").exists();
                let is_other = entry.file_name() == ".git" || path == yard.root() || is_trial;
                if !is_other && !path.join(CACHE_TAG).exists() {
                    open.push(path);
                }
            } else if (kind.is_file() && !is_left && entry.file_name() != ".git") || kind.is_symlink() {
                files.extend(path.strip_prefix(tree).map(Path::to_path_buf));
            }
        }
    }
    Ok(files)
}

/// Makes every file below `to` equal to the one below `from`; equal ones are left alone.
fn copy(from: &Path, files: &BTreeSet<PathBuf>, to: &Path) -> Result<(), BuildError> {
    for file in files {
        let (source, target) = (from.join(file), to.join(file));
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(BuildError::io("create", folder))?;
        }
        let metadata = fs::symlink_metadata(&source).map_err(BuildError::io("read", &source))?;
        if metadata.is_symlink() {
            let link = fs::read_link(&source).map_err(BuildError::io("read", &source))?;
            if fs::read_link(&target).ok().as_ref() != Some(&link) {
                remove(&target)?;
                symlink(link, &target).map_err(BuildError::io("write", &target))?;
            }
            continue;
        }
        let content = fs::read(&source).map_err(BuildError::io("read", &source))?;
        let known = fs::symlink_metadata(&target).ok().filter(|known| known.is_file());
        let is_equal = known.is_some_and(|known| known.permissions() == metadata.permissions())
            && fs::read(&target).is_ok_and(|known| known == content);
        if !is_equal {
            remove(&target)?;
            fs::write(&target, content).map_err(BuildError::io("write", &target))?;
            fs::set_permissions(&target, metadata.permissions()).map_err(BuildError::io("write", &target))?;
        }
    }
    Ok(())
}

/// Removes a file or a folder with everything in it, if it is there.
pub fn remove(path: &Path) -> Result<(), BuildError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BuildError::io("remove", path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(folder: &Path, name: &str, content: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    #[test]
    fn copies_follow_the_tree_and_keep_what_was_built_from_equal_files() {
        let base = tempfile::tempdir().expect("a folder");
        let source = base.path().join("source");
        for (name, content) in [
            ("a.c", "a"),
            ("sub/b.c", "b"),
            ("a.o", "left"),
            (".git/HEAD", "x"),
            ("target/CACHEDIR.TAG", ""),
            ("t/plan.json", ""),
            ("t/records.jsonl", ""),
        ] {
            written(&source, name, content);
        }
        symlink("a.c", source.join("link.c")).expect("a link");
        let yard = Yard::enter(&base.path().join("yard")).expect("a yard");
        let tree = Tree { folder: source.clone(), commit: None };
        let place = Place::new(&yard, "0123");
        let copied = place.refresh(&tree, &[], &yard).expect("a copy");
        let names = |place: &Place| -> Vec<String> {
            files(&place.tree(), &yard)
                .expect("files")
                .iter()
                .map(|file| file.display().to_string())
                .collect()
        };
        assert_eq!(names(&place), ["a.c", "link.c", "sub/b.c"]);
        written(&place.tree(), "a.o", "built");
        place.keep(&copied).expect("kept");

        // An equal file keeps its time, a changed one and one that the build changed are as in the tree.
        let time =
            |name: &str| fs::metadata(place.tree().join(name)).expect("a file").modified().expect("a time");
        let before = time("a.c");
        written(&source, "sub/b.c", "b, changed");
        let copied = place.refresh(&tree, &[], &yard).expect("a copy");
        assert_eq!(time("a.c"), before);
        assert_eq!(fs::read_to_string(place.tree().join("sub/b.c")).expect("a file"), "b, changed");
        assert!(place.tree().join("a.o").exists());
        place.keep(&copied).expect("kept");

        // A build that was broken off, and files that go, leave nothing.
        place.refresh(&tree, &[], &yard).expect("a copy");
        let copied = place.refresh(&tree, &[], &yard).expect("a copy");
        assert!(!place.tree().join("a.o").exists());
        place.keep(&copied).expect("kept");
        written(&place.tree(), "a.o", "built");
        fs::remove_file(source.join("sub/b.c")).expect("removed");
        place.refresh(&tree, &[], &yard).expect("a copy");
        assert_eq!(names(&place), ["a.c", "link.c"]);
        assert!(!place.tree().join("a.o").exists());
    }
}
