//! Values of the positions on a search's path: what every kind of evaluator can, and the one that is chosen.

use std::sync::Arc;

use super::kernels::Simd;
use super::native::Native;
use super::network::Network;
use super::verify::Verifier;
use crate::position::{Move, Position};

/// Follows one thread's search and gives the net's value of its current position.
///
/// Every position is entered once, by [`reset`](Self::reset) or a push, before it is evaluated.
pub(super) trait Evaluate {
    /// The kernels in use.
    fn simd(&self) -> Simd;

    /// Forgets the values of positions met before. Only speed depends on them.
    fn clear(&mut self);

    /// Starts a path at the root of a search.
    fn reset(&mut self, root: &Position);

    /// Asks for what is kept about the position with this placement key, ahead of its entry.
    fn prefetch(&self, placement: u64);

    /// Appends the position after `played`.
    fn push(&mut self, after: &Position, played: Move);

    /// Appends the position after a null move.
    fn push_null(&mut self, after: &Position);

    /// Goes back to the position before the last push.
    fn pop(&mut self);

    /// The net's value of the current position in centipawns, for the side to move.
    fn evaluate(&mut self, current: &Position) -> i32;

    /// The same of any position by the published formula, from nothing that was computed before.
    #[cfg(any(test, feature = "verify-eval"))]
    fn recomputed(&self, position: &Position) -> i32;
}

/// The evaluator of a search. In builds with the feature `verify-eval` every value is compared with the one
/// recomputed from nothing, and the first that differs ends the process.
pub struct Evaluator {
    chosen: Native,
    verifier: Verifier,
}

impl Evaluator {
    /// An evaluator at the start position. If the processor lacks `simd`, its best kernels are used.
    pub fn new(network: Arc<Network>, simd: Simd) -> Self {
        Self { chosen: Native::new(network, simd), verifier: Verifier::new() }
    }

    /// The kernels in use.
    pub fn simd(&self) -> Simd {
        self.chosen.simd()
    }

    /// Forgets the values of positions met before. Only speed depends on them.
    pub fn clear(&mut self) {
        self.chosen.clear();
    }

    /// Starts a path at the root of a search.
    pub fn reset(&mut self, root: &Position) {
        self.chosen.reset(root);
    }

    /// Asks for what is kept about the position with this placement key, ahead of its entry.
    #[inline]
    pub fn prefetch(&self, placement: u64) {
        self.chosen.prefetch(placement);
    }

    /// Appends the position after `played`.
    #[inline]
    pub fn push(&mut self, after: &Position, played: Move) {
        self.chosen.push(after, played);
    }

    /// Appends the position after a null move.
    #[inline]
    pub fn push_null(&mut self, after: &Position) {
        self.chosen.push_null(after);
    }

    /// Goes back to the position before the last push.
    #[inline]
    pub fn pop(&mut self) {
        self.chosen.pop();
    }

    /// The net's value of the current position in centipawns, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, current: &Position) -> i32 {
        let value = self.chosen.evaluate(current);
        self.verifier.check(&self.chosen, current, value);
        value
    }

    /// How many values were compared with recomputed ones; `None` in builds that compare none.
    pub fn verified(&self) -> Option<u64> {
        self.verifier.count()
    }
}
