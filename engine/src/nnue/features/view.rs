//! One colour's view of the board.

use crate::nnue::architecture::{Architecture, ROWS_PER_BUCKET};
use crate::position::{Color, Piece, Position, Square};

/// Flip and mirror of one colour's board, with its king bucket.
///
/// For Black ranks are flipped and colours swapped; if the own king then stands on files e–h, all
/// squares are mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Exclusive or of every square number: 56 flips, 7 mirrors.
    xor: u8,
    /// 6 for Black: the distance that swaps the colours of a piece number.
    swap: u8,
    /// Bucket of the own king.
    bucket: u8,
}

impl View {
    /// The view of `color` on `position`.
    #[inline]
    pub fn new(position: &Position, color: Color, architecture: &Architecture) -> Self {
        let flip = if color == Color::Black { 56 } else { 0 };
        let king = position.king(color).index() as u8 ^ flip;
        let mirror = if king & 4 != 0 { 7 } else { 0 };
        let half = (king ^ mirror) / 8 * 4 + (king ^ mirror) % 4;
        Self {
            xor: flip ^ mirror,
            swap: if flip == 0 { 0 } else { 6 },
            bucket: architecture.king_map[usize::from(half)],
        }
    }

    /// How many views with different piece rows there are.
    #[cfg(any(test, feature = "refresh-cache"))]
    pub fn count(architecture: &Architecture) -> usize {
        4 * architecture.king_buckets
    }

    /// The view's number below [`count`](Self::count).
    #[cfg(any(test, feature = "refresh-cache"))]
    #[inline]
    pub fn number(self) -> usize {
        usize::from(self.bucket) << 2 | usize::from(self.xor >> 4 & 2) | usize::from(self.xor & 1)
    }

    /// Whether threat rows of both views mean the same.
    #[inline]
    pub fn same_mirror(self, other: Self) -> bool {
        self.xor == other.xor
    }

    /// The board's square in this view.
    #[inline]
    pub fn square(self, square: usize) -> usize {
        square ^ usize::from(self.xor)
    }

    /// The piece number (colour · 6 + type) in this view.
    #[inline]
    pub fn piece(self, piece: usize) -> usize {
        let swapped = piece + usize::from(self.swap);
        if swapped >= 12 { swapped - 12 } else { swapped }
    }

    /// The row of a piece feature.
    #[inline]
    pub fn piece_row(self, piece: Piece, square: Square) -> u32 {
        let row = usize::from(self.bucket) * ROWS_PER_BUCKET
            + self.piece(piece.index()) * 64
            + self.square(square.index());
        row as u32
    }
}
