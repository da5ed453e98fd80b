//! Short random games from the positions of `bench`: what the benchmarks walk along.

use std::ops::Range;

use crate::nnue::games::random_game;
use crate::position::{Move, Position};
use crate::uci::BENCH_POSITIONS;

/// Games from every position, and their plies: few, so that positions stay related as they are in a search.
const GAMES: usize = 4;
const PLIES: usize = 12;

/// A move between two positions.
#[derive(Clone, Copy)]
pub struct Step {
    /// Before it.
    pub before: Position,
    /// The move.
    pub played: Move,
    /// After it.
    pub after: Position,
}

impl Step {
    /// Plays a legal move.
    pub fn new(before: &Position, played: Move) -> Self {
        Self { before: *before, played, after: before.make(played) }
    }
}

/// Random legal moves, one after the other.
#[derive(Clone)]
pub struct Game {
    /// Where it begins.
    pub start: Position,
    /// Its moves.
    pub steps: Vec<Step>,
}

/// Seeded games from those of the fifty `positions` of `bench`, the same on every machine.
pub fn games(positions: Range<usize>) -> Vec<Game> {
    let starts = positions.map(|index| (index, BENCH_POSITIONS[index]));
    starts
        .flat_map(|(index, fen)| {
            let start = Position::from_fen(fen).expect("a test reads the positions of bench");
            (0..GAMES).map(move |number| game(&start, (index * GAMES + number) as u64))
        })
        .collect()
}

fn game(start: &Position, seed: u64) -> Game {
    let mut before = *start;
    let steps = random_game(start, seed, PLIES).into_iter().map(|(played, after)| {
        let step = Step { before, played, after };
        before = after;
        step
    });
    Game { start: *start, steps: steps.collect() }
}

/// Up to `count` legal moves out of the games' positions that are `wanted`, spread over all games.
pub fn moves(games: &[Game], count: usize, wanted: impl Fn(&Position, Move) -> bool) -> Vec<Step> {
    let positions: Vec<&Position> =
        games.iter().flat_map(|game| &game.steps).map(|step| &step.before).collect();
    let found: Vec<(&Position, Move)> = positions
        .into_iter()
        .flat_map(|position| {
            let moves = position.legal_moves();
            moves.iter().map(|&played| (position, played)).collect::<Vec<_>>()
        })
        .filter(|&(position, played)| wanted(position, played))
        .collect();
    let stride = (found.len() / count).max(1);
    found
        .into_iter()
        .step_by(stride)
        .take(count)
        .map(|(position, played)| Step::new(position, played))
        .collect()
}
