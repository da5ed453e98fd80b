//! Lines of moves that show what incremental updates can get wrong, made by rules from a fixed seed: the same in every
//! run.

mod board;
mod rules;
mod sliders;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempo::position::{Color, Move, Piece, Position, Square};

use board::Board;

/// Positions that are tried before a rule is given up.
const TRIES: usize = 200_000;

/// A position and the moves that are played from it.
pub struct Line {
    /// Where it begins.
    pub start: Position,
    /// The moves, at least one.
    pub moves: Vec<Move>,
}

impl Line {
    /// All positions from the first to the last.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        positions.extend(self.moves.iter().scan(self.start, |position, &played| {
            *position = position.make(played);
            Some(*position)
        }));
        positions
    }
}

/// The lines of one rule.
pub struct Kind {
    /// What the lines show.
    pub name: &'static str,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Makes the lines of a kind.
type Rule = fn(&mut ChaCha8Rng) -> Vec<Line>;

/// The lines of all rules.
pub fn kinds() -> Vec<Kind> {
    let rules: [(&'static str, Rule); 13] = [
        ("king steps", rules::king_steps),
        ("castling", rules::castling),
        ("en passant", rules::en_passant),
        ("promotions", rules::promotions),
        ("promotions that capture", rules::capturing_promotions),
        ("captures by promoted pieces", rules::promoted_captures),
        ("captures of promoted pieces", rules::promoted_captured),
        ("lines opened", sliders::opened),
        ("lines closed", sliders::closed),
        ("moves along a line", sliders::stretched),
        ("32 pieces", rules::all_pieces),
        ("two bare kings", rules::bare_kings),
        ("most pairs", sliders::most_pairs),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(5);
    rules.into_iter().map(|(name, rule)| Kind { name, lines: rule(&mut random) }).collect()
}

/// One move of a line: whether a legal move will do.
type Step<'a> = &'a dyn Fn(&Position, Move) -> bool;

/// Adds kings and up to `crowd` other pieces to what a rule needs until the position is legal and the steps can be
/// played.
fn line(
    random: &mut ChaCha8Rng,
    needed: &[(Piece, Square)],
    (side, rights): (Color, &str),
    crowd: usize,
    steps: &[Step],
) -> Line {
    for _ in 0..TRIES {
        let mut board = Board::of(needed);
        board.complete_kings(random);
        let count = below(random, crowd + 1);
        board.crowd(random, count);
        let found = board.position(side, rights).and_then(|start| played(random, start, steps));
        if let Some(line) = found {
            return line;
        }
    }
    panic!("no legal position in {TRIES} tries with {needed:?}")
}

/// Plays the steps, unless none of the legal moves will do.
fn played(random: &mut ChaCha8Rng, start: Position, steps: &[Step]) -> Option<Line> {
    let mut position = start;
    let mut moves = Vec::new();
    for step in steps {
        let legal = position.legal_moves();
        let fitting: Vec<Move> = legal.iter().copied().filter(|&m| step(&position, m)).collect();
        if fitting.is_empty() {
            return None;
        }
        let chosen = fitting[below(random, fitting.len())];
        moves.push(chosen);
        position = position.make(chosen);
    }
    Some(Line { start, moves })
}

/// A number below `end`.
fn below(random: &mut ChaCha8Rng, end: usize) -> usize {
    random.next_u32() as usize % end
}
