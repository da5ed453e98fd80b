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
    /// The file cannot be read or mapped.
    #[error("cannot read it: {0}")]
    Io(#[from] std::io::Error),
    /// The system has no room for what is made of the file's tables.
    #[error("no memory for its tables: {0}")]
    Memory(std::io::Error),
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
