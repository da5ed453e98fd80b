//! What can go wrong, each with its remedy.

use std::io;
use std::path::{Path, PathBuf};

/// A failed capture, draw, relink or start-up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither Rust's own linker nor `ld.lld` was found.
    #[error(
        "no LLD linker found (looked for {tried}): install the Rust toolchain from rustup, which brings rust-lld, or put ld.lld on PATH"
    )]
    LinkerMissing {
        /// The places that were tried.
        tried: String,
    },
    /// The linker could not be started or its version not be read.
    #[error("{linker} does not run: {reason}; check that it is an LLD for this machine", linker = .linker.display())]
    LinkerUnusable {
        /// Path of the linker.
        linker: PathBuf,
        /// What happened.
        reason: String,
    },
    /// The linker ended with an error.
    #[error("{linker} failed ({status}) on the captured link in {folder}: {message}; the same link went well when it was captured: check that this LLD is not older than the one that captured it", linker = .linker.display(), folder = .folder.display())]
    LinkerFailed {
        /// Path of the linker.
        linker: PathBuf,
        /// Folder of the capture.
        folder: PathBuf,
        /// Exit status.
        status: String,
        /// First lines of its messages.
        message: String,
    },
    /// The linker did not end in time and was killed.
    #[error("{linker} did not finish within {seconds} s and was stopped; raise the time-out if the program is that large", linker = .linker.display())]
    LinkerHung {
        /// Path of the linker.
        linker: PathBuf,
        /// Seconds waited.
        seconds: u64,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {path}: {source}; {}", remedy(action), path = .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The archive written by `--reproduce` is missing, cut off or something else.
    #[error("{tar} is no usable capture: {reason}; link again with the flags that `bench-lab layout flags` prints, which leave a complete one", tar = .tar.display())]
    BadCapture {
        /// The archive.
        tar: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The captured command line names a file that the capture lacks.
    #[error("the captured link needs {input}, which is not in {folder}: capture the link again", folder = .folder.display())]
    MissingInput {
        /// The file as the response file names it.
        input: String,
        /// Folder of the capture.
        folder: PathBuf,
    },
    /// The captured link does something that a draw cannot be combined with.
    #[error("the captured link uses `{option}`, which cannot be combined with a drawn layout: {remedy}")]
    UnsupportedLink {
        /// The option.
        option: String,
        /// What to do.
        remedy: &'static str,
    },
    /// An object file holds intermediate code.
    #[error(
        "{path} holds {kind} intermediate code instead of machine code, so that its functions cannot be placed: {remedy}"
    )]
    Intermediate {
        /// The object.
        path: String,
        /// Whose code it is.
        kind: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// An object file is damaged or for another kind of machine.
    #[error("{path} is no relocatable object for 64-bit x86 ELF: {reason}; build for this machine")]
    BadObject {
        /// The object.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Most functions share one section and cannot be placed one by one.
    #[error(
        "{lumped} of {all} functions share a section with others (first in {first}): compile with -ffunction-sections -fdata-sections (Rust: leave out -Z function-sections=no)"
    )]
    NoFunctionSections {
        /// Functions that share a section.
        lumped: usize,
        /// All functions.
        all: usize,
        /// First object that has such functions.
        first: String,
    },
    /// An executable cannot be read back.
    #[error("{path} cannot be read back: {reason}; it must be an unstripped 64-bit x86 ELF executable", path = .path.display())]
    BadImage {
        /// The executable.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A unit of the drawn capture is missing from the executable.
    #[error("{path} lacks {unit}, which the captured link had: the capture and the executable do not belong together", path = .path.display())]
    UnitLost {
        /// The executable.
        path: PathBuf,
        /// The unit.
        unit: String,
    },
    /// The linker put a unit somewhere else than drawn.
    #[error("{linker} put {unit} at {found:#x}, drawn was {drawn:#x}: use the rust-lld of Rust 1.95 or LLD 15 and later", linker = .linker.display())]
    NotAsDrawn {
        /// Path of the linker.
        linker: PathBuf,
        /// The unit.
        unit: String,
        /// Drawn address.
        drawn: u64,
        /// Address in the executable.
        found: u64,
    },
    /// The draw does not know the capture that is to be relinked.
    #[error("the draw has no slot for {unit} of {size} bytes: make the draw over all captures that share it")]
    NoSlot {
        /// The unit.
        unit: String,
        /// Its size.
        size: u64,
    },
    /// Nothing lies elsewhere than in the executable as first linked.
    #[error(
        "the draw with seed {seed} moved no {what} (of {all}): a layout that changes nothing proves nothing; build with function and data sections and relink again"
    )]
    NothingMoved {
        /// Seed of the draw.
        seed: u64,
        /// Functions or data.
        what: &'static str,
        /// How many there are.
        all: usize,
    },
    /// A process does not run where the draw put it.
    #[error("{path} does not start at the drawn addresses: {reason}", path = .path.display())]
    Started {
        /// The executable.
        path: PathBuf,
        /// What was found, what was expected, and the remedy.
        reason: String,
    },
    /// A drawn start-up cannot be had on this system.
    #[error("the start-up layout cannot be set: {reason}")]
    Startup {
        /// What is in the way, and the remedy.
        reason: String,
    },
}

/// Adds path and action to a system error.
pub(crate) fn io<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Error + 'a {
    move |source| Error::Io { action, path: path.to_owned(), source: nameless(source) }
}

/// What helps where something cannot be done with a file.
fn remedy(action: &str) -> &'static str {
    match action {
        "read" => "check the name and that you may read it",
        _ => "check that the folder exists, is writable and has room",
    }
}

/// What the system said of a temporary file, without the name of that file: nobody has ever seen it.
pub fn nameless(error: io::Error) -> io::Error {
    // What the system itself says names no file.
    if error.raw_os_error().is_some() {
        return error;
    }
    let told = error.to_string();
    match told.rsplit_once(" at path \"") {
        Some((told, _)) => io::Error::new(error.kind(), told.to_owned()),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_only_reads_needs_no_room() {
        let told = |action| io(action, Path::new("x"))(io::ErrorKind::NotFound.into()).to_string();
        assert!(told("read").ends_with("; check the name and that you may read it"), "{}", told("read"));
        assert!(told("write to").ends_with(" is writable and has room"), "{}", told("write to"));
    }

    #[test]
    fn temporary_files_have_no_name() {
        let absent = Path::new("/nowhere/at all");
        let error = tempfile::Builder::new().prefix(".relink-").tempdir_in(absent).expect_err("no folder");
        assert!(error.to_string().contains(".relink-"), "{error}");
        let told = nameless(error);
        assert_eq!(
            (told.kind(), told.to_string()),
            (io::ErrorKind::NotFound, "No such file or directory (os error 2)".to_owned())
        );
        let plain = io::Error::from_raw_os_error(13);
        assert_eq!(nameless(plain).raw_os_error(), Some(13));
    }
}
