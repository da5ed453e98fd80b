//! Draws by rule: repetition, fifty moves, insufficient material.

use super::game::Game;
use super::params::MAX_PLY;
use crate::memory::Memory;
use crate::position::Position;

struct Visit {
    hash: u64,
    /// Plies since the last irreversible or null move: only so far back can a position repeat.
    reversible: usize,
}

/// The positions from the last irreversible move of the game to the node being searched.
pub struct Path {
    visits: Vec<Visit>,
    root: usize,
}

impl Path {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { visits: Vec::new(), root: 0 }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        Memory::of_list(&self.visits)
    }

    /// Starts at the root of a search; makes room for the longest line, so that the search allocates nothing.
    pub fn start(&mut self, game: &Game) {
        self.visits.clear();
        self.visits.reserve(game.hashes().len() + MAX_PLY + 1);
        let visits = game.hashes().iter().enumerate();
        self.visits.extend(visits.map(|(reversible, &hash)| Visit { hash, reversible }));
        self.root = self.visits.len() - 1;
    }

    /// A move led to `position`.
    pub fn push(&mut self, position: &Position) {
        let before = self.visits.last().map_or(0, |visit| visit.reversible);
        let reversible = if position.halfmove_clock() == 0 { 0 } else { before + 1 };
        self.visits.push(Visit { hash: position.hash(), reversible });
    }

    /// A null move led to `position`: what came before it cannot be repeated.
    pub fn push_null(&mut self, position: &Position) {
        self.visits.push(Visit { hash: position.hash(), reversible: 0 });
    }

    /// Takes the last move back.
    pub fn pop(&mut self) {
        self.visits.pop();
    }

    /// The position stood before: once is enough after the root (nobody need deviate there), otherwise twice.
    pub fn is_repetition(&self) -> bool {
        let last = self.visits.len() - 1;
        let Visit { hash, reversible } = self.visits[last];
        let mut earlier = 0;
        for back in (4..=reversible).step_by(2) {
            if self.visits[last - back].hash == hash {
                earlier += 1;
                if last - back > self.root || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }
}

/// A hundred plies without capture or pawn move draw, unless the last of them mated.
pub fn is_fifty_moves(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && (position.checkers().is_empty() || !position.legal_moves().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `moves`; the root is the position after `root` of them. Then: is the last one a repetition?
    fn repeats(moves: &str, root: usize) -> bool {
        let mut game = Game::default();
        let moves: Vec<_> = moves.split_whitespace().collect();
        let mut path = Path::new();
        for text in &moves[..root] {
            game.play(game.position().parse_move(text).unwrap());
        }
        path.start(&game);
        let mut position = *game.position();
        for text in &moves[root..] {
            position = position.make(position.parse_move(text).unwrap());
            path.push(&position);
        }
        path.is_repetition()
    }

    #[test]
    fn one_repetition_counts_only_inside_the_tree() {
        let once = "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8";
        assert!(repeats(once, 0), "after the root");
        assert!(repeats(once, 1), "after the root");
        assert!(!repeats(once, 2), "the root itself");
        assert!(!repeats(once, 4), "before the root");
        let twice = format!("{once} g1f3 g8f6 f3g1 f6g8");
        assert!(repeats(&twice, 9), "third occurrence");
        assert!(repeats(&twice, 10), "third occurrence at the root");
    }

    #[test]
    fn irreversible_and_null_moves_end_the_look_back() {
        assert!(!repeats("g1f3 g8f6 f3g1 f6g8 e2e4", 0));
        let mut path = Path::new();
        let game = Game::default();
        path.start(&game);
        let mut position = *game.position();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            position = position.make(position.parse_move(text).unwrap());
            path.push(&position);
        }
        path.push_null(&position);
        assert!(!path.is_repetition());
        path.pop();
        path.pop();
        assert!(!path.is_repetition());
    }

    #[test]
    fn fifty_moves_do_not_save_the_mated() {
        let table = [
            ("7k/8/8/8/8/8/R7/K7 b - - 100 80", true),
            ("7k/8/8/8/8/8/R7/K7 b - - 99 80", false),
            ("R6k/8/6K1/8/8/8/8/8 b - - 100 80", false),
            ("R6k/8/5K2/8/8/8/8/8 b - - 100 80", true),
        ];
        for (fen, draw) in table {
            assert_eq!(is_fifty_moves(&Position::from_fen(fen).unwrap()), draw, "{fen}");
        }
    }
}
