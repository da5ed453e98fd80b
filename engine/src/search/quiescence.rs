//! Quiescence: captures and promotions until the position is quiet; in check every evasion, until one avoids mate.

use super::Searcher;
use super::draws::is_fifty_moves;
use super::entry::{Bound, Known};
use super::ordering::{Picker, is_quiet};
use super::params::{MAX_PLY, QUIESCENCE_MARGIN};
use super::score::{DRAW, INFINITE, MATE_BOUND, from_table, mated_in, to_table};
use crate::position::{Move, PieceType, Position};

/// What a captured piece adds at most, for the margin.
fn gain(position: &Position, mv: Move) -> i32 {
    let worth = |kind| match kind {
        PieceType::Pawn => 110,
        PieceType::Knight => 320,
        PieceType::Bishop => 330,
        PieceType::Rook => 500,
        PieceType::Queen | PieceType::King => 900,
    };
    let promotion = mv.promotion().map_or(0, |kind| worth(kind) - worth(PieceType::Pawn));
    position.captured(mv).map_or(0, worth) + promotion
}

impl Searcher {
    /// The value of `position` once the captures are played out.
    pub(super) fn quiescence(&mut self, position: &Position, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let on_pv = beta - alpha > 1;
        self.frames[ply].line.clear();
        self.seldepth = self.seldepth.max(ply);

        // 1. Draws by rule and the end of the line
        if self.path.is_repetition() || position.is_insufficient_material() || is_fifty_moves(position) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.last_value(position);
        }

        // 2. A draw that one move takes is certain
        let certain = self.certain(position, alpha);
        alpha = alpha.max(certain);
        if alpha >= beta {
            return alpha;
        }

        // 3. Table
        let known = self.table.probe(position.hash());
        if let Some(known) = known.filter(|_| !on_pv) {
            let score = from_table(known.score, ply);
            if known.bound.cuts(score, beta) {
                return score;
            }
        }

        // 4. Standing pat
        let in_check = !position.checkers().is_empty();
        let value = self.static_value(position, known.as_ref());
        let mut best = -INFINITE;
        if !in_check {
            best = value.damped;
            if best >= beta {
                if known.is_none() {
                    let (score, value, bound) = (to_table(best, ply), value.raw, Bound::Lower);
                    let known = Known { best: Move::NULL, score, value, depth: 0, bound, on_pv };
                    self.table.store(position.hash(), known);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        // 5. Moves
        let table_move = self.proven_move(position, known.as_ref());
        let mut picker = match in_check {
            true => Picker::all(table_move, &self.history, ply, self.frames[ply].previous),
            false if is_quiet(position, table_move) => Picker::captures(Move::NULL),
            false => Picker::captures(table_move),
        };
        let mut best_move = Move::NULL;
        while let Some(mv) = picker.next(position, &self.history) {
            let quiet = is_quiet(position, mv);
            if best > -MATE_BOUND {
                if quiet || !position.see_ge(mv, 0) {
                    continue;
                }
                let reachable = value.damped + gain(position, mv) + QUIESCENCE_MARGIN;
                if !in_check && reachable <= alpha {
                    best = best.max(reachable);
                    continue;
                }
            }
            if !self.take_node() {
                return DRAW;
            }
            let next = self.descend(position, mv, ply);
            let score = -self.quiescence(&next, ply + 1, -beta, -alpha);
            self.ascend();
            if self.stopped {
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = mv;
                    if on_pv {
                        self.extend_line(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // 6. Mate, and what is remembered
        if best == -INFINITE {
            return mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let (score, value) = (to_table(best, ply), value.raw);
        let known = Known { best: best_move, score, value, depth: 0, bound, on_pv };
        self.table.store(position.hash(), known);
        best.max(certain)
    }
}
