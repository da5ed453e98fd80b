//! The root: which moves it has, in which order, and how much work each took.

use arrayvec::ArrayVec;

use super::ordering::{MOST_MOVES, Picker};
use super::params::{REDUCTION_DEPTH, REDUCTION_MOVES};
use super::reductions::reduction;
use super::score::INFINITE;
use super::{Line, Searcher, ordering};
use crate::position::{Move, Position};

/// A move of the root.
#[derive(Clone, Copy)]
struct RootMove {
    mv: Move,
    /// Nodes below it in the current iteration.
    effort: u64,
}

/// The moves of the root and the best line found so far.
#[derive(Default)]
pub struct Root {
    moves: ArrayVec<RootMove, MOST_MOVES>,
    /// The best line: of the last complete iteration, or of the current one once a move beat alpha.
    pub line: Line,
    /// Its score.
    pub score: i32,
}

impl Root {
    /// Whether there is nothing to choose from.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Whether there is only one move.
    pub fn is_forced(&self) -> bool {
        self.moves.len() == 1
    }

    /// The best move so far, [`Move::NULL`] when there is none.
    pub fn best(&self) -> Move {
        let first = self.moves.first().map_or(Move::NULL, |root| root.mv);
        self.line.moves().first().copied().unwrap_or(first)
    }

    /// Before anything is searched: the first move of the order, and the static value.
    pub fn expect_first(&mut self, value: i32) {
        self.line.set(self.best(), &Line::default());
        self.score = value;
    }

    /// Before an iteration: the best move first, the others by the work they took.
    pub fn sort(&mut self) {
        let best = self.best();
        self.moves.sort_unstable_by_key(|root| (root.mv != best, u64::MAX - root.effort, root.mv.bits()));
        self.moves.iter_mut().for_each(|root| root.effort = 0);
    }
}

impl Searcher {
    /// Lists the moves of the root, restricted to `only` unless that is empty, in the order of an inner node.
    pub(super) fn start_root(&mut self, position: &Position, only: &[Move]) {
        let known = self.table.probe(position.hash());
        let table_move = self.proven_move(position, known.as_ref());
        let mut picker = Picker::all(table_move, &self.history, 0, None);
        self.root = Root::default();
        while let Some(mv) = picker.next(position, &self.history) {
            if only.is_empty() || only.contains(&mv) {
                // Until efforts are known, the order found here stands in for them.
                let effort = (MOST_MOVES - self.root.moves.len()) as u64;
                self.root.moves.push(RootMove { mv, effort });
            }
        }
    }

    /// Searches the moves of the root in a window.
    pub(super) fn search_root(&mut self, position: &Position, mut alpha: i32, beta: i32, depth: i32) -> i32 {
        let mut best = -INFINITE;
        self.frames[0].value = self.static_value(position, None).damped;
        for number in 0..self.root.moves.len() {
            let mv = self.root.moves[number].mv;
            if !self.take_node() {
                break;
            }
            let before = self.nodes;
            let next = self.descend(position, mv, 0);
            let mut score = -INFINITE;
            if number > 0 {
                let reduced = match ordering::is_quiet(position, mv) {
                    true if depth >= REDUCTION_DEPTH && number >= REDUCTION_MOVES => {
                        depth - 1 - (reduction(depth, number) / 1024 - 1).clamp(0, depth - 2)
                    }
                    _ => depth - 1,
                };
                score = -self.negamax(&next, 1, -alpha - 1, -alpha, reduced, true);
                if score > alpha && reduced < depth - 1 {
                    score = -self.negamax(&next, 1, -alpha - 1, -alpha, depth - 1, true);
                }
            }
            if number == 0 || score > alpha {
                score = -self.negamax(&next, 1, -beta, -alpha, depth - 1, false);
            }
            self.ascend();
            self.root.moves[number].effort += self.nodes - before;
            if self.stopped {
                break;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.root.score = score;
                self.root.line.set(mv, &self.frames[1].line);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}
