//! What a trial's wall time is spent on: every moment belongs to exactly one stage.

use std::time::{Duration, Instant};

/// What the thread that leads the trial does, or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking at everything that the plan fixed, before a run.
    Checking,
    /// Waiting for the draw of a phase: relinking, reading back, hashing.
    Drawing,
    /// Waiting for the fresh copy of an executable.
    Copying,
    /// Starting processes, and their hand-shakes.
    Starting,
    /// Waiting until all processes are idle and nothing works beside them.
    Settling,
    /// The slots.
    Measuring,
    /// Ending processes, deleting copies and draws.
    Ending,
    /// Writing records.
    Recording,
}

impl Stage {
    /// All stages, in the order in which a phase goes through them.
    pub const ALL: [Stage; 8] = [
        Stage::Checking,
        Stage::Drawing,
        Stage::Copying,
        Stage::Starting,
        Stage::Settling,
        Stage::Measuring,
        Stage::Ending,
        Stage::Recording,
    ];
}

/// Adds up the time spent in every stage.
#[derive(Clone, Debug)]
pub struct StageClock {
    spent: [Duration; Stage::ALL.len()],
    now: Stage,
    since: Instant,
}

impl StageClock {
    /// A clock that begins in `stage`.
    pub fn begin(stage: Stage) -> StageClock {
        StageClock { spent: [Duration::ZERO; Stage::ALL.len()], now: stage, since: Instant::now() }
    }

    /// From now on the time belongs to `stage`.
    pub fn enter(&mut self, stage: Stage) {
        self.enter_at(stage, Instant::now());
    }

    fn enter_at(&mut self, stage: Stage, now: Instant) {
        self.spent[self.now as usize] += now - self.since;
        (self.now, self.since) = (stage, now);
    }

    /// Time spent in a stage that is over; the current stage counts from its next change on.
    pub fn spent(&self, stage: Stage) -> Duration {
        self.spent[stage as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_belongs_to_one_stage() {
        assert!(Stage::ALL.iter().enumerate().all(|(index, &stage)| stage as usize == index));
        let mut clock = StageClock::begin(Stage::Drawing);
        let begun = clock.since;
        let at = |ms| begun + Duration::from_millis(ms);
        clock.enter_at(Stage::Measuring, at(5));
        clock.enter_at(Stage::Drawing, at(105));
        clock.enter_at(Stage::Measuring, at(112));
        clock.enter_at(Stage::Measuring, at(200));
        clock.enter_at(Stage::Ending, at(212));
        assert_eq!(clock.spent(Stage::Drawing), Duration::from_millis(12));
        assert_eq!(clock.spent(Stage::Measuring), Duration::from_millis(200));
        assert_eq!(clock.spent(Stage::Ending), Duration::ZERO);
        let sum: Duration = Stage::ALL.iter().map(|&stage| clock.spent(stage)).sum();
        assert_eq!(sum, Duration::from_millis(212));
    }
}
