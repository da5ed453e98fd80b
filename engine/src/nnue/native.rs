//! The evaluator of the engine's own nets: accumulators, kernels, cache.

use std::sync::Arc;

use super::accumulator::Stack;
use super::cache::EvalCache;
use super::evaluator::Evaluate;
use super::kernels::{Kernels, Scratch, Simd};
use super::network::Network;
use crate::memory::Memory;
use crate::position::{Move, Position};

/// Evaluates with a [`Network`].
///
/// With the component `lazy-acc` nothing is computed before a value is wanted. Nothing is allocated for
/// paths of up to 255 moves.
pub(super) struct Native {
    network: Arc<Network>,
    stack: Stack,
    kernels: Kernels,
    scratch: Scratch,
    cache: EvalCache,
}

impl Native {
    /// An evaluator at the start position. If the processor lacks `simd`, its best kernels are used.
    pub fn new(network: Arc<Network>, simd: Simd) -> Self {
        let kernels = Kernels::new(simd);
        Self {
            scratch: Scratch::new(network.architecture().inputs()),
            stack: Stack::new(Arc::clone(&network), kernels),
            network,
            kernels,
            cache: EvalCache::new(),
        }
    }

    /// The value of the current position, whether or not it was met before.
    #[inline]
    pub fn compute(&mut self) -> i32 {
        let accumulated = self.stack.accumulated();
        let head = self.network.head();
        head.value(self.kernels.forward(&accumulated, head, &mut self.scratch))
    }
}

impl Evaluate for Native {
    fn simd(&self) -> Simd {
        self.kernels.simd()
    }

    fn memory(&self) -> Memory {
        self.stack.memory() + self.scratch.memory() + self.cache.memory()
    }

    fn clear(&mut self) {
        self.cache.clear();
    }

    fn reset(&mut self, root: &Position) {
        self.stack.reset(root);
    }

    #[inline]
    fn prefetch(&self, placement: u64) {
        self.cache.prefetch(placement);
    }

    #[inline]
    fn push(&mut self, after: &Position, played: Move) {
        self.stack.push(after, played);
    }

    #[inline]
    fn push_null(&mut self, after: &Position) {
        self.stack.push_null(after);
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    #[inline(always)]
    fn evaluate(&mut self, current: &Position) -> i32 {
        let key = current.placement_key();
        debug_assert_eq!(key, self.stack.position().placement_key());
        if let Some(value) = self.cache.get(key) {
            return value;
        }
        let value = self.compute();
        self.cache.put(key, value);
        value
    }

    #[cfg(any(test, feature = "verify-eval"))]
    fn recomputed(&self, position: &Position) -> i32 {
        super::formula::value(&self.network, position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::testing::{STARTS, random_game, random_net, small_teacher};
    use crate::nnue::verify::compare;

    #[test]
    fn values_along_a_path_are_those_recomputed_from_nothing() {
        for network in [Network::embedded(), random_net(&small_teacher(), 6)] {
            for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
                let mut native = Native::new(Arc::clone(&network), simd);
                for (seed, fen) in STARTS.iter().enumerate() {
                    let start = Position::from_fen(fen).unwrap();
                    native.reset(&start);
                    for (played, position) in random_game(&start, seed as u64, 60) {
                        native.push(&position, played);
                        let value = native.evaluate(&position);
                        compare(&native, &position, value).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn a_wrong_accumulator_is_found() {
        for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
            let mut native = Native::new(Network::embedded(), simd);
            let start = Position::start();
            native.reset(&start);
            let right = native.evaluate(&start);
            compare(&native, &start, right).unwrap();
            native.clear();
            native.stack.corrupt();
            let wrong = native.evaluate(&start);
            let message = compare(&native, &start, wrong).unwrap_err().to_string();
            let parts = [
                start.to_fen(),
                format!("{simd} path"),
                format!("expected {right}"),
                format!("found {wrong}"),
            ];
            assert!(parts.iter().all(|part| message.contains(part)), "{message}: expected {parts:?}");
        }
    }

    #[test]
    #[cfg(feature = "eval-cache")]
    fn a_wrong_value_in_the_cache_is_found() {
        let mut native = Native::new(Network::embedded(), Simd::best());
        let start = Position::start();
        native.reset(&start);
        let right = native.evaluate(&start);
        native.cache.put(start.placement_key(), right + 1);
        let wrong = native.evaluate(&start);
        assert_eq!(wrong, right + 1);
        compare(&native, &start, wrong).unwrap_err();
    }
}
