use super::{Bitboard, Color, Square};

/// Which castling moves are still allowed, one bit each: 1 `K`, 2 `Q`, 4 `k`, 8 `q`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No right.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(15);

    /// Whether the right is there.
    #[inline]
    pub const fn has(self, castle: &Castle) -> bool {
        self.0 & castle.right != 0
    }

    /// With one right more.
    #[inline]
    pub const fn with(self, castle: &Castle) -> Self {
        Self(self.0 | castle.right)
    }

    /// Whether no right is left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// 0…15.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// What is left of the rights after a move between these squares: a king or rook that
    /// leaves its square, or a rook that is taken there, ends them.
    #[inline]
    pub(super) fn after(self, from: Square, to: Square) -> Self {
        Self(self.0 & KEPT[from.index()] & KEPT[to.index()])
    }
}

/// One of the four castling moves.
pub struct Castle {
    right: u8,
    /// The letter in a FEN.
    pub letter: char,
    /// Whose king moves.
    pub color: Color,
    /// Where the king starts.
    pub king_from: Square,
    /// Where the king ends.
    pub king_to: Square,
    /// Where the rook starts.
    pub rook_from: Square,
    /// Where the rook ends.
    pub rook_to: Square,
    /// Squares between king and rook.
    pub(super) empty: Bitboard,
}

impl Castle {
    /// All four, in the order of a FEN.
    pub const ALL: [Self; 4] = [
        Self::new(1, 'K', Color::White, true),
        Self::new(2, 'Q', Color::White, false),
        Self::new(4, 'k', Color::Black, true),
        Self::new(8, 'q', Color::Black, false),
    ];

    const fn new(right: u8, letter: char, color: Color, short: bool) -> Self {
        let rank = match color {
            Color::White => 0,
            Color::Black => 7,
        };
        let (king_to, rook_from, rook_to, empty) =
            if short { (6, 7, 5, 0b0110_0000) } else { (2, 0, 3, 0b0000_1110) };
        Self {
            right,
            letter,
            color,
            king_from: Square::new(4, rank),
            king_to: Square::new(king_to, rank),
            rook_from: Square::new(rook_from, rank),
            rook_to: Square::new(rook_to, rank),
            empty: Bitboard(empty << (rank * 8)),
        }
    }

    /// The castling moves of one side.
    #[inline]
    pub(super) fn of(color: Color) -> &'static [Self] {
        static ALL: [Castle; 4] = Castle::ALL;
        match color {
            Color::White => &ALL[..2],
            Color::Black => &ALL[2..],
        }
    }

    /// The castling move whose king ends on this square (when it ends on none of the four, Black's long one).
    #[inline]
    pub(super) fn to(king_to: Square) -> &'static Self {
        let color = if king_to.rank() == 0 { Color::White } else { Color::Black };
        &Self::of(color)[usize::from(king_to.file() != 6)]
    }
}

static KEPT: [u8; 64] = kept();

const fn kept() -> [u8; 64] {
    let mut table = [15; 64];
    let mut i = 0;
    while i < 4 {
        let castle = &Castle::ALL[i];
        table[castle.king_from.index()] &= !castle.right;
        table[castle.rook_from.index()] &= !castle.right;
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_end_with_their_king_or_rook() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let after = |from, to| {
            let left = CastlingRights::ALL.after(square(from), square(to));
            Castle::ALL.iter().filter(|c| left.has(c)).map(|c| c.letter).collect::<String>()
        };
        assert_eq!(after("e2", "e4"), "KQkq");
        assert_eq!(after("e1", "e2"), "kq");
        assert_eq!(after("a1", "b1"), "Kkq");
        assert_eq!(after("h1", "h8"), "Qq");
        assert_eq!(after("b2", "a8"), "KQk");
    }

    #[test]
    fn the_king_square_names_the_castle() {
        for castle in &Castle::ALL {
            assert_eq!(Castle::to(castle.king_to).letter, castle.letter);
        }
    }
}
