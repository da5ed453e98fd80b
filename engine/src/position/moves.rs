use std::fmt;
use std::ops::Deref;

use super::{PieceType, Square};

/// A move in 16 bits.
///
/// | bits | content |
/// |---|---|
/// | 0–5 | from-square |
/// | 6–11 | to-square; for castling the king's, e1g1 |
/// | 12–13 | promotion piece: knight, bishop, rook, queen; 0 for other moves |
/// | 14–15 | 0 normal, 1 promotion, 2 en passant, 3 castling |
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const _: () = assert!(size_of::<Move>() == 2);

impl Move {
    /// No move; printed as `0000`.
    pub const NULL: Self = Self(0);

    const PROMOTION: u16 = 1 << 14;
    const EN_PASSANT: u16 = 2 << 14;
    const CASTLING: u16 = 3 << 14;
    const KIND: u16 = 3 << 14;

    /// A move that is neither promotion, en passant nor castling.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A promotion; `kind` is a knight, bishop, rook or queen (anything else means a queen).
    #[inline]
    pub const fn promoting(from: Square, to: Square, kind: PieceType) -> Self {
        let code = match kind {
            PieceType::Knight => 0,
            PieceType::Bishop => 1,
            PieceType::Rook => 2,
            _ => 3,
        };
        Self(Self::normal(from, to).0 | code << 12 | Self::PROMOTION)
    }

    /// A pawn takes en passant.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self(Self::normal(from, to).0 | Self::EN_PASSANT)
    }

    /// The king's part of a castling move.
    #[inline]
    pub const fn castling(from: Square, to: Square) -> Self {
        Self(Self::normal(from, to).0 | Self::CASTLING)
    }

    /// Any 16 bits, for example from a transposition table: ask `Position::is_legal` before use.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The 16 bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0 >> 6) as u32)
    }

    /// What the pawn becomes, when it promotes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.0 & Self::KIND != Self::PROMOTION {
            return None;
        }
        Some(match self.0 >> 12 & 3 {
            0 => PieceType::Knight,
            1 => PieceType::Bishop,
            2 => PieceType::Rook,
            _ => PieceType::Queen,
        })
    }

    /// Whether the move castles.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0 & Self::KIND == Self::CASTLING
    }

    /// Whether the move takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0 & Self::KIND == Self::EN_PASSANT
    }

    /// Whether this is no move.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The moves of one position, on the stack.
///
/// 256 are enough: the most that is known with the material of a chess game (which
/// `Position::from_fen` demands) is 218. A full list takes no more.
#[derive(Clone, Copy)]
pub struct MoveList {
    moves: [Move; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    /// How many moves fit.
    pub const CAPACITY: usize = 256;

    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self { moves: [Move::NULL; Self::CAPACITY], len: 0 }
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, m: Move) {
        debug_assert!(self.len < Self::CAPACITY);
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = m;
            self.len += 1;
        }
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_move_keeps_its_parts() {
        let (a, b) = (Square::new(4, 6), Square::new(3, 7));
        let normal = Move::normal(a, b);
        assert_eq!((normal.from(), normal.to(), normal.promotion()), (a, b, None));
        assert_eq!(normal.to_string(), "e7d8");
        for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
            let m = Move::promoting(a, b, kind);
            assert_eq!((m.from(), m.to(), m.promotion()), (a, b, Some(kind)));
            assert_eq!(m.to_string(), format!("e7d8{}", kind.letter()));
            assert!(!m.is_castling() && !m.is_en_passant() && !m.is_null());
        }
        assert!(Move::en_passant(a, b).is_en_passant() && !Move::en_passant(a, b).is_castling());
        assert!(Move::castling(a, b).is_castling() && !Move::castling(a, b).is_en_passant());
        assert_eq!(Move::NULL.to_string(), "0000");
        assert_eq!(Move::from_bits(normal.bits()), normal);
    }

    #[test]
    fn the_list_reads_as_a_slice() {
        let mut list = MoveList::new();
        assert!(list.is_empty());
        let m = Move::normal(Square::new(4, 1), Square::new(4, 3));
        list.push(m);
        assert_eq!(&list[..], [m]);
        assert_eq!(format!("{list:?}"), "[e2e4]");
    }
}
