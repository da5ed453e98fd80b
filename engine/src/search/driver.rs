//! Iterative deepening, from a `go` to its outcome.

use std::sync::Arc;

use super::Searcher;
use super::clock::{Budget, Clock};
use super::game::Game;
use super::handicap::Handicap;
use super::limits::Limits;
use super::params::{MAX_DEPTH, POLL_NODES};
use super::report::{Outcome, Report};
use super::score::{DRAW, MATE, is_mate, mated_in};
use super::signals::Signals;
use crate::position::{Move, Position};

/// How a search is told to stop.
#[derive(Clone, Default)]
pub struct Task {
    /// Where the signals arrive.
    pub signals: Arc<Signals>,
    /// The number under which they arrive, at least 1.
    pub number: u64,
    /// Milliseconds of every move that are lost outside the engine.
    pub overhead: u64,
}

impl Task {
    /// A search that nobody stops.
    pub fn unattended() -> Self {
        Self { number: 1, ..Self::default() }
    }

    /// Whether it was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.signals.is_stopped(self.number)
    }
}

impl Searcher {
    /// Searches `game` and tells `report` about every iteration. Node limits are exact: the search stops before
    /// it would make one move too many.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        task: &Task,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        let position = game.position();
        self.start(game, limits, task);
        if self.root.is_empty() {
            self.root.score = if position.checkers().is_empty() { DRAW } else { mated_in(0) };
            self.tell(0, report);
        } else if !(limits.ponder && task.is_stopped()) {
            self.deepen(position, limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH), report);
        }
        if limits.infinite || limits.ponder {
            task.signals.wait(task.number, !limits.infinite);
        }
        let ponder = self.root.line.moves().get(1).copied().unwrap_or(Move::NULL);
        Outcome { best: self.root.best(), ponder, score: self.root.score, nodes: self.nodes }
    }

    fn start(&mut self, game: &Game, limits: &Limits, task: &Task) {
        let position = game.position();
        self.clock = Clock::start(Budget::of_limits(limits, task.overhead), limits.ponder);
        self.task = task.clone();
        self.table.next_generation();
        self.history.clear_killers();
        self.path.start(game);
        self.evaluator.reset(position);
        self.nodes = 0;
        self.node_limit = limits.nodes.unwrap_or(u64::MAX);
        self.seldepth = 0;
        self.stopped = false;
        self.interruptible = false;
        self.handicap = Handicap::begin();
        self.start_root(position, &limits.search_moves);
    }

    fn deepen(&mut self, position: &Position, deepest: i32, report: &mut dyn FnMut(&Report)) {
        let value = self.last_value(position);
        self.root.expect_first(value);
        for depth in 1..=deepest {
            self.depth = depth;
            self.seldepth = 0;
            self.root.sort();
            self.aspirate(position, depth);
            self.tell(depth, report);
            self.interruptible = true;
            if self.stopped || self.is_finished(depth) {
                break;
            }
        }
    }

    /// Whether a further iteration is not worth beginning.
    fn is_finished(&mut self, depth: i32) -> bool {
        self.poll();
        let proven_mate = is_mate(self.root.score) && depth >= 2 * (MATE - self.root.score.abs());
        self.stopped
            || proven_mate
            || self.clock.soft_limit_reached()
            || self.root.is_forced() && self.clock.is_running()
    }

    fn tell(&self, depth: i32, report: &mut dyn FnMut(&Report)) {
        report(&Report {
            depth,
            seldepth: self.seldepth,
            score: self.root.score,
            nodes: self.nodes,
            time: self.clock.elapsed(),
            hashfull: self.table.hashfull(),
            pv: self.root.line.moves(),
        });
    }

    /// Counts the node that is about to be entered. False when it must not be: the search has to stop.
    #[inline]
    pub(super) fn take_node(&mut self) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(POLL_NODES) {
            self.poll();
        }
        if !self.stopped {
            self.nodes += 1;
            self.handicap.node();
        }
        !self.stopped
    }

    /// Looks at the signals and the clock. The first iteration is never broken off by them, so that there is a move.
    fn poll(&mut self) {
        if self.task.signals.is_hit(self.task.number) {
            self.clock.ponder_hit();
        }
        if self.interruptible && (self.task.is_stopped() || self.clock.hard_limit_reached()) {
            self.stopped = true;
        }
    }
}
