//! A position together with the positions that led to it.

use crate::position::{Move, Position};

/// What `position … moves …` describes.
#[derive(Clone)]
pub struct Game {
    position: Position,
    /// Hashes since the last irreversible move, the current position last.
    hashes: Vec<u64>,
}

impl Game {
    /// A game that begins here.
    pub fn new(position: Position) -> Self {
        Self { position, hashes: vec![position.hash()] }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position = self.position.make(mv);
        if self.position.halfmove_clock() == 0 {
            self.hashes.clear();
        }
        self.hashes.push(self.position.hash());
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Hashes since the last irreversible move, the current position last.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}
