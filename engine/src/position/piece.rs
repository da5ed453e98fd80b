use std::ops::Not;

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White = 0,
    /// The other side.
    Black = 1,
}

impl Color {
    /// Both, in index order.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The six kinds of chessmen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceType {
    /// P
    Pawn = 0,
    /// N
    Knight,
    /// B
    Bishop,
    /// R
    Rook,
    /// Q
    Queen,
    /// K
    King,
}

impl PieceType {
    /// All kinds, in index order.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// 0 for a pawn … 5 for a king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case English letter.
    pub const fn letter(self) -> char {
        b"pnbrqk"[self.index()] as char
    }
}

/// A piece of one colour: `color * 6 + kind`.
///
/// Invariant: the index is below 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// What the mailbox holds on an empty square.
    pub(super) const EMPTY: u8 = 12;

    /// The piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Self {
        Self(color as u8 * 6 + kind as u8)
    }

    /// Reads a mailbox entry: nothing from 12 on.
    #[inline]
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        if code < Self::EMPTY { Some(Self(code)) } else { None }
    }

    /// The piece of a FEN letter: upper case for White.
    pub fn from_letter(letter: char) -> Option<Self> {
        let lower = letter.to_ascii_lowercase();
        let kind = PieceType::ALL.into_iter().find(|k| k.letter() == lower)?;
        let color = if letter == lower { Color::Black } else { Color::White };
        Some(Self::new(color, kind))
    }

    /// The FEN letter: upper case for White.
    pub fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    /// Whose piece it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 < 6 { Color::White } else { Color::Black }
    }

    /// What kind of piece it is.
    #[inline]
    pub const fn kind(self) -> PieceType {
        match self.0 % 6 {
            0 => PieceType::Pawn,
            1 => PieceType::Knight,
            2 => PieceType::Bishop,
            3 => PieceType::Rook,
            4 => PieceType::Queen,
            _ => PieceType::King,
        }
    }

    /// 0…11.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The mailbox entry.
    #[inline]
    pub(super) const fn code(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_is_color_times_six_plus_kind() {
        let mut expected = 0;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!(piece.index(), expected);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
                expected += 1;
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_code(Piece::EMPTY), None);
    }
}
