//! What one move changes: piece features and threat pairs that appear and disappear.
//!
//! Let C be the squares whose piece changes. A pair can only change if its from-square or its
//! to-square is in C, or if it belongs to a slider whose line runs through C:
//!
//! ```text
//!   R . c . n        from R: before, the pair (R, n) if c was empty;
//!                    after, (R, c) instead if c is now occupied, and the other way round.
//! ```
//!
//! Such a slider attacks the nearest square of C on that line before the move as well as after it,
//! so attackers of C before the move are all pieces outside C to look at. The others keep their pairs.
//!
//! The component `threat-delta` does so. Without it all pairs of both positions are listed and compared.

use std::cmp::Ordering;

use super::list::List;
use super::pairs::{MAX_PAIRS, Pair, active, attacked, push_pairs};
use crate::position::{Bitboard, Piece, Position, Square};

/// Squares whose piece a move changes: four when castling.
pub const MAX_CHANGED: usize = 4;

/// Bound of the pairs that one move adds, and of those it removes. For each square of C: at most 8
/// pairs from it, at most 16 onto it (8 lines, 8 knights), and at most 8 beyond it, one a line.
pub const MAX_PAIR_CHANGES: usize = MAX_CHANGED * (8 + 16 + 8);

/// The component `threat-delta`.
const TOUCHED: bool = cfg!(feature = "threat-delta");

/// Pairs that a move removes and adds. No pair is in both lists.
#[derive(Clone, Debug, Default)]
pub struct PairDelta {
    /// Active before only.
    pub removed: List<Pair, MAX_PAIR_CHANGES>,
    /// Active after only.
    pub added: List<Pair, MAX_PAIR_CHANGES>,
}

impl PairDelta {
    /// Finds the changes between `before` and `after`, whose pieces differ on `changed`.
    pub fn find(&mut self, before: &Position, after: &Position, changed: Bitboard) {
        self.removed.clear();
        self.added.clear();
        if TOUCHED {
            self.look_at(before, after, changed);
        } else {
            self.compare(before, after);
        }
    }

    /// Looks only at pairs that pieces on `changed` can have to do with.
    fn look_at(&mut self, before: &Position, after: &Position, changed: Bitboard) {
        let (old, new) = (before.occupied(), after.occupied());
        let mut neighbours = Bitboard::EMPTY;
        for square in changed {
            neighbours |= before.attackers_to(square, old);
            if let Some(piece) = before.piece_on(square) {
                push_pairs(before, (piece, square), attacked(piece, square, old), &mut self.removed);
            }
            if let Some(piece) = after.piece_on(square) {
                push_pairs(after, (piece, square), attacked(piece, square, new), &mut self.added);
            }
        }
        for from in neighbours & !changed {
            if let Some(piece) = before.piece_on(from) {
                let was = attacked(piece, from, old);
                let is = attacked(piece, from, new);
                push_pairs(before, (piece, from), was & (changed | !is), &mut self.removed);
                push_pairs(after, (piece, from), is & (changed | !was), &mut self.added);
            }
        }
    }

    /// Merges the lists of all pairs, which are sorted by their squares.
    fn compare(&mut self, before: &Position, after: &Position) {
        let (mut old, mut new) = (List::<Pair, MAX_PAIRS>::new(), List::<Pair, MAX_PAIRS>::new());
        active(before, &mut old);
        active(after, &mut new);
        let (mut i, mut j) = (0, 0);
        loop {
            let order = match (old.get(i), new.get(j)) {
                (Some(a), Some(b)) => a.squares().cmp(&b.squares()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            // On the same squares stands another piece, unless the pair is the same.
            if order.is_eq() && old[i] == new[j] {
                (i, j) = (i + 1, j + 1);
                continue;
            }
            if order.is_le() {
                self.removed.push(old[i]);
                i += 1;
            }
            if order.is_ge() {
                self.added.push(new[j]);
                j += 1;
            }
        }
    }
}

/// What happens to a piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was there before only.
    Removed,
    /// It is there after only.
    Added,
}

/// Calls `change` for every piece that leaves or enters a square.
#[inline]
pub fn piece_changes(
    (before, after): (&Position, &Position),
    changed: Bitboard,
    mut change: impl FnMut(Change, Piece, Square),
) {
    for square in changed {
        if let Some(piece) = before.piece_on(square) {
            change(Change::Removed, piece, square);
        }
        if let Some(piece) = after.piece_on(square) {
            change(Change::Added, piece, square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::testing::{STARTS, random_game};

    fn sorted(pairs: &[Pair]) -> Vec<Pair> {
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable();
        pairs
    }

    fn without(all: &[Pair], other: &[Pair]) -> Vec<Pair> {
        let mut left: Vec<Pair> = all.iter().filter(|pair| !other.contains(pair)).copied().collect();
        left.sort_unstable();
        left
    }

    #[test]
    fn nothing_of_the_last_move_stays() {
        let start = Position::start();
        let mut delta = PairDelta::default();
        for _ in 0..2 {
            let after = start.make(start.parse_move("e2e4").unwrap());
            let changed = Square::all().filter(|&s| start.piece_on(s) != after.piece_on(s)).collect();
            delta.find(&start, &after, changed);
            assert_eq!((delta.removed.len(), delta.added.len()), (4, 0));
        }
        delta.find(&start, &start, Bitboard::EMPTY);
        assert!(delta.removed.is_empty() && delta.added.is_empty());
    }

    #[test]
    fn changes_are_the_difference_of_all_pairs() {
        for (seed, fen) in STARTS.iter().enumerate() {
            let start = Position::from_fen(fen).unwrap();
            let mut before = start;
            for (played, after) in random_game(&start, seed as u64, 120) {
                let (mut old, mut new) = (List::<Pair, MAX_PAIRS>::new(), List::<Pair, MAX_PAIRS>::new());
                active(&before, &mut old);
                active(&after, &mut new);
                let changed = Square::all().filter(|&s| before.piece_on(s) != after.piece_on(s)).collect();
                let ways: [&dyn Fn(&mut PairDelta); 2] = [
                    &|delta: &mut PairDelta| delta.look_at(&before, &after, changed),
                    &|delta: &mut PairDelta| delta.compare(&before, &after),
                ];
                for way in ways {
                    let mut delta = PairDelta::default();
                    way(&mut delta);
                    assert_eq!(sorted(&delta.removed), without(&old, &new), "{} {played}", before.to_fen());
                    assert_eq!(sorted(&delta.added), without(&new, &old), "{} {played}", before.to_fen());
                }
                before = after;
            }
        }
    }
}
