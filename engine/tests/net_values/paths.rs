//! Every path of the engine beside the reference.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use tempo::nnue::{Evaluator, Network, Simd};
use tempo::position::{Move, Position};

use crate::reference::Reference;

/// For every SIMD path an evaluator that follows the moves and one that always begins anew.
pub struct Paths {
    reference: Reference,
    evaluators: Vec<(Evaluator, Evaluator)>,
    values: HashSet<i64>,
    compared: usize,
}

impl Paths {
    /// All paths of a net that this processor has.
    pub fn new(net: &Path) -> Self {
        let network = Network::load(net).unwrap();
        let new = |simd| Evaluator::new(Arc::clone(&network), simd);
        let available = Simd::ALL.into_iter().filter(|simd| simd.is_available());
        Self {
            reference: Reference::read(&std::fs::read(net).unwrap()),
            evaluators: available.map(|simd| (new(simd), new(simd))).collect(),
            values: HashSet::new(),
            compared: 0,
        }
    }

    /// Begins a game; no value of an earlier one is remembered.
    pub fn start(&mut self, position: &Position) {
        for (stepping, _) in &mut self.evaluators {
            stepping.clear();
            stepping.reset(position);
        }
    }

    /// Follows a move, after which this is the position.
    pub fn play(&mut self, position: &Position, played: Move) {
        self.evaluators.iter_mut().for_each(|(stepping, _)| stepping.push(position, played));
    }

    /// Compares all values of the position.
    pub fn check(&mut self, position: &Position) {
        self.compared += 1;
        let wanted = self.reference.value(position);
        self.values.insert(wanted);
        for (stepping, rebuilding) in &mut self.evaluators {
            rebuilding.reset(position);
            let found = [stepping.evaluate(position), rebuilding.evaluate(position)];
            let found = found.map(i64::from);
            assert_eq!(found, [wanted; 2], "{} on {}", stepping.simd(), position.to_fen());
        }
    }

    /// The number of positions that were compared.
    pub fn finish(self) -> usize {
        // A net that always shows the same value would prove nothing.
        let Self { values, compared, .. } = self;
        assert!(values.len() > compared / 8, "{} values of {compared} positions", values.len());
        compared
    }
}
