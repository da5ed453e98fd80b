//! Why a net file is refused.

use std::path::PathBuf;

/// A shape for which there are no kernels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported shape ({shape}): {reason}")]
pub struct ShapeError {
    /// The shape in words.
    pub shape: String,
    /// The rule that it breaks.
    pub reason: String,
}

/// What is wrong with a net.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The file cannot be opened.
    #[error("cannot read it: expected a file, found {0}")]
    Io(#[from] std::io::Error),
    /// A name of something that has no bytes to be read.
    #[error("cannot read it: expected a file, found {found}")]
    NoFile {
        /// What it is.
        found: &'static str,
    },
    /// Nothing in it.
    #[error("wrong length: expected a net, found an empty file")]
    Empty,
    /// Somebody wrote to it.
    #[error(
        "it was written to after it was opened: expected {expected}, found {found}; load it again when it is complete"
    )]
    Changed {
        /// Its state when it was opened.
        expected: String,
        /// Its state afterwards.
        found: String,
    },
    /// The disk or somebody who shortened it for a while kept bytes back.
    #[error("a part of it could not be read: expected all its bytes, found a gap; copy it anew")]
    Unreadable,
    /// The system has no room for the file or for what is made of it.
    #[error("not enough memory: expected {needed} bytes for it, found {source}")]
    Memory {
        /// How much was wanted at once.
        needed: u64,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not a net file.
    #[error("wrong magic: expected \"TEMPONET\", found {found}")]
    Magic {
        /// The first eight bytes, escaped.
        found: String,
    },
    /// Another format version.
    #[error("wrong format version: expected {expected}, found {found}")]
    Version {
        /// The version this program reads.
        expected: u32,
        /// The file's.
        found: u32,
    },
    /// A header field that has only one allowed value.
    #[error("wrong {field} in the header: expected {expected}, found {found}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// What it must be.
        expected: u64,
        /// What the file says.
        found: u64,
    },
    /// A word of a HalfKP file that has only one allowed value.
    #[error("wrong {field}: expected {expected:#010X}, found {found:#010X}")]
    Word {
        /// The word's meaning.
        field: &'static str,
        /// What it must be.
        expected: u32,
        /// The file's.
        found: u32,
    },
    /// A text in a HalfKP file that nothing depends on.
    #[error("wrong length of the description: expected at most {expected} bytes, found {found}")]
    Description {
        /// The longest that is read.
        expected: u32,
        /// The file's.
        found: u32,
    },
    /// No kernels for this shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The file is too short or too long.
    #[error("wrong length: expected {expected} bytes, found {found}")]
    Length {
        /// By the header.
        expected: u64,
        /// The file's.
        found: u64,
    },
    /// The payload is not the one that was written.
    #[error("wrong SHA-256 of the payload: expected {expected} (header), found {found}")]
    Hash {
        /// The header's, in hexadecimal.
        expected: String,
        /// The payload's.
        found: String,
    },
    /// Not the net that it was.
    #[error(
        "it is another net now: expected that in use, SHA-256 {expected}, found {found}; set EvalFile again to take it"
    )]
    Replaced {
        /// The hash of the net in use.
        expected: String,
        /// The file's.
        found: String,
    },
    /// A sum may leave its integer type.
    #[error("possible overflow in {place}: expected a sum within {allowed}, found bounds {found}")]
    Overflow {
        /// The layer and the neuron.
        place: String,
        /// What is allowed.
        allowed: String,
        /// The bounds of the sum.
        found: String,
    },
}

impl Refusal {
    /// The system's answer to a wish for so many bytes: no memory, or something else.
    pub(super) fn memory(needed: u64, source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::OutOfMemory => Self::Memory { needed, source },
            _ => Self::Io(source),
        }
    }
}

/// A refused net with its place.
#[derive(Debug, thiserror::Error)]
#[error("net {}: {refusal}", path.display())]
pub struct NetError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub refusal: Refusal,
}
