//! Positions that are the same everywhere: of random games.

use super::noise::Noise;
use crate::position::{Move, Position};

/// Plays random legal moves from `start` until the game ends or `plies` are played.
pub fn random_game(start: &Position, seed: u64, plies: usize) -> Vec<(Move, Position)> {
    let mut noise = Noise::new(seed);
    let mut position = *start;
    let mut game = Vec::new();
    while game.len() < plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let played = moves[noise.below(moves.len() as u32) as usize];
        position = position.make(played);
        game.push((played, position));
    }
    game
}

/// Positions of random games from the start on, one game after another, without end.
pub fn random_positions() -> impl Iterator<Item = Position> {
    /// Random games lose most of their pieces by then.
    const PLIES: usize = 300;
    (0..).flat_map(|seed| random_game(&Position::start(), seed, PLIES)).map(|(_, position)| position)
}
