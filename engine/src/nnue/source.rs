//! Where a net's bytes lie: in the executable or in a mapped file.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

/// The embedded net, placed so that its payload starts on a cache line.
#[repr(C, align(64))]
struct Embedded<const N: usize> {
    padding: [u8; 16],
    file: [u8; N],
}

const EMBEDDED_BYTES: usize = include_bytes!("../../nets/main.net").len();

static EMBEDDED: Embedded<EMBEDDED_BYTES> =
    Embedded { padding: [0; 16], file: *include_bytes!("../../nets/main.net") };

/// The bytes of a whole net file, for as long as the net lives.
pub(super) enum Source {
    /// Part of the executable.
    Embedded,
    /// A file mapped for reading.
    Mapped(Mmap),
}

impl Source {
    /// Maps a file.
    pub fn map(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Err(std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the file is empty"));
        }
        // SAFETY: the mapping is private and only read. A net file is replaced by renaming a new one
        // over it, never written in place; whoever truncates it meanwhile ends this process by SIGBUS.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self::Mapped(map))
    }

    /// The whole file.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Embedded => &EMBEDDED.file,
            Self::Mapped(map) => map,
        }
    }
}
