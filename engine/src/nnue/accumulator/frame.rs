//! One position of the path with what its accumulators are made from.

use crate::nnue::architecture::Architecture;
use crate::nnue::features::delta::PairDelta;
use crate::nnue::features::view::View;
use crate::position::{Bitboard, Color, Move, PieceType, Position, Square};

/// A position, its views, and what the last move changed.
#[derive(Clone)]
pub struct Frame {
    pub position: Position,
    /// White's and Black's.
    pub views: [View; 2],
    /// Squares whose piece the last move changed.
    pub changed: Bitboard,
    pairs: PairDelta,
    pairs_found: bool,
}

impl Frame {
    pub fn new(position: &Position, architecture: &Architecture) -> Self {
        Self {
            position: *position,
            views: Color::ALL.map(|color| View::new(position, color, architecture)),
            changed: Bitboard::EMPTY,
            pairs: PairDelta::default(),
            pairs_found: false,
        }
    }

    /// Becomes the frame of another position.
    #[inline]
    pub fn enter(&mut self, position: &Position, changed: Bitboard, architecture: &Architecture) {
        self.position = *position;
        self.views = Color::ALL.map(|color| View::new(position, color, architecture));
        self.changed = changed;
        self.pairs_found = false;
    }

    /// The threat pairs that the last move changed, found once for both views.
    #[inline]
    pub fn pairs(&mut self, before: &Position) -> &PairDelta {
        if !self.pairs_found {
            self.pairs.find(before, &self.position, self.changed);
            self.pairs_found = true;
        }
        &self.pairs
    }
}

/// Squares whose piece the move changes.
#[inline]
pub fn changed_squares(played: Move) -> Bitboard {
    let (from, to) = (played.from(), played.to());
    let mut changed = Bitboard::from_square(from) | Bitboard::from_square(to);
    if played.is_castling() {
        let (corner, beside) = if to.file() > from.file() { (7, 5) } else { (0, 3) };
        for file in [corner, beside] {
            changed |= Bitboard::from_square(Square::new(file, from.rank()));
        }
    } else if played.is_en_passant() {
        changed |= Bitboard::from_square(Square::new(to.file(), from.rank()));
    }
    changed
}

/// Squares whose pieces differ.
pub fn differences(before: &Position, after: &Position) -> Bitboard {
    let boards = Color::ALL.into_iter().flat_map(|color| PieceType::ALL.map(|kind| (color, kind)));
    boards.fold(Bitboard::EMPTY, |differences, (color, kind)| {
        differences | (before.pieces(color, kind) ^ after.pieces(color, kind))
    })
}
