use std::fmt;
use std::str::FromStr;

use super::Color;

/// A square of the board, `rank * 8 + file`: a1 = 0, b1 = 1, … h8 = 63.
///
/// Invariant: the index is below 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on `file` and `rank`, both 0…7; higher bits are ignored.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self((rank & 7) << 3 | file & 7)
    }

    /// The square with this index, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// The square named by the lowest six bits.
    #[inline]
    pub(super) const fn from_low_bits(bits: u32) -> Self {
        Self((bits & 63) as u8)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// 0…63; the mask lets table look-ups of 64 entries drop their bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file … 7 for the h-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank … 7 for the eighth.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The rank as `color` counts it: 0 is its own back rank.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> u8 {
        match color {
            Color::White => self.rank(),
            Color::Black => 7 - self.rank(),
        }
    }

    /// The same file, ranks swapped (e2 and e7).
    #[inline]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// The same rank, files swapped (e2 and d2).
    #[inline]
    pub const fn mirror(self) -> Self {
        Self(self.0 ^ 7)
    }

    /// The square of the pawn that is taken when a pawn takes en passant onto this
    /// square, and back: e3 and e4, d6 and d5.
    #[inline]
    pub(super) const fn en_passant_pawn(self) -> Self {
        Self(self.0 ^ 8)
    }

    /// The square `offset` indices on, wrapping round the board.
    #[inline]
    pub(super) const fn offset(self, offset: i8) -> Self {
        Self(self.0.wrapping_add_signed(offset) & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = ((b'a' + self.file()) as char, (b'1' + self.rank()) as char);
        write!(f, "{file}{rank}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the name of a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found `{0}`, expected a square from a1 to h8")]
pub struct SquareError(String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::new(file - b'a', rank - b'1')),
            _ => Err(SquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert_eq!(bad.parse::<Square>(), Err(SquareError(bad.to_owned())));
        }
    }

    #[test]
    fn flips_and_mirrors() {
        let e2 = Square::new(4, 1);
        assert_eq!(e2.to_string(), "e2");
        assert_eq!(e2.flip().to_string(), "e7");
        assert_eq!(e2.mirror().to_string(), "d2");
        assert_eq!(e2.relative_rank(Color::Black), 6);
        assert_eq!(Square::new(3, 5).en_passant_pawn().to_string(), "d5");
        assert_eq!(Square::new(4, 2).en_passant_pawn().to_string(), "e4");
        assert_eq!(Square::from_index(64), None);
    }
}
