//! The evaluator of these nets.
//!
//! What a search calls is cold and not inlined, so that the search's own code is laid out as if there were only the other
//! kind of nets.

use std::sync::Arc;

use super::accumulator::Stack;
use super::kernels::Kernels;
use super::net::HalfKpNet;
use crate::memory::Memory;
use crate::nnue::cache::EvalCache;
use crate::nnue::evaluator::Evaluate;
use crate::nnue::{Simd, kernels};
use crate::position::{Move, Position};

/// Evaluates with a [`HalfKpNet`]. Nothing is allocated for paths of up to 255 moves.
pub struct HalfKp {
    net: Arc<HalfKpNet>,
    stack: Stack,
    kernels: Kernels,
    cache: EvalCache,
}

impl HalfKp {
    /// An evaluator at the start position. If the processor lacks `simd`, its best kernels are used.
    pub fn new(net: Arc<HalfKpNet>, simd: Simd) -> Self {
        let kernels = Kernels(kernels::Kernels::new(simd));
        Self { stack: Stack::new(Arc::clone(&net), kernels), net, kernels, cache: EvalCache::new() }
    }
}

impl Evaluate for HalfKp {
    fn simd(&self) -> Simd {
        self.kernels.0.simd()
    }

    fn memory(&self) -> Memory {
        self.stack.memory() + self.cache.memory()
    }

    fn clear(&mut self) {
        self.cache.clear();
    }

    fn reset(&mut self, root: &Position) {
        self.stack.reset(root);
    }

    #[cold]
    #[inline(never)]
    fn prefetch(&self, placement: u64) {
        self.cache.prefetch(placement);
    }

    #[cold]
    #[inline(never)]
    fn push(&mut self, after: &Position, _played: Move) {
        self.stack.push(after);
    }

    #[cold]
    #[inline(never)]
    fn push_null(&mut self, after: &Position) {
        self.stack.push(after);
    }

    #[cold]
    #[inline(never)]
    fn pop(&mut self) {
        self.stack.pop();
    }

    #[cold]
    #[inline(never)]
    fn evaluate(&mut self, current: &Position) -> i32 {
        let key = current.placement_key();
        debug_assert_eq!(key, self.stack.position().placement_key());
        if let Some(value) = self.cache.get(key) {
            return value;
        }
        let value = self.kernels.forward(self.stack.sums(), &self.net.parts().layers);
        self.cache.put(key, value);
        value
    }

    #[cfg(any(test, feature = "verify-eval"))]
    fn recomputed(&self, position: &Position) -> i32 {
        super::formula::value(&self.net, position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::halfkp::testing::random_net;
    use crate::nnue::noise::Noise;
    use crate::nnue::testing::{STARTS, random_game};
    use crate::nnue::verify::compare;

    /// One evaluator for each path that this processor has.
    fn evaluators(net: &Arc<HalfKpNet>) -> Vec<HalfKp> {
        let simds = Simd::ALL.into_iter().filter(|simd| simd.is_available());
        simds.map(|simd| HalfKp::new(Arc::clone(net), simd)).collect()
    }

    /// Compares the current value with that from nothing, and the sums' too where the cache knew the value.
    fn look(evaluators: &mut [HalfKp], position: &Position) {
        for evaluator in evaluators {
            let value = evaluator.evaluate(position);
            compare(evaluator, position, value).unwrap();
            evaluator.clear();
            let value = evaluator.evaluate(position);
            compare(evaluator, position, value).unwrap();
        }
    }

    #[test]
    fn values_along_a_path_are_those_from_nothing() {
        let mut all = evaluators(&random_net(1));
        // Castling, en passant, promotions, and all that is looked at.
        let mut met = [0; 4];
        for (seed, fen) in (0..).zip(STARTS.iter().cycle().take(8 * STARTS.len())) {
            let mut noise = Noise::new(100 + seed);
            let start = Position::from_fen(fen).unwrap();
            all.iter_mut().for_each(|evaluator| evaluator.reset(&start));
            for (played, after) in random_game(&start, seed, 40) {
                all.iter_mut().for_each(|evaluator| evaluator.push(&after, played));
                // Some positions only, so that steps of every length occur.
                if noise.below(3) == 0 {
                    look(&mut all, &after);
                }
                if after.checkers().is_empty() && noise.below(4) == 0 {
                    let passed = after.make_null();
                    all.iter_mut().for_each(|evaluator| evaluator.push_null(&passed));
                    look(&mut all, &passed);
                    all.iter_mut().for_each(HalfKp::pop);
                }
                for &other in &after.legal_moves() {
                    let kinds = [other.is_castling(), other.is_en_passant(), other.promotion().is_some()];
                    if !kinds.contains(&true) && noise.below(20) != 0 {
                        continue;
                    }
                    met.iter_mut().zip(kinds).for_each(|(count, is)| *count += u32::from(is));
                    met[3] += 1;
                    let next = after.make(other);
                    all.iter_mut().for_each(|evaluator| evaluator.push(&next, other));
                    look(&mut all, &next);
                    all.iter_mut().for_each(HalfKp::pop);
                }
            }
        }
        let [castled, took_en_passant, promoted, moves] = met;
        assert!(castled >= 10 && took_en_passant >= 10 && promoted >= 100 && moves > 1000, "{met:?}");
    }

    #[test]
    fn a_path_may_be_longer_than_reserved() {
        let mut all = evaluators(&random_net(2));
        let start = Position::from_fen(STARTS[4]).unwrap();
        all.iter_mut().for_each(|evaluator| evaluator.reset(&start));
        let game = random_game(&start, 3, 600);
        assert!(game.len() > 256);
        for (played, after) in &game {
            all.iter_mut().for_each(|evaluator| evaluator.push(after, *played));
        }
        look(&mut all, &game[game.len() - 1].1);
    }

    #[test]
    fn a_wrong_accumulator_is_found() {
        for mut evaluator in evaluators(&random_net(3)) {
            let start = Position::start();
            evaluator.reset(&start);
            evaluator.stack.corrupt();
            let wrong = evaluator.evaluate(&start);
            let message = compare(&evaluator, &start, wrong).unwrap_err().to_string();
            let parts = [start.to_fen(), format!("{} path", evaluator.simd()), format!("found {wrong}")];
            assert!(parts.iter().all(|part| message.contains(part)), "{message}: expected {parts:?}");
        }
    }
}
