//! Principal variations.

use arrayvec::ArrayVec;

use super::params::MAX_PLY;
use crate::position::Move;

/// The moves expected from one node on.
#[derive(Clone, Default)]
pub struct Line(ArrayVec<Move, { MAX_PLY + 1 }>);

impl Line {
    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }

    /// Nothing expected.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// `mv`, then what is expected after it.
    pub fn set(&mut self, mv: Move, rest: &Self) {
        self.0.clear();
        self.0.push(mv);
        let room = self.0.remaining_capacity();
        self.0.extend(rest.0.iter().copied().take(room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn lines_are_built_from_the_end() {
        let mv = Position::start().parse_move("e2e4").unwrap();
        let (mut line, mut longer) = (Line::default(), Line::default());
        for length in 1..MAX_PLY + 10 {
            longer.set(mv, &line);
            std::mem::swap(&mut line, &mut longer);
            assert_eq!(line.moves().len(), length.min(MAX_PLY + 1));
        }
        line.clear();
        assert!(line.moves().is_empty());
    }
}
