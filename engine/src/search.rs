//! The search: from a game and its limits to a move.
//!
//! A node is a move made in the search, null moves included; the root itself does not count. With a node limit
//! exactly so many are made. A [`Searcher`] is single-threaded and deterministic: after [`Searcher::clear`] the
//! same game and limits (without time) give the same tree on every machine, whatever components are on.
//! Nothing is allocated between the start of a search and its outcome.

mod aspiration;
mod clock;
mod draws;
mod driver;
pub(crate) mod entry;
mod evaluation;
mod frame;
mod game;
mod handicap;
mod history;
mod idle;
mod limits;
mod line;
mod negamax;
mod ordering;
mod params;
mod quiescence;
mod reductions;
mod report;
mod root;
mod score;
mod signals;
pub(crate) mod table;

pub use driver::Task;
pub use game::Game;
pub use handicap::{MOST as MOST_HANDICAP, ON as HAS_HANDICAP, set as set_handicap};
pub use limits::{GameTime, Limits};
pub use params::MAX_DEPTH;
pub use report::{Outcome, Report, node_rate};
pub use score::{DRAW, MATE, UciScore, is_mate};
pub use signals::Signals;
pub use table::{LEAST_MB, MOST_MB, TableError};

use clock::Clock;
use draws::Path;
use entry::Known;
use frame::Frame;
use handicap::Handicap;
use history::History;
use line::Line;
use params::MAX_PLY;
use root::Root;
use table::Table;

use crate::memory::Memory;
use crate::nnue::{Evaluator, Net, Simd};
use crate::position::{Keys, Move, Position};
use crate::prefetch;

/// One thread's search with all that it knows.
pub struct Searcher {
    table: Table,
    history: Box<History>,
    evaluator: Evaluator,
    path: Path,
    frames: Vec<Frame>,
    root: Root,
    clock: Clock,
    task: Task,
    nodes: u64,
    node_limit: u64,
    seldepth: usize,
    /// Current iteration.
    depth: i32,
    /// Set once; every node then returns at once, and what it returns is not used.
    stopped: bool,
    /// Signals and clock are heeded: a move is known.
    interruptible: bool,
    handicap: Handicap,
}

impl Searcher {
    /// A searcher with a cleared table of `megabytes`.
    pub fn new(net: impl Into<Net>, simd: Simd, megabytes: usize) -> Result<Self, TableError> {
        idle::keep();
        Ok(Self {
            table: Table::new(megabytes)?,
            history: History::new(),
            evaluator: Evaluator::new(net, simd),
            path: Path::new(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            root: Root::default(),
            clock: Clock::start(None, false),
            task: Task::unattended(),
            nodes: 0,
            node_limit: u64::MAX,
            seldepth: 0,
            depth: 0,
            stopped: false,
            interruptible: false,
            handicap: Handicap::begin(),
        })
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.evaluator.clear();
    }

    /// What one thread searches with: history, evaluator and line, and what it knows of the game before. The table
    /// and the net are apart.
    pub fn memory(&self) -> Memory {
        let frames = Memory::of_list(&self.frames);
        Memory::of_box(&*self.history) + self.evaluator.memory() + self.path.memory() + frames
    }

    /// Size of the table in megabytes.
    pub fn megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Gives the table another size and clears it.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.table.resize(megabytes)
    }

    /// Evaluates with another net or by another path. What the table knows from the old net is cleared.
    pub fn set_evaluator(&mut self, net: impl Into<Net>, simd: Simd) {
        self.evaluator = Evaluator::new(net, simd);
        self.table.clear();
    }

    /// The net's value of a position and the same scaled by material, for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> (i32, i32) {
        self.evaluator.reset(position);
        let net = self.evaluator.evaluate(position);
        (net, crate::nnue::scaled(net, position))
    }

    /// How many values were compared with recomputed ones; `None` in builds that compare none.
    pub fn verified(&self) -> Option<u64> {
        self.evaluator.verified()
    }

    /// The move of a table entry, if it is legal here: another position may share the entry.
    fn proven_move(&self, position: &Position, known: Option<&Known>) -> Move {
        let best = known.map_or(Move::NULL, |known| known.best);
        if !best.is_null() && position.is_legal(best) { best } else { Move::NULL }
    }

    /// Makes a move, having asked for what its node will need.
    fn descend(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        if prefetch::SLOTS {
            self.fetch_slots(position.keys_after(mv));
        }
        let next = position.make(mv);
        self.evaluator.push(&next, mv);
        self.path.push(&next);
        let frame = &mut self.frames[ply + 1];
        frame.previous = position.piece_on(mv.from()).map(|piece| (piece, mv.to()));
        frame.after_null = false;
        next
    }

    /// Passes.
    fn descend_null(&mut self, position: &Position, ply: usize) -> Position {
        let next = position.make_null();
        if prefetch::SLOTS {
            self.fetch_slots(Keys { placement: next.placement_key(), hash: next.hash() });
        }
        self.evaluator.push_null(&next);
        self.path.push_null(&next);
        let frame = &mut self.frames[ply + 1];
        frame.previous = None;
        frame.after_null = true;
        next
    }

    /// Asks for what the table and the evaluator know of the position with these keys.
    #[inline]
    fn fetch_slots(&self, keys: Keys) {
        self.table.prefetch(keys.hash);
        self.evaluator.prefetch(keys.placement);
    }

    /// Takes back what either of them made.
    fn ascend(&mut self) {
        self.evaluator.pop();
        self.path.pop();
    }

    /// The line of a node becomes `mv` and the line of the node behind it.
    fn extend_line(&mut self, mv: Move, ply: usize) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        upper[ply].line.set(mv, &lower[0].line);
    }
}

#[cfg(test)]
mod tests;
