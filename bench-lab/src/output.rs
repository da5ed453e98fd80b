//! What commands write: whole or not at all, with temporary files beside it and gone at the end.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

/// The folder that a file is to lie in.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What helps where `-o` says where the results go.
pub const ELSEWHERE: &str = "name another place with -o";

/// A temporary folder inside `folder`: on a disk with room for what is written there, and one that allows execution.
pub fn scratch(folder: &Path) -> anyhow::Result<TempDir> {
    let made = tempfile::Builder::new().prefix(".layout-").tempdir_in(folder);
    made.map_err(layouts::nameless).with_context(|| {
        format!("cannot write to {}: name a folder that is writable with -o", folder.display())
    })
}

/// Makes a folder for results, if it is not there. `remedy` says what helps when that fails.
pub fn make_folder(folder: &Path, remedy: &str) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}: {remedy}", folder.display()))
}

/// Files that appear together: each is written beside its place first, and moved there when all are complete.
#[derive(Default)]
pub struct Files {
    written: Vec<(tempfile::NamedTempFile, PathBuf)>,
}

impl Files {
    /// Nothing yet.
    pub fn new() -> Files {
        Files::default()
    }

    /// Writes `bytes`, for now beside `path`.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let write = || -> io::Result<_> {
            let mut file = tempfile::Builder::new()
                .prefix(".writing-")
                .permissions(Permissions::from_mode(0o644))
                .tempfile_in(folder_of(path))?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        let file = write().map_err(layouts::nameless);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        self.written.push((file, path.to_owned()));
        Ok(())
    }

    /// Moves every file to its place.
    pub fn finish(self) -> anyhow::Result<()> {
        for (file, path) in self.written {
            file.persist(&path)
                .map_err(|error| error.error)
                .and_then(|_| File::open(folder_of(&path))?.sync_all())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// Pretty JSON with a line end.
pub fn json<T: serde::Serialize>(value: &T) -> anyhow::Result<String> {
    let mut text = serde_json::to_string_pretty(value).context("a value has no JSON form")?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_appear_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        let mut files = Files::new();
        files.add(&one, b"1").expect("written");
        assert!(!one.exists());
        assert!(files.add(&folder.path().join("missing/two"), b"2").is_err());
        drop(files);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "litter");

        let mut files = Files::new();
        files.add(&one, b"1").expect("written");
        files.add(&two, b"2").expect("written");
        files.finish().expect("moved");
        assert_eq!(
            (fs::read(&one).expect("one"), fs::read(&two).expect("two")),
            (b"1".to_vec(), b"2".to_vec())
        );
        assert_eq!(fs::metadata(&one).expect("one").permissions().mode() & 0o777, 0o644);
    }
}
