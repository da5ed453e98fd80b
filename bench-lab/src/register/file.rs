//! The register's file: read whole, appended to under a lock.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use protocol::canonical::sha256_hex;
use protocol::register::{Event, Register, RegisterFault, TornLine, whole_lines};
use thiserror::Error;

use super::place::folder_of;
use crate::locks::{self, Holder, Lock, LockError};
use crate::{plan_maker, room};

/// Why a register can't be used.
#[derive(Debug, Error)]
pub enum RegisterError {
    /// The system refuses.
    #[error("cannot {action} the register {path}: {source}{}", room::remedy(action, source, Some(named)), path = .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The register.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
        /// What names another register.
        named: &'static str,
    },
    /// Another lab uses it, or it can't be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// It is not what labs have written.
    #[error("the register {path}, {fault}; nothing is added to it: restore it from a copy, or name {another}", path = .path.display())]
    Broken {
        /// The register.
        path: PathBuf,
        /// The first thing that does not fit.
        fault: RegisterFault,
        /// What else can be named.
        another: &'static str,
    },
    /// Somebody else has written while the lab held the lock.
    #[error("the register {path} has {found} bytes, expected {expected}: it was changed while this lab used it", path = .path.display())]
    Touched {
        /// The register.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// Its size when the lab last wrote.
        expected: u64,
    },
}

impl RegisterError {
    /// The same where the register is the command's argument, so that no option names another one.
    pub fn of_argument(self) -> RegisterError {
        match self {
            RegisterError::Io { action, path, source, .. } => {
                RegisterError::Io { action, path, source, named: "FILE" }
            }
            RegisterError::Broken { path, fault, .. } => {
                RegisterError::Broken { path, fault, another: "another file" }
            }
            RegisterError::Lock(LockError::Held { what, holder, .. }) => {
                let remedy = "wait until it has ended, or name another file";
                RegisterError::Lock(LockError::Held { what, holder, remedy })
            }
            RegisterError::Lock(LockError::Io { what, path, source, .. }) => {
                let remedy = "name a file in a folder that you may write to";
                RegisterError::Lock(LockError::Io { what, path, source, remedy })
            }
            touched @ RegisterError::Touched { .. } => touched,
        }
    }

    fn broken(path: &Path, fault: RegisterFault) -> RegisterError {
        RegisterError::Broken { path: path.to_path_buf(), fault, another: "another one with --register" }
    }
}

/// A register that this lab alone may write to.
#[derive(Debug)]
pub struct RegisterFile {
    path: PathBuf,
    register: Register,
    /// Bytes of all lines so far.
    size: u64,
    /// Folders that were made for it and are taken away again when it stays empty.
    made: Option<PathBuf>,
    lock: Option<Lock>,
}

impl RegisterFile {
    /// Opens a register, which need not be there yet, and locks it. A last line that was cut off is taken away; that is
    /// registered, and told by the second value.
    pub fn open(path: &Path, holder: &Holder) -> Result<(RegisterFile, Option<String>), RegisterError> {
        let folder = folder_of(path);
        let made = (!folder.exists()).then(|| folder.to_path_buf());
        fs::create_dir_all(folder).map_err(io_error("create the folder of", path))?;
        let lock = match locks::register(path, holder) {
            Ok(lock) => lock,
            Err(error) => {
                made.iter().for_each(abandon);
                return Err(error.into());
            }
        };
        let (path, register) = (path.to_path_buf(), Register::default());
        let mut file = RegisterFile { path, register, size: 0, made, lock: Some(lock) };
        let bytes = file.bytes()?;
        let (whole, torn) = whole_lines(&bytes);
        file.register = parse(&file.path, whole)?;
        file.size = whole.len() as u64;
        let told = if torn.is_empty() { None } else { Some(file.cut(torn)?) };
        Ok((file, told))
    }

    /// What it says.
    pub fn register(&self) -> &Register {
        &self.register
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line and has it on the disk before it returns; when that fails, nothing of it is left.
    pub fn append(&mut self, event: Event) -> Result<(), RegisterError> {
        let broken = |fault| RegisterError::broken(&self.path, fault);
        let entry = self.register.next(&plan_maker::now(), event).map_err(broken)?;
        let mut line =
            entry.line().map_err(|e| io_error("write", &self.path)(io::Error::other(e.to_string())))?;
        line.push(b'\n');
        let is_new = !self.path.exists();
        let opened = OpenOptions::new().append(true).create(true).open(&self.path);
        let mut file = opened.map_err(io_error("write to", &self.path))?;
        let found = file.metadata().map_err(io_error("read", &self.path))?.len();
        if found != self.size {
            return Err(RegisterError::Touched { path: self.path.clone(), found, expected: self.size });
        }
        if let Err(error) = self.write(&mut file, &line, is_new) {
            // Without room for the line there still is room to say so.
            let _ = if is_new { fs::remove_file(&self.path) } else { file.set_len(self.size) };
            return Err(io_error("write to", &self.path)(error));
        }
        self.size += line.len() as u64;
        self.register.push(entry).map_err(|fault| RegisterError::broken(&self.path, fault))
    }

    /// Has a line on the disk, and the file's name if that is new.
    fn write(&self, file: &mut File, line: &[u8], is_new: bool) -> io::Result<()> {
        file.write_all(line)?;
        file.sync_all()?;
        if is_new { File::open(folder_of(&self.path))?.sync_all() } else { Ok(()) }
    }

    /// Takes away what a power cut or a full disk has left of a line: nothing was done yet that hung on it. Without room
    /// to say so it stays.
    fn cut(&mut self, torn: &[u8]) -> Result<String, RegisterError> {
        let cut = OpenOptions::new().write(true).open(&self.path).and_then(|file| {
            file.set_len(self.size)?;
            file.sync_all()
        });
        cut.map_err(io_error("mend", &self.path))?;
        let noted = self.append(Event::Torn(TornLine { bytes: torn.len(), sha256: sha256_hex(torn) }));
        if noted.is_err() {
            let again = OpenOptions::new().append(true).open(&self.path);
            let again = again.and_then(|mut file| file.write_all(torn));
            again.map_err(io_error("mend", &self.path))?;
        }
        noted?;
        Ok(format!(
            "the last line of the register {} had been cut off by a power cut or a full disk: its {} bytes were taken \
             away, and line {} says so",
            self.path.display(),
            torn.len(),
            self.register.entries().len()
        ))
    }

    fn bytes(&self) -> Result<Vec<u8>, RegisterError> {
        let mut bytes = Vec::new();
        match File::open(&self.path) {
            Ok(mut file) => {
                file.read_to_end(&mut bytes).map_err(io_error("read", &self.path))?;
                Ok(bytes)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(bytes),
            Err(e) => Err(io_error("read", &self.path)(e)),
        }
    }
}

impl Drop for RegisterFile {
    fn drop(&mut self) {
        // The lock's file goes first: it lies in the folder.
        self.lock = None;
        if self.size == 0 {
            self.made.iter().for_each(abandon);
        }
    }
}

/// Reads a register without locking it; a last line that has no end is left out, and told by `true`: a lab may be writing it.
pub fn read(path: &Path) -> Result<(Register, bool), RegisterError> {
    let bytes = fs::read(path).map_err(io_error("read", path))?;
    let (whole, rest) = whole_lines(&bytes);
    Ok((parse(path, whole)?, !rest.is_empty()))
}

fn parse(path: &Path, whole: &[u8]) -> Result<Register, RegisterError> {
    Register::read(whole).map_err(|fault| RegisterError::broken(path, fault))
}

fn abandon(folder: &PathBuf) {
    // A folder that holds something stays.
    let _ = fs::remove_dir(folder);
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RegisterError {
    move |source| RegisterError::Io { action, path: path.to_path_buf(), source, named: room::REGISTER }
}
