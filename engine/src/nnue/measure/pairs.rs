//! Finding threat pairs.

use super::Step;
use crate::nnue::accumulator::frame::changed_squares;
use crate::nnue::features::delta::PairDelta;
use crate::nnue::features::list::List;
use crate::nnue::features::pairs::{MAX_PAIRS, Pair, active};
use crate::position::Position;

/// Room for the pairs that are found.
#[derive(Default)]
pub struct Pairs {
    all: List<Pair, MAX_PAIRS>,
    delta: PairDelta,
}

impl Pairs {
    /// Finds all pairs of the position; returns how many.
    pub fn all(&mut self, position: &Position) -> usize {
        self.all.clear();
        active(position, &mut self.all);
        self.all.len()
    }

    /// Finds the pairs that a move removes and adds; returns how many.
    pub fn changed(&mut self, step: &Step) -> usize {
        self.delta.find(&step.before, &step.after, changed_squares(step.played));
        self.delta.removed.len() + self.delta.added.len()
    }
}
