//! Moves that a later move can take back, found by what they do to the hash.
//!
//! Two positions that differ by one move of a knight, bishop, rook, queen or king that takes nothing have
//! hashes that differ by three keys: the piece's on both squares and the side to move's. There are 3668 such
//! differences. They lie in a cuckoo table: each at one of two places that its own bits name, so that two
//! looks tell whether a difference is among them.

use super::zobrist::KEYS;
use super::{PieceType, Square, attacks};

/// Entries of the table, less than half of them used.
const ENTRIES: usize = 8192;

static TABLE: Table = fill();
const _: () = assert!(TABLE.count == 3668);

struct Table {
    /// 0 where there is nothing.
    differences: [u64; ENTRIES],
    /// The lower square and, times 64, the higher one.
    squares: [u16; ENTRIES],
    count: usize,
}

/// What every move changes besides its piece's keys.
#[inline]
pub fn side_key() -> u64 {
    KEYS.side
}

/// The two squares of the move by which positions differ whose hashes differ like this, if it is one that can
/// be taken back. What stands between them is not asked.
#[inline]
pub fn reversal(difference: u64) -> Option<(Square, Square)> {
    let found = places(difference).into_iter().find(|&place| TABLE.differences[place] == difference)?;
    let squares = u32::from(TABLE.squares[found]);
    // Only what is no difference at all is equal to an empty entry.
    (difference != 0).then(|| (Square::from_low_bits(squares), Square::from_low_bits(squares >> 6)))
}

const fn places(difference: u64) -> [usize; 2] {
    [difference as usize % ENTRIES, (difference >> 16) as usize % ENTRIES]
}

impl Table {
    /// Puts a difference at one of its places. What lies there moves to its own other place, and so on.
    const fn insert(&mut self, mut difference: u64, mut squares: u16) {
        let mut place = places(difference)[0];
        self.count += 1;
        loop {
            (self.differences[place], difference) = (difference, self.differences[place]);
            (self.squares[place], squares) = (squares, self.squares[place]);
            if difference == 0 {
                return;
            }
            let [first, second] = places(difference);
            place = if place == first { second } else { first };
        }
    }
}

const fn fill() -> Table {
    let mut table = Table { differences: [0; ENTRIES], squares: [0; ENTRIES], count: 0 };
    let mut piece = 0;
    while piece < 12 {
        let mut low = 0;
        while low < 64 {
            // Each pair of squares once.
            let mut higher =
                reach(PieceType::ALL[piece % 6], Square::from_low_bits(low as u32)) & !1_u64 << low;
            while higher != 0 {
                let high = higher.trailing_zeros() as usize;
                higher &= higher - 1;
                let difference = KEYS.pieces[piece][low] ^ KEYS.pieces[piece][high] ^ KEYS.side;
                table.insert(difference, (low | high << 6) as u16);
            }
            low += 1;
        }
        piece += 1;
    }
    table
}

/// Where a piece gets on an empty board by moves that can be taken back: a pawn nowhere.
const fn reach(kind: PieceType, from: Square) -> u64 {
    match kind {
        PieceType::Pawn => 0,
        PieceType::Knight => attacks::knight(from).0,
        PieceType::Bishop => attacks::bishop_rays(from).0,
        PieceType::Rook => attacks::rook_rays(from).0,
        PieceType::Queen => attacks::bishop_rays(from).0 | attacks::rook_rays(from).0,
        PieceType::King => attacks::king(from).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Bitboard, Color, Piece};

    #[test]
    fn every_move_that_can_be_taken_back_is_found() {
        let mut found = 0;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for from in Square::all() {
                    for to in Square::all().filter(|&to| to > from) {
                        let key =
                            |square: Square| KEYS.pieces[Piece::new(color, kind).index()][square.index()];
                        let difference = key(from) ^ key(to) ^ side_key();
                        let reaches = attacks::piece(color, kind, from, Bitboard::EMPTY).contains(to);
                        let expected = (reaches && kind != PieceType::Pawn).then_some((from, to));
                        assert_eq!(reversal(difference), expected, "{color:?} {kind:?} {from} {to}");
                        found += usize::from(expected.is_some());
                    }
                }
            }
        }
        assert_eq!(found, TABLE.count);
        assert_eq!(TABLE.differences.iter().filter(|&&difference| difference != 0).count(), found);
    }

    #[test]
    fn other_differences_are_not_found() {
        let (a1, a2) = (KEYS.pieces[3][0], KEYS.pieces[3][8]);
        assert!(reversal(a1 ^ a2 ^ KEYS.side).is_some());
        for other in [0, 1, u64::MAX, KEYS.side, a1, a1 ^ a2, a1 ^ KEYS.pieces[9][8] ^ KEYS.side] {
            assert_eq!(reversal(other), None, "{other:#x}");
        }
    }
}
