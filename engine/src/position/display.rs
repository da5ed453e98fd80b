use std::fmt;

use super::{Position, Square};

/// The board from White's side, then FEN, hash and checkers.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "  +---+---+---+---+---+---+---+---+";
        writeln!(f, "{RULE}")?;
        for rank in (0..8).rev() {
            write!(f, "{} |", rank + 1)?;
            for file in 0..8 {
                let piece = self.piece_on(Square::new(file, rank));
                write!(f, " {} |", piece.map_or(' ', |p| p.letter()))?;
            }
            writeln!(f, "\n{RULE}")?;
        }
        writeln!(f, "    a   b   c   d   e   f   g   h\n")?;
        writeln!(f, "Fen: {}", self.to_fen())?;
        writeln!(f, "Key: {:016X}", self.hash())?;
        write!(f, "Checkers:")?;
        self.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_fen())
    }
}
