//! Values of the positions on a search's path: what every kind of evaluator can, and the one that is chosen.

use super::halfkp::HalfKp;
use super::kernels::Simd;
use super::native::Native;
use super::net::Net;
use super::verify::Verifier;
use crate::memory::Memory;
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

    /// What it holds, the net apart.
    fn memory(&self) -> Memory;

    /// The net's value of the current position in centipawns, for the side to move.
    fn evaluate(&mut self, current: &Position) -> i32;

    /// The same of any position by the published formula, from nothing that was computed before.
    #[cfg(any(test, feature = "verify-eval"))]
    fn recomputed(&self, position: &Position) -> i32;
}

/// The evaluator of a search. In builds with the feature `verify-eval` every value is compared with the one
/// recomputed from nothing, and the first that differs ends the process.
pub struct Evaluator {
    chosen: Chosen,
    verifier: Verifier,
}

/// The kind of the net is asked for at every call, and always the same: a branch that costs nothing, unlike a table of
/// functions, which would keep the calls from being inlined.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one in a search; a box would be one more look-up for every call"
)]
enum Chosen {
    Native(Native),
    HalfKp(HalfKp),
}

macro_rules! chosen {
    ($chosen:expr, $evaluator:ident => $call:expr) => {
        match $chosen {
            Chosen::Native($evaluator) => $call,
            Chosen::HalfKp($evaluator) => $call,
        }
    };
}

impl Evaluator {
    /// An evaluator at the start position. If the processor lacks `simd`, its best kernels are used.
    pub fn new(net: impl Into<Net>, simd: Simd) -> Self {
        let chosen = match net.into() {
            Net::Native(network) => Chosen::Native(Native::new(network, simd)),
            Net::HalfKp(net) => Chosen::HalfKp(HalfKp::new(net, simd)),
        };
        Self { chosen, verifier: Verifier::new() }
    }

    /// The kernels in use.
    pub fn simd(&self) -> Simd {
        chosen!(&self.chosen, evaluator => evaluator.simd())
    }

    /// What it holds, the net apart.
    pub fn memory(&self) -> Memory {
        chosen!(&self.chosen, evaluator => evaluator.memory())
    }

    /// Forgets the values of positions met before. Only speed depends on them.
    pub fn clear(&mut self) {
        chosen!(&mut self.chosen, evaluator => evaluator.clear());
    }

    /// Starts a path at the root of a search.
    pub fn reset(&mut self, root: &Position) {
        chosen!(&mut self.chosen, evaluator => evaluator.reset(root));
    }

    /// Asks for what is kept about the position with this placement key, ahead of its entry.
    #[inline]
    pub fn prefetch(&self, placement: u64) {
        chosen!(&self.chosen, evaluator => evaluator.prefetch(placement));
    }

    /// Appends the position after `played`.
    #[inline]
    pub fn push(&mut self, after: &Position, played: Move) {
        chosen!(&mut self.chosen, evaluator => evaluator.push(after, played));
    }

    /// Appends the position after a null move.
    #[inline]
    pub fn push_null(&mut self, after: &Position) {
        chosen!(&mut self.chosen, evaluator => evaluator.push_null(after));
    }

    /// Goes back to the position before the last push.
    #[inline]
    pub fn pop(&mut self) {
        chosen!(&mut self.chosen, evaluator => evaluator.pop());
    }

    /// The net's value of the current position in centipawns, for the side to move.
    ///
    /// One call for the search, whatever the kind: two would keep the compiler from inlining what is around them.
    #[inline(never)]
    pub fn evaluate(&mut self, current: &Position) -> i32 {
        chosen!(&mut self.chosen, evaluator => {
            let value = evaluator.evaluate(current);
            self.verifier.check(evaluator, current, value);
            value
        })
    }

    /// How many values were compared with recomputed ones; `None` in builds that compare none.
    pub fn verified(&self) -> Option<u64> {
        self.verifier.count()
    }
}
