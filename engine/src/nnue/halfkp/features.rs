//! What these nets see: every piece but the kings, on its square, together with the square of the own king.

use arrayvec::ArrayVec;

use super::ROWS_PER_KING;
use crate::position::{Bitboard, Color, Piece, PieceType, Position, Square};

/// Pieces of a position apart from both kings.
const MOST: usize = 30;

/// One colour's view of the board: for Black it is turned round, so that a1 and h8 change places.
#[derive(Clone, Copy)]
pub struct View {
    own: Color,
    /// Exclusive or of every square number.
    turn: usize,
    /// Number of the first row of the own king's square.
    base: usize,
}

impl View {
    /// The view of `own`.
    #[inline]
    pub fn new(position: &Position, own: Color) -> Self {
        let turn = if own == Color::Black { 63 } else { 0 };
        Self { own, turn, base: (position.king(own).index() ^ turn) * ROWS_PER_KING }
    }

    /// The row of a piece; kings have none.
    #[inline]
    pub fn row(self, piece: Piece, square: Square) -> Option<u32> {
        if piece.kind() == PieceType::King {
            return None;
        }
        let kind = 2 * piece.kind().index() + usize::from(piece.color() != self.own);
        Some((self.base + 1 + 64 * kind + (square.index() ^ self.turn)) as u32)
    }
}

/// Rows to add and to remove.
#[derive(Default)]
pub struct Rows {
    pub added: ArrayVec<u32, MOST>,
    pub removed: ArrayVec<u32, MOST>,
}

impl Rows {
    /// All rows of a position.
    pub fn all(position: &Position, view: View) -> Self {
        let mut rows = Self::default();
        let row = |square| position.piece_on(square).and_then(|piece| view.row(piece, square));
        rows.added.extend(position.occupied().filter_map(row));
        rows
    }

    /// What leads from one position to another with the own king on the same square.
    #[inline]
    pub fn between(before: &Position, after: &Position, view: View) -> Self {
        let mut rows = Self::default();
        for square in differences(before, after) {
            let row = |position: &Position| view.row(position.piece_on(square)?, square);
            rows.removed.extend(row(before));
            rows.added.extend(row(after));
        }
        rows
    }
}

/// Squares whose pieces differ.
#[inline]
fn differences(before: &Position, after: &Position) -> Bitboard {
    let colors = Color::ALL.map(|color| before.color_bb(color) ^ after.color_bb(color));
    let kinds = PieceType::ALL.map(|kind| before.kind_bb(kind) ^ after.kind_bb(kind));
    colors.into_iter().chain(kinds).fold(Bitboard::EMPTY, |all, some| all | some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::testing::{STARTS, random_game};

    #[test]
    fn rows_are_numbered_as_published() {
        let position = Position::from_fen("4k3/8/8/8/3q4/8/4P3/4K3 w - - 0 1").unwrap();
        let rows = |color| {
            let mut rows = Rows::all(&position, View::new(&position, color)).added.to_vec();
            rows.sort_unstable();
            rows
        };
        // White: king e1 = 4, own pawn on e2 = 12, enemy queen on d4 = 27.
        assert_eq!(rows(Color::White), [4 * 641 + 1 + 12, 4 * 641 + 577 + 27]);
        // Black, turned round: king d1 = 3, enemy pawn on d7 = 51, own queen on e5 = 36.
        assert_eq!(rows(Color::Black), [3 * 641 + 65 + 51, 3 * 641 + 513 + 36]);
    }

    #[test]
    fn the_last_row_is_the_last_of_the_table() {
        let position = Position::from_fen("7K/8/8/8/8/8/8/k7 w - - 0 1").unwrap();
        let view = View::new(&position, Color::White);
        let last = view.row(Piece::new(Color::Black, PieceType::Queen), Square::new(7, 7));
        assert_eq!(last, Some(super::super::ROWS as u32 - 1));
    }

    #[test]
    fn differences_lead_from_any_position_to_any_other() {
        for (seed, fen) in STARTS.iter().enumerate() {
            let start = Position::from_fen(fen).unwrap();
            let mut path = vec![start];
            path.extend(random_game(&start, seed as u64, 80).into_iter().map(|(_, position)| position));
            for (ply, after) in path.iter().enumerate() {
                let before = &path[ply.saturating_sub(ply % 7)];
                for color in Color::ALL.into_iter().filter(|&color| before.king(color) == after.king(color)) {
                    let view = View::new(after, color);
                    let Rows { added, removed } = Rows::between(before, after, view);
                    let mut rows = Rows::all(before, view).added.to_vec();
                    rows.retain(|row| !removed.contains(row));
                    rows.extend(added);
                    let mut wanted = Rows::all(after, view).added.to_vec();
                    rows.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(rows, wanted, "{} to {}", before.to_fen(), after.to_fen());
                }
            }
        }
    }
}
