//! Threat pairs of a position, in the board's own squares and colours.

use super::list::List;
use super::threats;
use super::view::View;
use crate::position::{Bitboard, Piece, Position, Square, attacks};

/// At most this many pairs are active: each of at most 32 pieces attacks at most one occupied square
/// in each of at most eight directions (or by each of eight jumps).
pub const MAX_PAIRS: usize = 256;

/// An attacker, its square, the attacked square and the piece there, packed:
/// bits 0–3 attacker, 4–9 from, 10–15 to, 16–19 target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(u32);

impl Pair {
    /// `attacker` on `from` attacks `target` on `to`.
    #[inline]
    pub fn new(attacker: Piece, from: Square, to: Square, target: Piece) -> Self {
        let parts = attacker.index() | from.index() << 4 | to.index() << 10 | target.index() << 16;
        Self(parts as u32)
    }

    /// The pair's row in `view`.
    #[inline]
    pub fn row(self, view: View) -> u32 {
        let part = |shift: u32, mask: u32| (self.0 >> shift & mask) as usize;
        threats::row(
            view.piece(part(0, 15)),
            view.square(part(4, 63)),
            view.square(part(10, 63)),
            view.piece(part(16, 15)),
        )
    }

    /// A number of the squares that the pair is on, from-square first.
    #[inline]
    pub fn squares(self) -> u32 {
        (self.0 >> 4 & 63) << 6 | self.0 >> 10 & 63
    }

    /// Whether both pieces have the same colour.
    #[cfg(test)]
    pub fn is_protection(self) -> bool {
        (self.0 & 15 < 6) == (self.0 >> 16 & 15 < 6)
    }
}

/// Squares attacked by `piece` from `from`.
#[inline]
pub(super) fn attacked(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    attacks::piece(piece.color(), piece.kind(), from, occupied)
}

/// Appends the pairs of the piece on `from` with every occupied square among `targets`.
#[inline]
pub(super) fn push_pairs<const N: usize>(
    position: &Position,
    (piece, from): (Piece, Square),
    targets: Bitboard,
    pairs: &mut List<Pair, N>,
) {
    for to in targets & position.occupied() {
        if let Some(target) = position.piece_on(to) {
            pairs.push(Pair::new(piece, from, to, target));
        }
    }
}

/// All pairs of the position, sorted by [`Pair::squares`].
pub fn active(position: &Position, pairs: &mut List<Pair, MAX_PAIRS>) {
    let occupied = position.occupied();
    for from in occupied {
        if let Some(piece) = position.piece_on(from) {
            push_pairs(position, (piece, from), attacked(piece, from, occupied), pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(fen: &str) -> (usize, usize) {
        let mut pairs = List::new();
        active(&Position::from_fen(fen).unwrap(), &mut pairs);
        (pairs.len(), pairs.iter().filter(|pair| pair.is_protection()).count())
    }

    #[test]
    fn published_counts() {
        assert_eq!(count("6k1/8/5n2/3q4/2B1P3/8/8/3R2K1 w - - 0 1"), (11, 4));
        assert_eq!(count("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), (40, 40));
    }
}
