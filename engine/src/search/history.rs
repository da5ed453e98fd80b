//! What earlier parts of the search learned about quiet moves: killers, counter moves, butterfly history.

use super::params::{HISTORY_BONUS, HISTORY_BONUS_LIMIT, HISTORY_LIMIT, MAX_PLY};
use crate::position::{Color, Move, Piece, Square};

/// The move that led to a node: which piece went where.
pub type Previous = Option<(Piece, Square)>;

/// Quiet-move knowledge of one searcher. Lives through a game; killers only through a search.
pub struct History {
    butterfly: [[[i16; 64]; 64]; 2],
    counters: [[Move; 64]; 12],
    killers: [[Move; 2]; MAX_PLY + 1],
}

impl History {
    /// Nothing known yet.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            butterfly: [[[0; 64]; 64]; 2],
            counters: [[Move::NULL; 64]; 12],
            killers: [[Move::NULL; 2]; MAX_PLY + 1],
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.counters.as_flattened_mut().fill(Move::NULL);
        self.clear_killers();
    }

    /// Another root: the plies mean other positions.
    pub fn clear_killers(&mut self) {
        self.killers.as_flattened_mut().fill(Move::NULL);
    }

    /// How well a quiet move did, within ±[`HISTORY_LIMIT`].
    pub fn of(&self, side: Color, mv: Move) -> i32 {
        self.butterfly[side as usize][mv.from().index()][mv.to().index()].into()
    }

    /// The last two quiet moves that refuted a sister of the node.
    pub fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers[ply]
    }

    /// The quiet move that last refuted `previous`.
    pub fn counter(&self, previous: Previous) -> Move {
        previous.map_or(Move::NULL, |(piece, to)| self.counters[piece.index()][to.index()])
    }

    /// A quiet move refuted the node; the quiet moves `tried` before it did not.
    pub fn reward(
        &mut self,
        side: Color,
        ply: usize,
        previous: Previous,
        best: Move,
        tried: &[Move],
        depth: i32,
    ) {
        let bonus = (HISTORY_BONUS * depth).min(HISTORY_BONUS_LIMIT);
        self.adjust(side, best, bonus);
        for &mv in tried {
            self.adjust(side, mv, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        if let Some((piece, to)) = previous {
            self.counters[piece.index()][to.index()] = best;
        }
    }

    /// Gravity: the nearer a value is to its bound, the less it still moves that way, so no value can leave it.
    fn adjust(&mut self, side: Color, mv: Move, bonus: i32) {
        let value = &mut self.butterfly[side as usize][mv.from().index()][mv.to().index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn values_grow_and_fall_within_their_bound() {
        let mut history = History::new();
        let start = Position::start();
        let [good, bad] = ["e2e4", "a2a3"].map(|text| start.parse_move(text).unwrap());
        for _ in 0..1000 {
            history.reward(Color::White, 0, None, good, &[bad], 50);
        }
        assert!((15_000..=HISTORY_LIMIT).contains(&history.of(Color::White, good)));
        assert!((-HISTORY_LIMIT..=-15_000).contains(&history.of(Color::White, bad)));
        assert_eq!(history.of(Color::Black, good), 0);
        history.clear();
        assert_eq!(history.of(Color::White, good), 0);
    }

    #[test]
    fn killers_are_the_last_two_refutations() {
        let mut history = History::new();
        let start = Position::start();
        let [a, b, c] = ["e2e4", "d2d4", "c2c4"].map(|text| start.parse_move(text).unwrap());
        let before = start.parse_move("g1f3").unwrap();
        let previous = start.piece_on(before.from()).map(|piece| (piece, before.to()));
        for mv in [a, b, b, c] {
            history.reward(Color::White, 3, previous, mv, &[], 1);
        }
        assert_eq!(history.killers(3), [c, b]);
        assert_eq!(history.killers(2), [Move::NULL; 2]);
        assert_eq!(history.counter(previous), c);
        assert_eq!(history.counter(None), Move::NULL);
    }
}
