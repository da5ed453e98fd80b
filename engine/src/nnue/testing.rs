//! What several tests of this room need: random games and small seeded nets.

use super::noise::Noise;
use crate::position::{Move, Position};

/// Plays random legal moves from `start` until the game ends or `plies` are played.
pub(super) fn random_game(start: &Position, seed: u64, plies: usize) -> Vec<(Move, Position)> {
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
