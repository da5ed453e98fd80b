//! The order in which a node's moves are searched.
//!
//! Table move; captures that lose nothing, most valuable victim first; killers; counter move; quiet moves by
//! history; captures that lose. Moves are generated after the table move was searched, sorted one at a time.

use arrayvec::ArrayVec;

use super::history::{History, Previous};
use crate::position::{Move, MoveList, PieceType, Position};

const CAPTURE: i32 = 2_000_000;
const KILLER: i32 = 1_000_000;
const LOSING: i32 = -2 * CAPTURE;
/// Largest number of legal moves in a list.
pub const MOST_MOVES: usize = 256;

/// Neither a capture nor a promotion to a queen.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.is_capture(mv) && mv.promotion() != Some(PieceType::Queen)
}

enum Stage {
    Table,
    Generate,
    Rest,
}

/// The rank of the moving piece, so that the cheapest one captures first.
fn attacker(position: &Position, mv: Move) -> i32 {
    position.moved_piece(mv).map_or(0, |kind| kind as i32)
}

/// What is to be generated after the table move.
#[derive(Clone, Copy)]
enum Kind {
    All,
    Captures,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Hands out the moves of one node.
pub struct Picker {
    stage: Stage,
    kind: Kind,
    table_move: Move,
    killers: [Move; 2],
    counter: Move,
    moves: ArrayVec<Scored, MOST_MOVES>,
}

impl Picker {
    /// All legal moves. `table_move` must be legal or null.
    pub fn all(table_move: Move, history: &History, ply: usize, previous: Previous) -> Self {
        let (killers, counter) = (history.killers(ply), history.counter(previous));
        Self { stage: Stage::Table, kind: Kind::All, table_move, killers, counter, moves: ArrayVec::new() }
    }

    /// Captures and promotions. `table_move` must be one of them, or null.
    pub fn captures(table_move: Move) -> Self {
        Self {
            stage: Stage::Table,
            kind: Kind::Captures,
            table_move,
            killers: [Move::NULL; 2],
            counter: Move::NULL,
            moves: ArrayVec::new(),
        }
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        if matches!(self.stage, Stage::Table) {
            self.stage = Stage::Generate;
            if self.table_move != Move::NULL {
                return Some(self.table_move);
            }
        }
        if matches!(self.stage, Stage::Generate) {
            self.stage = Stage::Rest;
            let moves = match self.kind {
                Kind::All => position.legal_moves(),
                Kind::Captures => position.legal_captures(),
            };
            self.fill(&moves, position, history);
        }
        loop {
            let best = (0..self.moves.len()).max_by_key(|&i| self.moves[i].score)?;
            let Scored { mv, score } = self.moves[best];
            let untested_capture = score >= CAPTURE;
            if untested_capture && !position.see_ge(mv, 0) {
                self.moves[best].score = score + LOSING;
                continue;
            }
            self.moves.swap_remove(best);
            return Some(mv);
        }
    }

    fn fill(&mut self, moves: &MoveList, position: &Position, history: &History) {
        for &mv in moves.iter().filter(|&&mv| mv != self.table_move) {
            let score = self.score(mv, position, history);
            self.moves.push(Scored { mv, score });
        }
    }

    fn score(&self, mv: Move, position: &Position, history: &History) -> i32 {
        let promotion = match mv.promotion() {
            Some(PieceType::Queen) => 80,
            Some(_) => return LOSING,
            None => 0,
        };
        if let Some(victim) = position.captured(mv) {
            return CAPTURE + 16 * (victim as i32 + 1) + promotion - attacker(position, mv);
        }
        if promotion != 0 {
            return CAPTURE + promotion;
        }
        match mv {
            mv if mv == self.killers[0] => KILLER + 2,
            mv if mv == self.killers[1] => KILLER + 1,
            mv if mv == self.counter => KILLER,
            mv => history.of(position.side(), mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Color;

    fn order(mut picker: Picker, position: &Position, history: &History) -> Vec<String> {
        std::iter::from_fn(|| picker.next(position, history)).map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn moves_come_in_the_promised_order() {
        // White can take a queen with a pawn, a pawn with the queen (losing her), and move quietly.
        let position = Position::from_fen("4k3/2p5/3p4/1q6/P7/3Q4/8/4K3 w - - 0 1").unwrap();
        let [table, killer, counter, liked, disliked] =
            ["e1f1", "e1f2", "e1e2", "d3d1", "d3d2"].map(|text| position.parse_move(text).unwrap());
        let mut history = History::new();
        let previous = Some((position.piece_on("c7".parse().unwrap()).unwrap(), "c7".parse().unwrap()));
        history.reward(Color::White, 1, previous, counter, &[], 1);
        history.reward(Color::White, 0, None, killer, &[], 1);
        history.reward(Color::White, 1, None, liked, &[disliked], 9);
        let moves = order(Picker::all(table, &history, 0, previous), &position, &history);
        assert_eq!(moves[..5], ["e1f1", "a4b5", "d3b5", "e1f2", "e1e2"]);
        assert_eq!(moves[5], "d3d1");
        assert_eq!(moves[moves.len() - 2..], ["d3d2", "d3d6"]);
        assert_eq!(moves.len(), position.legal_moves().len());
    }

    #[test]
    fn every_move_comes_once() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let history = History::new();
        for table_move in [Move::NULL, position.parse_move("e5g6").unwrap()] {
            let mut moves = order(Picker::all(table_move, &history, 0, None), &position, &history);
            moves.sort();
            moves.dedup();
            assert_eq!(moves.len(), 48);
            let captures = order(Picker::captures(table_move), &position, &history);
            assert_eq!(captures.len(), 8);
        }
    }
}
