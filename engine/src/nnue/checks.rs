//! Which files had the right hash when they were last looked at, so that a large net is hashed once and not at every
//! start.
//!
//! A text file in the user's cache folder, a line a net:
//!
//! ```text
//! tempo: net files whose SHA-256 was right, by state (1)
//! <device> <inode> <bytes> <modified> <changed> <SHA-256 of the payload>
//! ```
//!
//! A net counts as checked if the line that would be written for it stands there, so whatever else the file says has
//! no effect. Nothing but the time to load depends on it: every other check is made at every load.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::header::hex;
use super::source::{FileState, open};

/// The first line.
const TITLE: &str = "tempo: net files whose SHA-256 was right, by state (1)";
/// Nets remembered; the longest unused fall out.
const MOST: usize = 32;
/// More than a file of so many lines has.
const MOST_BYTES: u64 = 1 << 16;

/// Where checks are remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checks(Option<PathBuf>);

impl Checks {
    /// Nowhere.
    pub const NONE: Self = Self(None);

    /// In the user's cache folder, if there is one.
    pub fn of_user() -> Self {
        Self::by(|name| std::env::var_os(name).map(PathBuf::from))
    }

    fn by(variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        // As the specification of these folders has it, a path that is not absolute does not count.
        let folder = |name| variable(name).filter(|path| path.is_absolute());
        let caches = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
        Self(caches.map(|caches| caches.join("tempo/checked-nets")))
    }

    /// In this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(Some(path.into()))
    }

    /// Whether a file in this state was found to have this hash.
    pub fn know(&self, state: &FileState, hash: &[u8; 32]) -> bool {
        let wanted = line(state, hash);
        self.0.as_deref().is_some_and(|path| lines(path).contains(&wanted))
    }

    /// Remembers that it has. If that cannot be written, it is hashed again next time.
    pub fn remember(&self, state: &FileState, hash: &[u8; 32]) {
        if let Some(path) = &self.0 {
            let this = format!("{} ", state.file());
            let others = lines(path).into_iter().filter(|line| !line.starts_with(&this));
            let kept: Vec<String> = std::iter::once(line(state, hash)).chain(others).take(MOST).collect();
            let _ = write(path, &kept);
        }
    }
}

fn line(state: &FileState, hash: &[u8; 32]) -> String {
    format!("{} {}", state.key(), hex(hash))
}

/// The lines behind the title; none of a file that is not ours.
fn lines(path: &Path) -> Vec<String> {
    let mut text = String::new();
    let read = open(path).and_then(|file| match file.metadata()?.is_file() {
        true => file.take(MOST_BYTES).read_to_string(&mut text),
        false => Ok(0),
    });
    let mut lines = text.lines();
    if read.is_err() || lines.next() != Some(TITLE) {
        return Vec::new();
    }
    lines.map(str::to_owned).collect()
}

/// Writes beside the file and renames, so that nobody reads half of it.
fn write(path: &Path, lines: &[String]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".checked-nets-").tempfile_in(folder)?;
    writeln!(file, "{TITLE}")?;
    lines.iter().try_for_each(|line| writeln!(file, "{line}"))?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::source::states::{others, state};
    use super::*;

    const HASH: [u8; 32] = [0xa5; 32];

    #[test]
    fn only_the_same_state_with_the_same_hash_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let checks = Checks::at(folder.path().join("deep/er/file"));
        assert!(!checks.know(&state(), &HASH));
        checks.remember(&state(), &HASH);
        assert!(checks.know(&state(), &HASH));
        assert!(others().iter().all(|other| !checks.know(other, &HASH)));
        let mut hash = HASH;
        hash[31] ^= 1;
        assert!(!checks.know(&state(), &hash));
        assert!(!Checks::NONE.know(&state(), &HASH));
    }

    #[test]
    fn a_file_has_one_state_and_old_files_fall_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let checks = Checks::at(&path);
        let [device, inode, bytes, ..] = others();
        for other in [state(), device.clone(), bytes.clone(), inode.clone()] {
            checks.remember(&other, &HASH);
        }
        assert!(!checks.know(&state(), &HASH), "the same file has other bytes now");
        assert!([device, inode, bytes].iter().all(|other| checks.know(other, &HASH)));
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 4, "{text}");
        let many: String = (0..100).map(|inode| format!("1 {inode} 2 3.0 4.0 x\n")).collect();
        fs::write(&path, format!("{TITLE}\n{many}")).unwrap();
        checks.remember(&state(), &HASH);
        assert!(checks.know(&state(), &HASH));
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1 + MOST);
    }

    #[test]
    fn a_file_that_is_not_ours_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let checks = Checks::at(&path);
        checks.remember(&state(), &HASH);
        let ours = fs::read_to_string(&path).unwrap();
        let (title, lines) = ours.split_once('\n').unwrap();
        let mut wrong = vec![
            Vec::new(),
            lines.as_bytes().to_vec(),
            format!("another title\n{lines}").into_bytes(),
            format!("{title}\n{}", lines.trim_end().to_uppercase()).into_bytes(),
            [ours.as_bytes(), b"\xff"].concat(),
            vec![b'7'; 1 << 20],
        ];
        // Cut anywhere, or with any one character changed.
        wrong.extend((0..ours.len() - 1).map(|end| ours.as_bytes()[..end].to_vec()));
        wrong.extend((0..ours.len() - 1).map(|at| {
            let mut changed = ours.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            changed
        }));
        for wrong in wrong {
            fs::write(&path, &wrong).unwrap();
            assert!(!checks.know(&state(), &HASH), "{}", String::from_utf8_lossy(&wrong));
            checks.remember(&state(), &HASH);
            assert!(checks.know(&state(), &HASH), "after {}", String::from_utf8_lossy(&wrong));
        }
    }

    #[test]
    fn where_nothing_can_be_written_nothing_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_path_buf(), "/dev/null/file".into()] {
            let checks = Checks::at(path);
            checks.remember(&state(), &HASH);
            assert!(!checks.know(&state(), &HASH));
        }
    }

    #[test]
    fn the_folder_is_the_users() {
        let by = |set: &'static [(&str, &str)]| {
            Checks::by(|name| set.iter().find(|(known, _)| *known == name).map(|(_, path)| path.into()))
        };
        let home = Checks::at("/home/x/.cache/tempo/checked-nets");
        assert_eq!(
            by(&[("HOME", "/home/x"), ("XDG_CACHE_HOME", "/var/y")]),
            Checks::at("/var/y/tempo/checked-nets")
        );
        assert_eq!(by(&[("HOME", "/home/x")]), home);
        assert_eq!(by(&[("HOME", "/home/x"), ("XDG_CACHE_HOME", "")]), home);
        assert_eq!(by(&[("HOME", "/home/x"), ("XDG_CACHE_HOME", "relative")]), home);
        assert_eq!(by(&[]), Checks::NONE);
    }
}
