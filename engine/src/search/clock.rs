//! Time: how much a move may take, and when it has taken it.

use std::time::{Duration, Instant};

use super::limits::{GameTime, Limits};
use super::params::{
    CLOCK_HARD_PERCENT, CLOCK_INCREMENT_PERCENT, CLOCK_LAST_START_PERCENT, CLOCK_MOVES, CLOCK_RESERVE_LEAST,
    CLOCK_RESERVE_PERCENT,
};

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What the move should take.
    pub soft: Duration,
    /// The search breaks off here.
    pub hard: Duration,
}

impl Budget {
    /// The share of a game clock. `overhead` milliseconds of every move are lost outside the engine.
    ///
    /// A reserve is left alone: 5 % of the time, at least 30 ms and the overhead of the moves still expected, at
    /// most half of the time.
    pub fn of_game(time: GameTime, overhead: u64) -> Self {
        let left = u128::from(time.left) * 1000;
        let moves = time.moves_to_go.map_or(CLOCK_MOVES, |moves| moves.clamp(1, CLOCK_MOVES));
        let least = u128::from(CLOCK_RESERVE_LEAST.max(moves.saturating_mul(overhead))) * 1000;
        let reserve = (left * u128::from(CLOCK_RESERVE_PERCENT) / 100).max(least).min(left / 2);
        let usable = left - reserve;
        let increment = u128::from(time.increment) * 10 * u128::from(CLOCK_INCREMENT_PERCENT);
        let soft = (usable / u128::from(moves) + increment).min(usable);
        let hard = (soft * u128::from(CLOCK_HARD_PERCENT) / 100).min(usable);
        Self { soft: micros(soft), hard: micros(hard) }
    }

    /// A fixed time for the move, less the overhead but never less than half of it.
    pub fn of_move(time: Duration, overhead: u64) -> Self {
        let limit = time.saturating_sub(Duration::from_millis(overhead)).max(time / 2);
        Self { soft: limit, hard: limit }
    }

    /// The tightest that the limits ask for; `None` when time doesn't matter.
    pub fn of_limits(limits: &Limits, overhead: u64) -> Option<Self> {
        let game = limits.game_time.map(|time| Self::of_game(time, overhead));
        let this_move = limits.move_time.map(|time| Self::of_move(time, overhead));
        match (game, this_move) {
            (Some(a), Some(b)) => Some(Self { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
            (game, this_move) => game.or(this_move),
        }
    }
}

fn micros(micros: u128) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

/// The clock of one search.
pub struct Clock {
    start: Instant,
    /// When the time of the move began to run; `None` while pondering.
    running_since: Option<Instant>,
    budget: Option<Budget>,
}

impl Clock {
    /// Starts it; while pondering, the move's own time waits for [`Clock::ponder_hit`].
    pub fn start(budget: Option<Budget>, ponder: bool) -> Self {
        let start = Instant::now();
        Self { start, running_since: (!ponder).then_some(start), budget }
    }

    /// The pondered move was played: the time of this move runs from now. When pondering has taken what the move
    /// should take, the answer is due at once, and not when the iteration in progress happens to end.
    pub fn ponder_hit(&mut self) {
        if self.running_since.is_none() {
            self.running_since = Some(Instant::now());
            if self.soft_limit_reached() {
                self.budget = Some(Budget { soft: Duration::ZERO, hard: Duration::ZERO });
            }
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time matters, and it is running.
    pub fn is_running(&self) -> bool {
        self.running_since.is_some() && self.budget.is_some()
    }

    /// No further iteration is worth beginning: it would take about as long as all before it together, and end
    /// beyond the soft limit. Time spent pondering counts.
    pub fn soft_limit_reached(&self) -> bool {
        let last_start = |soft: Duration| soft * CLOCK_LAST_START_PERCENT / 100;
        self.running_since.is_some()
            && self.budget.is_some_and(|budget| self.elapsed() >= last_start(budget.soft))
    }

    /// The search must break off now.
    pub fn hard_limit_reached(&self) -> bool {
        match (self.running_since, self.budget) {
            (Some(since), Some(budget)) => since.elapsed() >= budget.hard,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(left: u64, increment: u64, moves_to_go: Option<u64>) -> GameTime {
        GameTime { left, increment, moves_to_go }
    }

    #[test]
    fn budgets_of_game_clocks() {
        // time left, increment, moves to go, overhead → soft and hard limit in milliseconds
        let table = [
            (8000, 80, None, 10, 247, 800),
            (60_000, 0, None, 10, 1500, 4860),
            (300_000, 3000, None, 10, 9270, 30_034),
            (1000, 10, None, 10, 22, 71),
            (100, 10, None, 10, 7, 23),
            (40, 10, None, 10, 6, 20),
            (10, 10, None, 10, 5, 5),
            (1, 0, None, 10, 0, 0),
            (0, 0, None, 10, 0, 0),
            (60_000, 0, Some(1), 10, 57_000, 57_000),
            (60_000, 0, Some(2), 10, 28_500, 57_000),
            (60_000, 0, Some(1000), 10, 1500, 4860),
            (60_000, 0, Some(0), 10, 57_000, 57_000),
            (1000, 0, None, 400, 13, 42),
            (1000, 0, None, 5000, 13, 42),
        ];
        for (left, increment, moves, overhead, soft, hard) in table {
            let budget = Budget::of_game(game(left, increment, moves), overhead);
            let found = (budget.soft.as_millis(), budget.hard.as_millis());
            assert_eq!(found, (soft, hard), "{left} + {increment}, {moves:?} moves, overhead {overhead}");
        }
    }

    #[test]
    fn a_budget_never_exceeds_the_clock() {
        for left in [0, 1, 7, 29, 31, 60, 61, 500, 12_345, u64::MAX] {
            for increment in [0, 1, 100, 100_000, u64::MAX] {
                for moves in [None, Some(1), Some(40)] {
                    let budget = Budget::of_game(game(left, increment, moves), 10);
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.hard.as_millis() <= u128::from(left) || left == u64::MAX);
                    assert!(left < 2 || budget.hard.as_millis() < u128::from(left));
                }
            }
        }
    }

    #[test]
    fn a_move_time_gives_up_the_overhead_but_not_more_than_half() {
        for (time, overhead, limit) in [(1000, 10, 990), (15, 10, 7), (1, 10, 0), (100, 0, 100)] {
            let limit_found = Budget::of_move(Duration::from_millis(time), overhead).hard.as_millis();
            assert_eq!(limit_found, limit, "{time} ms, overhead {overhead}");
        }
    }

    #[test]
    fn the_tighter_limit_counts() {
        let mut limits = Limits { game_time: Some(game(8000, 80, None)), ..Limits::default() };
        assert_eq!(Budget::of_limits(&limits, 10).unwrap().soft.as_millis(), 247);
        limits.move_time = Some(Duration::from_millis(110));
        let both = Budget::of_limits(&limits, 10).unwrap();
        assert_eq!((both.soft.as_millis(), both.hard.as_millis()), (100, 100));
        assert_eq!(Budget::of_limits(&Limits::nodes(5), 10), None);
    }

    #[test]
    fn a_pondering_clock_waits_for_the_hit() {
        let long = Duration::from_secs(1 << 30);
        for (soft, due) in [(Duration::ZERO, true), (long, false)] {
            let mut clock = Clock::start(Some(Budget { soft, hard: long }), true);
            assert!(!clock.soft_limit_reached() && !clock.hard_limit_reached() && !clock.is_running());
            clock.ponder_hit();
            assert_eq!((clock.soft_limit_reached(), clock.hard_limit_reached()), (due, due));
            assert!(clock.is_running());
        }
    }

    #[test]
    fn without_a_budget_time_never_runs_out() {
        let mut endless = Clock::start(None, true);
        endless.ponder_hit();
        assert!(!endless.soft_limit_reached() && !endless.hard_limit_reached());
    }
}
