//! A net of this shape, ready for use.

use super::layers::Layers;
use super::{HIDDEN, INPUTS, NAME, ROWS, Row, WIDTH, file};
use crate::huge::HugeTable;
use crate::memory::Memory;
use crate::nnue::Refusal;
use crate::nnue::beside::beside;
use crate::nnue::header::hex;
use crate::nnue::source::Source;

/// An immutable net, shared by everything that evaluates with it.
pub struct HalfKpNet {
    source: Source,
    hash: [u8; 32],
    parts: Parts,
}

/// What is made of a file. Nothing else is read of it later.
pub struct Parts {
    pub description: String,
    pub bias: Box<Row>,
    pub rows: HugeTable<Row>,
    pub layers: Layers,
}

impl HalfKpNet {
    /// The net of a file's bytes.
    pub(in crate::nnue) fn new(source: Source) -> Result<Self, Refusal> {
        let (hash, parts) = beside(|| file::hash(&source), || file::read(source.bytes()));
        // Whatever came out of a file that changed meanwhile means nothing.
        source.unchanged()?;
        let (hash, parts) = (hash?, parts?);
        source.release();
        Ok(Self { source, hash, parts })
    }

    /// A net of no file.
    #[cfg(test)]
    pub(super) fn of(parts: Parts) -> Self {
        Self { source: Source::Embedded, hash: [0; 32], parts }
    }

    /// Bias, rows and layers.
    #[inline]
    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The text that the file carries.
    pub fn description(&self) -> &str {
        &self.parts.description
    }

    /// What all that evaluate with it share.
    pub fn memory(&self) -> Memory {
        let Parts { description, bias, rows, layers } = &self.parts;
        Memory::heap(description.capacity()) + Memory::of_box(&**bias) + rows.memory() + layers.memory()
    }

    /// SHA-256 of the whole file.
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Length of the whole file.
    pub fn file_bytes(&self) -> usize {
        self.source.bytes().len()
    }

    /// Refuses if somebody has written to the file since it was opened.
    pub fn unchanged(&self) -> Result<(), Refusal> {
        self.source.unchanged()
    }

    /// The shape in words.
    pub fn shape(&self) -> String {
        format!("width {WIDTH}, {ROWS} rows, hidden {HIDDEN} and {HIDDEN}")
    }

    /// Number of weights and biases.
    pub fn parameters(&self) -> usize {
        let layer = |inputs, outputs| (inputs + 1) * outputs;
        layer(ROWS, WIDTH) + layer(INPUTS, HIDDEN) + layer(HIDDEN, HIDDEN) + layer(HIDDEN, 1)
    }
}

impl std::fmt::Debug for HalfKpNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HalfKpNet({NAME}, {})", hex(&self.hash))
    }
}
