//! Whole evaluations, without the cache of values.

use std::sync::Arc;

use super::{Game, Heads, Reads, Traffic, Updates};
use crate::nnue::evaluator::Evaluate;
use crate::nnue::kernels::Simd;
use crate::nnue::native::Native;
use crate::nnue::network::Network;
use crate::position::Position;

/// An evaluator and the games that it follows.
pub struct Walk {
    network: Arc<Network>,
    evaluator: Native,
    games: Vec<Game>,
}

impl Walk {
    /// Follows the games on one path of kernels.
    pub fn new(network: &Arc<Network>, simd: Simd, games: Vec<Game>) -> Self {
        Self { network: Arc::clone(network), evaluator: Native::new(Arc::clone(network), simd), games }
    }

    /// Evaluations of [`run`](Self::run) with so many `repeats`.
    pub fn evaluations(&self, repeats: usize) -> usize {
        self.games.iter().map(|game| 1 + repeats * game.steps.len()).sum()
    }

    /// The values, summed, of every position of the games in turn.
    ///
    /// Each move is played and evaluated `repeats` times. From the second time on its rows lie as near as they can.
    pub fn run(&mut self, repeats: usize) -> i32 {
        let mut sum = 0_i32;
        for game in &self.games {
            self.evaluator.reset(&game.start);
            sum = sum.wrapping_add(self.evaluator.compute());
            for step in &game.steps {
                for repeat in 0..repeats {
                    if repeat > 0 {
                        self.evaluator.pop();
                    }
                    self.evaluator.push(&step.after, step.played);
                    sum = sum.wrapping_add(self.evaluator.compute());
                }
            }
        }
        sum
    }

    /// The same values for one repeat, each found without those before.
    pub fn run_from_nothing(&mut self) -> i32 {
        let mut sum = 0_i32;
        for position in positions(&self.games) {
            self.evaluator.reset(position);
            sum = sum.wrapping_add(self.evaluator.compute());
        }
        sum
    }

    /// What one [`run`](Self::run) without repeats moves: rows, sums, and the later layers of this build.
    pub fn traffic(&self) -> Traffic {
        let network = &self.network;
        let pieces = Updates::pieces_along(network, &self.games).traffic();
        let threats = match network.architecture().has_threats() {
            true => Updates::threats_along(network, &self.games).traffic(),
            false => Traffic::default(),
        };
        let heads = Heads::new(network, positions(&self.games));
        let head = heads.traffic(cfg!(feature = "sparse-head"));
        // The sums that the head reads are those that the updates have written.
        let working_set = head.working_set - heads.sample_bytes();
        pieces + threats + Traffic { working_set, ..head }
    }

    /// What it reads out of tables: the rows of each position, and as many weights as a position's are on average.
    pub fn reads(&self) -> Reads {
        let (network, shape) = (&self.network, self.network.architecture());
        let piece_bytes = 2 * shape.width * shape.piece_rows();
        let weights = piece_bytes + 2 * shape.width * shape.threat_rows;
        let threats: Vec<Vec<usize>> = match shape.has_threats() {
            true => Updates::threats_along(network, &self.games).reads_of_each().collect(),
            false => Vec::new(),
        };
        let mut places = Vec::new();
        let each = self.traffic().weights / self.evaluations(1);
        for (number, rows) in Updates::pieces_along(network, &self.games).reads_of_each().enumerate() {
            places.extend(rows);
            places.extend(threats.get(number).into_iter().flatten().map(|place| piece_bytes + place));
            // After the second view's rows comes the head.
            if number % 2 == 1 {
                places.extend((0..each / shape.width).map(|piece| weights + piece * shape.width));
            }
        }
        Reads { length: shape.width, places }
    }
}

fn positions(games: &[Game]) -> impl Iterator<Item = &Position> {
    games
        .iter()
        .flat_map(|game| std::iter::once(&game.start).chain(game.steps.iter().map(|step| &step.after)))
}
