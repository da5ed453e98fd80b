//! Pieces on squares, before anybody knows whether they make a legal position.

use rand_chacha::ChaCha8Rng;
use tempo::position::{Color, Piece, PieceType, Position, Square, attacks};

use super::below;

/// A board to try pieces on.
#[derive(Clone)]
pub struct Board([Option<Piece>; 64]);

impl Board {
    /// Only these pieces.
    pub fn of(pieces: &[(Piece, Square)]) -> Self {
        let mut board = Self([None; 64]);
        pieces.iter().for_each(|&(piece, square)| board.0[square.index()] = Some(piece));
        board
    }

    /// Puts a piece on some empty square. A piece that finds none within a few tries is left out.
    pub fn put(&mut self, random: &mut ChaCha8Rng, piece: Piece) {
        let free = (0..64).map(|_| below(random, 64)).find(|&square| self.0[square].is_none());
        if let Some(square) = free {
            self.0[square] = Some(piece);
        }
    }

    /// Puts the kings that are missing somewhere.
    pub fn complete_kings(&mut self, random: &mut ChaCha8Rng) {
        for king in Color::ALL.map(|color| Piece::new(color, PieceType::King)) {
            if !self.0.contains(&Some(king)) {
                self.put(random, king);
            }
        }
    }

    /// Puts some pieces other than kings somewhere.
    pub fn crowd(&mut self, random: &mut ChaCha8Rng, count: usize) {
        for _ in 0..count {
            let (color, kind) = (Color::ALL[below(random, 2)], PieceType::ALL[below(random, 5)]);
            self.put(random, Piece::new(color, kind));
        }
    }

    /// Exchanges what stands on two squares.
    pub fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }

    /// The position, when it is legal.
    pub fn position(&self, side: Color, rights: &str) -> Option<Position> {
        let letter = |piece: &Option<Piece>| piece.map_or('1', Piece::letter);
        let ranks: Vec<String> =
            self.0.chunks(8).rev().map(|rank| rank.iter().map(letter).collect()).collect();
        let side = if side == Color::White { "w" } else { "b" };
        Position::from_fen(&format!("{} {side} {rights} - 0 1", ranks.join("/"))).ok()
    }
}

/// How many pieces attack a piece, each counted for each: the pairs of the net's threat rows.
pub fn count_pairs(position: &Position) -> u32 {
    let occupied = position.occupied();
    let hits = |square: Square| {
        let piece = position.piece_on(square)?;
        let attacked = attacks::piece(piece.color(), piece.kind(), square, occupied);
        Some((attacked & occupied).count())
    };
    Square::all().filter_map(hits).sum()
}
