//! Where a net's bytes lie: in the executable or in a mapped file.

#[cfg(unix)]
mod guard;
mod state;

use std::fs::{File, FileType, OpenOptions};
use std::path::Path;
use std::time::SystemTime;

#[cfg(unix)]
use guard::Guarded;
#[cfg(not(unix))]
use unguarded::Guarded;

pub use state::FileState;
#[cfg(test)]
pub(super) use state::tests as states;

use super::error::Refusal;

/// The embedded net, placed so that its payload starts on a cache line.
#[repr(C, align(64))]
struct Embedded<const N: usize> {
    padding: [u8; 16],
    file: [u8; N],
}

const EMBEDDED_BYTES: usize = include_bytes!("../../nets/main.net").len();

static EMBEDDED: Embedded<EMBEDDED_BYTES> =
    Embedded { padding: [0; 16], file: *include_bytes!("../../nets/main.net") };

/// The bytes of a whole net file.
pub enum Source {
    /// Part of the executable.
    Embedded,
    /// A file mapped for reading.
    Mapped(MappedFile),
}

impl Source {
    /// Maps a file. Never waits: what is no file of bytes is refused.
    pub fn map(path: &Path) -> Result<Self, Refusal> {
        MappedFile::open(path).map(Self::Mapped)
    }

    /// The whole file.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Embedded => &EMBEDDED.file,
            Self::Mapped(file) => &file.map,
        }
    }

    /// Refuses a file that was written to since it was mapped: what was read of it means nothing.
    pub fn unchanged(&self) -> Result<(), Refusal> {
        match self {
            Self::Embedded => Ok(()),
            Self::Mapped(file) => file.unchanged(),
        }
    }

    /// Gives back the memory that was taken to read it.
    pub fn release(&self) {
        if let Self::Mapped(file) = self {
            file.map.release();
        }
    }

    /// The state by which the file can be known again: nothing of it, not even its name, has changed for some
    /// seconds before it was mapped, nor since.
    pub fn steady_state(&self) -> Option<&FileState> {
        let Self::Mapped(MappedFile { file, state, opened, .. }) = self else { return None };
        let now = FileState::of(&file.metadata().ok()?);
        (now == *state && state.is_settled(*opened)).then_some(state)
    }

    /// The state when it was mapped.
    pub fn state(&self) -> Option<&FileState> {
        match self {
            Self::Embedded => None,
            Self::Mapped(file) => Some(&file.state),
        }
    }
}

/// A mapped file with its state before.
pub struct MappedFile {
    map: Guarded,
    file: File,
    state: FileState,
    opened: SystemTime,
}

impl MappedFile {
    fn open(path: &Path) -> Result<Self, Refusal> {
        let opened = SystemTime::now();
        let file = open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(Refusal::NoFile { found: kind(metadata.file_type()) });
        }
        let state = FileState::of(&metadata);
        if state.bytes() == 0 {
            return Err(Refusal::Empty);
        }
        let too_large = |_| std::io::Error::from(std::io::ErrorKind::FileTooLarge);
        let bytes = usize::try_from(state.bytes()).map_err(too_large);
        let map = bytes.and_then(|bytes| Guarded::map(&file, bytes));
        let map = map.map_err(|error| Refusal::memory(state.bytes(), error))?;
        Ok(Self { map, file, state, opened })
    }

    fn unchanged(&self) -> Result<(), Refusal> {
        let now = FileState::of(&self.file.metadata()?);
        if self.state.may_differ(&now) {
            return Err(Refusal::Changed { expected: self.state.to_string(), found: now.to_string() });
        }
        if self.map.is_damaged() {
            return Err(Refusal::Unreadable);
        }
        Ok(())
    }
}

/// Opens for reading without waiting for anybody, as a pipe would.
pub(super) fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    options.read(true).open(path)
}

/// What a directory entry that holds no bytes is.
fn kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a directory" } else { "something else" }
}

/// Where the system lets no mapped file shrink.
#[cfg(not(unix))]
mod unguarded {
    use std::fs::File;

    use memmap2::{Mmap, MmapOptions};

    pub struct Guarded(Mmap);

    impl Guarded {
        pub fn map(file: &File, bytes: usize) -> std::io::Result<Self> {
            // SAFETY: the mapping is only read, and readers expect any bytes.
            Ok(Self(unsafe { MmapOptions::new().len(bytes).map(file)? }))
        }

        pub fn release(&self) {}

        pub fn is_damaged(&self) -> bool {
            false
        }
    }

    impl std::ops::Deref for Guarded {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            &self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_the_bytes_is_noticed_and_one_of_the_name_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.net");
        let map = || {
            std::fs::write(&path, vec![7; 10_000]).unwrap();
            Source::map(&path).unwrap()
        };
        let source = map();
        std::fs::rename(&path, folder.path().join("b.net")).unwrap();
        source.unchanged().unwrap();
        assert!(source.bytes().iter().all(|&byte| byte == 7));

        let source = map();
        std::fs::remove_file(&path).unwrap();
        source.unchanged().unwrap();
        assert!(source.bytes().iter().all(|&byte| byte == 7));

        let source = map();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(5000).unwrap();
        assert_eq!((source.bytes()[0], source.bytes()[9999]), (7, 0));
        let message = source.unchanged().unwrap_err().to_string();
        for part in ["written to after it was opened", "expected 10000 bytes", "found 5000 bytes"] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_state_is_steady_when_it_was_old_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.net");
        std::fs::write(&path, vec![7; 100]).unwrap();
        let mut source = Source::map(&path).unwrap();
        let mut open_later = |seconds| {
            let Source::Mapped(mapped) = &mut source else { unreachable!() };
            mapped.opened = mapped.file.metadata().unwrap().modified().unwrap();
            mapped.opened += std::time::Duration::from_secs(seconds);
            source.steady_state().is_some()
        };
        assert_eq!([open_later(0), open_later(2), open_later(60)], [false, false, cfg!(unix)]);
        OpenOptions::new().write(true).open(&path).unwrap().set_len(99).unwrap();
        assert!(!open_later(60));
    }

    #[test]
    fn a_part_that_was_missing_for_a_while_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.net");
        std::fs::write(&path, vec![7; 10_000]).unwrap();
        let source = Source::map(&path).unwrap();
        let Source::Mapped(mapped) = &source else { unreachable!() };
        let modified = mapped.file.metadata().unwrap().modified().unwrap();
        let writer = OpenOptions::new().write(true).open(&path).unwrap();
        writer.set_len(10).unwrap();
        assert_eq!(source.bytes()[9999], 0);
        writer.set_len(10_000).unwrap();
        writer.set_modified(modified).unwrap();
        let message = source.unchanged().unwrap_err().to_string();
        assert!(message.contains("part of it could not be read"), "{message}");
    }
}
