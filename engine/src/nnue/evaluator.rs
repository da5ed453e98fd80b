//! Values of the positions on a search's path.

use std::sync::Arc;

use super::accumulator::Stack;
use super::cache::EvalCache;
use super::kernels::{Kernels, Scratch, Simd};
use super::network::Network;
use crate::position::{Move, Position};

/// Follows one thread's search and gives the net's value of its current position.
///
/// Every position is entered once, by [`reset`](Self::reset) or a push, before it is evaluated.
/// With the component `lazy-acc` nothing is computed until then. Nothing is allocated for paths of up to
/// 255 moves.
pub struct Evaluator {
    network: Arc<Network>,
    stack: Stack,
    kernels: Kernels,
    scratch: Scratch,
    cache: EvalCache,
}

impl Evaluator {
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

    /// The kernels in use.
    pub fn simd(&self) -> Simd {
        self.kernels.simd()
    }

    /// The net in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Forgets the values of positions met before. Only speed depends on them.
    pub fn clear(&mut self) {
        self.cache.clear();
    }

    /// Starts a path at the root of a search.
    pub fn reset(&mut self, root: &Position) {
        self.stack.reset(root);
    }

    /// Appends the position after `played`.
    #[inline]
    pub fn push(&mut self, after: &Position, played: Move) {
        self.cache.prefetch(after.placement_key());
        self.stack.push(after, played);
    }

    /// Appends the position after a null move.
    #[inline]
    pub fn push_null(&mut self, after: &Position) {
        self.cache.prefetch(after.placement_key());
        self.stack.push_null(after);
    }

    /// Goes back to the position before the last push.
    #[inline]
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// The net's value of the current position in centipawns, for the side to move.
    pub fn evaluate(&mut self, current: &Position) -> i32 {
        let key = current.placement_key();
        debug_assert_eq!(key, self.stack.position().placement_key());
        if let Some(value) = self.cache.get(key) {
            return value;
        }
        let accumulated = self.stack.accumulated();
        let head = self.network.head();
        let value = head.value(self.kernels.forward(&accumulated, head, &mut self.scratch));
        self.cache.put(key, value);
        value
    }
}
