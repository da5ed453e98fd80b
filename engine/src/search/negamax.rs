//! An inner node: principal variation search with the cuts and reductions of its moves.

use arrayvec::ArrayVec;

use super::Searcher;
use super::draws::is_fifty_moves;
use super::entry::{Bound, Known, NO_VALUE};
use super::ordering::{Picker, is_quiet};
use super::params::*;
use super::reductions::reduction;
use super::score::{DRAW, INFINITE, MATE_BOUND, from_table, is_mate, mate_in, mated_in, to_table};
use crate::position::{Move, PieceType, Position};

/// Quiet moves that are remembered for the history; later ones were never likely.
const MOST_QUIETS: usize = 64;

impl Searcher {
    /// The value of `position`, `ply` moves below the root, searched to `depth`: exact inside the window, a bound
    /// outside. `cut` says that a move above beta is expected.
    pub(super) fn negamax(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        cut: bool,
    ) -> i32 {
        // 1. Leaves
        if depth <= 0 {
            return self.quiescence(position, ply, alpha, beta);
        }
        let on_pv = beta - alpha > 1;
        self.frames[ply].line.clear();
        self.seldepth = self.seldepth.max(ply);

        // 2. Draws by rule and the end of the line
        if self.path.is_repetition() || position.is_insufficient_material() || is_fifty_moves(position) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.last_value(position);
        }

        // 3. A draw that one move takes is certain, whatever becomes of that move below
        let certain = self.certain(position, alpha);
        alpha = alpha.max(certain);
        if alpha >= beta {
            return alpha;
        }

        // 4. Mate distance: no line from here beats a mate already found
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 5. Table
        let known = self.table.probe(position.hash());
        if let Some(known) = known.filter(|known| !on_pv && known.depth >= depth) {
            let score = from_table(known.score, ply);
            if known.bound.cuts(score, beta) && position.halfmove_clock() < TABLE_CUT_CLOCK {
                return score;
            }
        }
        let table_move = self.proven_move(position, known.as_ref());
        let was_on_pv = on_pv || known.is_some_and(|known| known.on_pv);

        // 6. Static value
        let in_check = !position.checkers().is_empty();
        let value = self.static_value(position, known.as_ref());
        self.frames[ply].value = value.damped;
        let improving = !in_check && self.is_improving(ply);

        if !on_pv && !in_check && !is_mate(beta) {
            // 7. Reverse futility: so far above beta that no quiet move of the opponent matters
            let margin = REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving));
            if depth <= REVERSE_FUTILITY_DEPTH && value.damped - margin >= beta {
                return value.damped;
            }
            // 8. Null move: even passing is good enough
            if let Some(score) = self.null_move(position, ply, beta, depth, value.damped, cut) {
                return score;
            }
        }
        if self.stopped {
            return DRAW;
        }

        // 9. Without a table move the node is searched one ply shallower: it finds one for the next time
        if table_move.is_null() && depth >= NO_TABLE_MOVE_DEPTH && (on_pv || cut) {
            depth -= 1;
        }

        // 10. Moves
        let previous = self.frames[ply].previous;
        let killers = self.history.killers(ply);
        let mut picker = Picker::all(table_move, &self.history, ply, previous);
        let mut quiets = ArrayVec::<Move, MOST_QUIETS>::new();
        let mut best = -INFINITE;
        let mut best_move = Move::NULL;
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.history) {
            let quiet = is_quiet(position, mv);
            number += 1;

            // 11. Moves not worth a search, once something saves the node from mate
            let prospect = Prospect { quiet, number, depth, alpha, value: value.damped, improving };
            if best > -MATE_BOUND && prospect.is_hopeless(position, mv) {
                continue;
            }

            // 12. The move
            if !self.take_node() {
                return DRAW;
            }
            let history = if quiet { self.history.of(position.side(), mv) } else { 0 };
            let next = self.descend(position, mv, ply);
            let gives_check = !next.checkers().is_empty();
            let extension = i32::from(gives_check && position.see_ge(mv, 0) && ply < 2 * self.depth as usize);
            let full = depth - 1 + extension;
            let mut score = -INFINITE;

            // 13. Late moves first at reduced depth and with a closed window
            if number > 1 || !on_pv {
                let mut reduced = full;
                if depth >= REDUCTION_DEPTH && number > REDUCTION_MOVES && quiet {
                    let mut by = reduction(depth, number) - history * 1024 / REDUCTION_HISTORY;
                    by += 1024 * (i32::from(cut) + i32::from(!improving) - i32::from(was_on_pv));
                    by -= 1024 * (i32::from(killers.contains(&mv)) + i32::from(gives_check));
                    reduced = (full - by / 1024).clamp(1, full);
                }
                score = -self.negamax(&next, ply + 1, -alpha - 1, -alpha, reduced, reduced < full || !cut);
                if score > alpha && reduced < full {
                    score = -self.negamax(&next, ply + 1, -alpha - 1, -alpha, full, !cut);
                }
            }

            // 14. The first move of a principal variation, and what may replace it
            if on_pv && (number == 1 || score > alpha) {
                score = -self.negamax(&next, ply + 1, -beta, -alpha, full, false);
            }
            self.ascend();
            if self.stopped {
                return DRAW;
            }

            // 15. Better than before?
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = mv;
                    if on_pv {
                        self.extend_line(mv, ply);
                    }
                    if score >= beta {
                        if quiet {
                            self.history.reward(position.side(), ply, previous, mv, &quiets, depth);
                        }
                        break;
                    }
                }
            }
            if quiet && !quiets.is_full() {
                quiets.push(mv);
            }
        }

        // 16. Mate and stalemate
        if number == 0 {
            return if in_check { mated_in(ply) } else { DRAW };
        }

        // 17. What is remembered
        let bound = match best {
            best if best >= beta => Bound::Lower,
            _ if !best_move.is_null() => Bound::Exact,
            _ => Bound::Upper,
        };
        let (score, value) = (to_table(best, ply), value.raw);
        let known = Known { best: best_move, score, value, depth, bound, on_pv: was_on_pv };
        self.table.store(position.hash(), known);
        best.max(certain)
    }

    /// The side to move stands better than two plies ago.
    fn is_improving(&self, ply: usize) -> bool {
        let now = self.frames[ply].value;
        let before = ply.checked_sub(2).map_or(NO_VALUE, |ply| self.frames[ply].value);
        before == NO_VALUE || now > before
    }

    /// Lets the opponent move twice. A score that still reaches beta cuts the node. Never twice in a row, and never
    /// with pawns only, where having to move can be the worst.
    fn null_move(
        &mut self,
        position: &Position,
        ply: usize,
        beta: i32,
        depth: i32,
        value: i32,
        cut: bool,
    ) -> Option<i32> {
        let side = position.side();
        let pawns = position.pieces(side, PieceType::Pawn) | position.pieces(side, PieceType::King);
        let has_pieces = position.color_bb(side) != pawns;
        if depth < NULL_MOVE_DEPTH || value < beta || self.frames[ply].after_null || !has_pieces {
            return None;
        }
        if !self.take_node() {
            return None;
        }
        let surplus = ((value - beta) / NULL_MOVE_VALUE_SHARE).min(NULL_MOVE_VALUE_PLIES);
        let reduced = depth - NULL_MOVE_REDUCTION - depth / NULL_MOVE_DEPTH_SHARE - surplus;
        let next = self.descend_null(position, ply);
        let score = -self.negamax(&next, ply + 1, -beta, -beta + 1, reduced, !cut);
        self.ascend();
        // A mate found behind a null move is not proven.
        (!self.stopped && score >= beta).then_some(if is_mate(score) { beta } else { score })
    }
}

/// What is known of a move before it is made.
struct Prospect {
    quiet: bool,
    number: usize,
    depth: i32,
    alpha: i32,
    value: i32,
    improving: bool,
}

impl Prospect {
    /// Whether the move can be left out: late and quiet, unable to lift the value, or losing too much material.
    fn is_hopeless(&self, position: &Position, mv: Move) -> bool {
        let depth = self.depth;
        if self.quiet {
            let kept = (LATE_MOVE_BASE + depth * depth) / (2 - i32::from(self.improving));
            if depth <= LATE_MOVE_DEPTH && self.number as i32 > kept {
                return true;
            }
            let reachable = self.value + FUTILITY_BASE + FUTILITY_MARGIN * depth;
            let futile = self.value != NO_VALUE && depth <= FUTILITY_DEPTH && reachable <= self.alpha;
            if futile && !position.gives_check(mv) {
                return true;
            }
        }
        let margin = if self.quiet { EXCHANGE_QUIET_MARGIN } else { EXCHANGE_CAPTURE_MARGIN };
        depth <= EXCHANGE_DEPTH && !position.see_ge(mv, -margin * depth)
    }
}
