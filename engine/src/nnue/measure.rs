//! Ready-made work for the benchmarks: this room's own kernels on the rows and sums of real positions.

mod games;
mod heads;
mod pairs;
#[cfg(test)]
mod tests;
mod updates;
mod walk;

pub use games::{Game, Step, games, moves};
pub use heads::Heads;
pub use pairs::Pairs;
pub use updates::Updates;
pub use walk::Walk;

/// Bytes that one pass over a piece of work moves, counted from shapes and lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Weight rows, read.
    pub rows: usize,
    /// Accumulators and what is made of them, read or written.
    pub sums: usize,
    /// Weights of the later layers, read.
    pub weights: usize,
    /// What a cache must hold to serve the whole pass: every byte counted once.
    pub working_set: usize,
}

impl Traffic {
    /// All that is moved.
    pub fn bytes(&self) -> usize {
        self.rows + self.sums + self.weights
    }
}

/// What a piece of work reads out of tables, in order, for a reader that does nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Bytes that are read at each place.
    pub length: usize,
    /// The places, in bytes, as if all tables lay one behind the other.
    pub places: Vec<usize>,
}

impl std::ops::Add for Traffic {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            sums: self.sums + other.sums,
            weights: self.weights + other.weights,
            working_set: self.working_set + other.working_set,
        }
    }
}
