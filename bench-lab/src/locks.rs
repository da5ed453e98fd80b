//! One lab at a time: on a processor core, on a register.
//!
//! A lock is the kernel's `flock` on a small file that says who holds it. It ends with the process, however
//! that ends; a file that is left says nothing.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::libc::O_NOFOLLOW;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::plan_maker;

/// Names the folder of the locks on cores.
pub const FOLDER: &str = "BENCH_LAB_LOCKS";

/// The folder that all users of a machine share.
const SHARED: &str = "/tmp";

/// How often, and how long in between, who holds a lock is asked for: it may just be writing its name.
const ASKED: (u32, Duration) = (10, Duration::from_millis(20));

/// Who holds a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// Its command line.
    pub command: String,
    /// Since when, RFC 3339 in UTC.
    pub since: String,
    /// The bundle, or whatever else it measures.
    pub subject: String,
}

/// Why a lock can't be had.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another lab has it.
    #[error("{what} is in use by another lab: {holder}; {remedy}")]
    Held {
        /// What is locked.
        what: String,
        /// By whom.
        holder: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The system refuses.
    #[error("cannot lock {what} by {path}: {source}; {remedy}", path = .path.display())]
    Io {
        /// What was to be locked.
        what: String,
        /// The lock's file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
        /// What to do.
        remedy: &'static str,
    },
}

/// A lock that is held as long as this lives.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Holder {
    /// This process.
    pub fn this(subject: &str) -> Holder {
        let arguments: Vec<String> =
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        Holder {
            pid: std::process::id(),
            command: arguments.join(" "),
            since: plan_maker::now(),
            subject: subject.to_owned(),
        }
    }

    fn told(&self) -> String {
        let Holder { pid, command, since, subject } = self;
        format!("process {pid} (`{command}`), since {since}, for {subject}")
    }

    fn lives(&self) -> bool {
        Path::new("/proc").join(self.pid.to_string()).exists()
    }
}

/// What is locked, in words, and what to do when that fails.
struct Subject {
    what: String,
    held: &'static str,
    failed: &'static str,
    /// Other users must be able to lock it too.
    shared: bool,
}

/// Locks the cores, each once, against every other lab on the machine.
pub fn cores(cores: impl IntoIterator<Item = usize>, holder: &Holder) -> Result<Vec<Lock>, LockError> {
    let folder = std::env::var_os(FOLDER).map_or_else(|| PathBuf::from(SHARED), PathBuf::from);
    // In one order, so that two labs with the same cores never each hold one that the other needs.
    let cores: std::collections::BTreeSet<usize> = cores.into_iter().collect();
    let lock = |core| {
        let subject = Subject {
            what: format!("core {core}"),
            held: "wait until it has ended, or give the lane another core",
            failed: "name a folder for locks that you may write to with BENCH_LAB_LOCKS",
            shared: true,
        };
        Lock::take(&folder.join(format!("bench-lab-core-{core}.lock")), &subject, holder)
    };
    cores.into_iter().map(lock).collect()
}

/// Locks a register by a file beside it.
pub fn register(register: &Path, holder: &Holder) -> Result<Lock, LockError> {
    let subject = Subject {
        what: format!("the register {}", register.display()),
        held: "wait until it has ended, or name another register with --register",
        failed: "name a register in a folder that you may write to with --register",
        shared: false,
    };
    let mut name = register.file_name().unwrap_or_default().to_os_string();
    name.push(".lock");
    Lock::take(&register.with_file_name(name), &subject, holder)
}

impl Lock {
    fn take(path: &Path, subject: &Subject, holder: &Holder) -> Result<Lock, LockError> {
        let failed = |source| LockError::Io {
            what: subject.what.clone(),
            path: path.to_path_buf(),
            source,
            remedy: subject.failed,
        };
        loop {
            let mut file = open(path, subject.shared).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let holder = asked(path).map_or_else(|| "it did not say who it is".into(), |h| h.told());
                    return Err(LockError::Held { what: subject.what.clone(), holder, remedy: subject.held });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
            // Who held it last may have taken the file away between the two calls.
            if is_there(&file, path).map_err(failed)? {
                tell(&mut file, holder).map_err(failed)?;
                return Ok(Lock { path: path.to_path_buf(), _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays, another user's in a shared folder say, locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens the file for locking, creating it if need be.
fn open(path: &Path, shared: bool) -> io::Result<File> {
    loop {
        let there = OpenOptions::new().read(true).write(true).custom_flags(O_NOFOLLOW).open(path);
        match there {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            // Reading is enough to lock what another user has left.
            Err(e) if shared && e.kind() == io::ErrorKind::PermissionDenied => {
                return OpenOptions::new().read(true).custom_flags(O_NOFOLLOW).open(path);
            }
            done => return done,
        }
        // Never opened and created in one call: shared folders refuse that for files of others.
        match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Ok(file) if shared => {
                file.set_permissions(Permissions::from_mode(0o666))?;
                return Ok(file);
            }
            done => return done,
        }
    }
}

/// Whether the path still leads to the open file.
fn is_there(file: &File, path: &Path) -> io::Result<bool> {
    let own = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok((own.dev(), own.ino()) == (there.dev(), there.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Writes who holds the lock, where that can be written.
fn tell(file: &mut File, holder: &Holder) -> io::Result<()> {
    let text = serde_json::to_string(holder).map_err(io::Error::other)?;
    match file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes())) {
        // Opened for reading alone.
        Err(e) if matches!(e.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput) => Ok(()),
        done => done,
    }
}

/// Who holds a lock, by its file.
fn asked(path: &Path) -> Option<Holder> {
    for _ in 0..ASKED.0 {
        let mut text = String::new();
        let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
        let holder = read.ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok());
        if let Some(holder) = holder.filter(Holder::lives) {
            return Some(holder);
        }
        std::thread::sleep(ASKED.1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(path: &Path, who: &str) -> Result<Lock, LockError> {
        register(path, &Holder::this(who))
    }

    #[test]
    fn the_second_is_told_who_the_first_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("register.jsonl");
        let first = lock(&path, "bundle one").expect("nobody else");
        let told = lock(&path, "bundle two").expect_err("held").to_string();
        assert!(
            told.starts_with(&format!("the register {} is in use by another lab: process ", path.display()))
        );
        assert!(told.contains(&format!("process {} (`", std::process::id())), "{told}");
        assert!(told.contains("`), since 2") && told.contains("Z, for bundle one; wait until"), "{told}");
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing is left");
        lock(&path, "bundle two").expect("free again");
    }

    #[test]
    fn what_a_dead_lab_left_locks_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("register.jsonl");
        let left = Holder { pid: 1, ..Holder::this("a dead one") };
        let file = folder.path().join("register.jsonl.lock");
        fs::write(&file, serde_json::to_string(&left).expect("JSON")).expect("a file");
        let _held = lock(&path, "mine").expect("a stale file");
        let told: Holder = serde_json::from_str(&fs::read_to_string(&file).expect("the file")).expect("JSON");
        assert_eq!(told, Holder::this("mine"));
    }

    #[test]
    fn a_lock_that_cannot_be_made_is_told_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("absent/register.jsonl");
        let told = lock(&path, "mine").expect_err("no folder").to_string();
        assert!(told.starts_with(&format!("cannot lock the register {} by ", path.display())), "{told}");
        assert!(told.ends_with("that you may write to with --register"), "{told}");
    }
}
