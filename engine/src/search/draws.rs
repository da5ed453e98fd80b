//! Draws by rule: repetition, fifty moves; and repetitions that one move brings about.

use super::Searcher;
use super::game::Game;
use super::params::MAX_PLY;
use super::score::{DRAW, INFINITE};
use crate::memory::Memory;
use crate::position::{Position, attacks, reversals};

/// The component `cuckoo-preprobe`: a difference of hashes is looked up only if the opponent's moves since then cancel
/// out. Without it, that is asked of what the look-up finds.
const PREPROBE: bool = cfg!(feature = "cuckoo-preprobe");

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

    /// Whether the side to move has a move that repeats a position so that the game is a draw, as
    /// [`is_repetition`](Self::is_repetition) will say after it.
    ///
    /// Such a move takes one position of the path to another. What the mover's own pieces did since must come down to
    /// one move, which can be taken back, and what the opponent's did to nothing.
    #[inline(always)]
    pub fn can_repeat(&self, position: &Position) -> bool {
        self.can_repeat_by::<PREPROBE>(position)
    }

    #[inline(always)]
    fn can_repeat_by<const PREPROBE: bool>(&self, position: &Position) -> bool {
        // Most nodes end here: so much is asked where they are searched.
        self.visits.last().is_some_and(|visit| visit.reversible >= 3) && self.reverses::<PREPROBE>(position)
    }

    /// Whether it [can repeat](Self::can_repeat), at least three plies after the last irreversible or null move.
    #[inline(never)]
    fn reverses<const PREPROBE: bool>(&self, position: &Position) -> bool {
        let last = self.visits.len() - 1;
        let Visit { hash, reversible } = self.visits[last];
        let side = reversals::side_key();
        let mut opponents = self.visits[last - 1].hash ^ hash ^ side;
        for back in (3..=reversible).step_by(2) {
            let earlier = last - back;
            opponents ^= self.visits[earlier].hash ^ self.visits[earlier + 1].hash ^ side;
            if PREPROBE && opponents != 0 {
                continue;
            }
            if let Some((a, b)) = reversals::reversal(hash ^ self.visits[earlier].hash)
                && opponents == 0
                && (attacks::between(a, b) & position.occupied()).is_empty()
                && (earlier > self.root || self.stood_before(earlier))
            {
                return true;
            }
        }
        false
    }

    /// Whether the position of this visit stood before it.
    fn stood_before(&self, visit: usize) -> bool {
        let Visit { hash, reversible } = self.visits[visit];
        (4..=reversible).step_by(2).any(|back| self.visits[visit - back].hash == hash)
    }
}

/// A hundred plies without capture or pawn move draw, unless the last of them mated.
pub fn is_fifty_moves(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && (position.checkers().is_empty() || !position.legal_moves().is_empty())
}

impl Searcher {
    /// What the node is worth at least: a draw, if one move takes it and it is better than `alpha`.
    #[inline(always)]
    pub(super) fn certain(&self, position: &Position, alpha: i32) -> i32 {
        if alpha < DRAW && self.path.can_repeat(position) { DRAW } else { -INFINITE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Move;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Plays `moves`; the root is the position after `root` of them.
    fn played(moves: &str, root: usize) -> (Path, Position) {
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
        (path, position)
    }

    /// Whether the last of `moves` repeats a position.
    fn repeats(moves: &str, root: usize) -> bool {
        played(moves, root).0.is_repetition()
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

    /// Whether a legal move repeats a position so that the game is a draw, found by making them all.
    fn some_move_repeats(path: &mut Path, position: &Position) -> bool {
        position.legal_moves().iter().any(|&mv| {
            path.push(&position.make(mv));
            let repeats = path.is_repetition();
            path.pop();
            repeats
        })
    }

    /// A random legal move; half of the time the one that takes back the mover's last move, if it can be taken back.
    fn wander(random: &mut ChaCha8Rng, position: &Position, last: Option<Move>) -> Option<Move> {
        let moves = position.legal_moves();
        let back = last.map(|last| Move::normal(last.to(), last.from())).filter(|back| moves.contains(back));
        match back {
            Some(back) if random.next_u32().is_multiple_of(2) => Some(back),
            _ => (!moves.is_empty()).then(|| moves[random.next_u32() as usize % moves.len()]),
        }
    }

    #[test]
    fn a_draw_can_be_taken_exactly_where_some_move_repeats() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1",
            "q3k2q/1b4b1/2n2n2/3rr3/3RR3/2N2N2/1B4B1/Q3K2Q w - - 0 1",
            "6k1/5ppp/8/8/2B5/8/r4PPP/3R2K1 b - - 0 1",
        ];
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut taken, mut checked) = (0, 0);
        for fen in starts.iter().cycle().take(200) {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            let mut moves = Vec::new();
            let before = |moves: &[Move]| moves.len().checked_sub(2).map(|index| moves[index]);
            for _ in 0..random.next_u32() % 12 {
                let Some(mv) = wander(&mut random, game.position(), before(&moves)) else { break };
                game.play(mv);
                moves.push(mv);
            }
            let mut path = Path::new();
            path.start(&game);
            let mut position = *game.position();
            for _ in 0..40 {
                let expected = some_move_repeats(&mut path, &position);
                let found = [path.can_repeat_by::<true>(&position), path.can_repeat_by::<false>(&position)];
                assert_eq!(found, [expected; 2], "{} after {moves:?}", position.to_fen());
                (taken, checked) = (taken + usize::from(expected), checked + 1);
                if position.checkers().is_empty() && random.next_u32().is_multiple_of(16) {
                    position = position.make_null();
                    path.push_null(&position);
                    moves.push(Move::NULL);
                    continue;
                }
                let Some(mv) = wander(&mut random, &position, before(&moves)) else { break };
                position = position.make(mv);
                path.push(&position);
                moves.push(mv);
            }
        }
        assert!(taken > 500 && checked - taken > 500, "{taken} of {checked}");
    }

    #[test]
    fn before_the_root_one_repetition_is_not_enough() {
        let can = |moves: &str, root| {
            let (path, position) = played(moves, root);
            path.can_repeat(&position)
        };
        // f6g8 brings back the position after e7e5.
        let once = "e2e4 e7e5 g1f3 g8f6 f3g1";
        assert!(can(once, 0) && can(once, 1));
        assert!(!can(once, 2) && !can(once, 5));
        let twice = format!("{once} f6g8 g1f3 g8f6 f3g1");
        assert!(can(&twice, 9));
    }

    #[test]
    fn nothing_may_stand_between() {
        // The rook has walked round to e1; Black's king stands where it stood before.
        for (fen, free) in
            [("6k1/8/8/8/8/8/8/R4K1N w - - 0 1", true), ("6k1/8/8/8/8/8/8/R1N2K2 w - - 0 1", false)]
        {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let mut path = Path::new();
            path.start(&game);
            let mut position = *game.position();
            for text in ["f1g1", "g8h8", "a1a3", "h8h7", "a3e3", "h7g7", "e3e1", "g7g8"] {
                assert!(!path.can_repeat(&position), "{fen} before {text}");
                position = position.make(position.parse_move(text).unwrap());
                path.push(&position);
            }
            assert_eq!(path.can_repeat(&position), free, "{fen}");
        }
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
