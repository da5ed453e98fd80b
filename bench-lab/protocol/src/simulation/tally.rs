//! Counts over trials. They add up, so trials can be shared out among threads.

use std::ops::AddAssign;

use super::{Cell, Rate, Setting};

/// What the rules said of the trials so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Trials.
    pub trials: u64,
    /// One for every gain of the setting, in its order.
    pub counts: Vec<Count>,
}

/// Trials at one gain in which something happened; [`Cell`] says what each means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Seven of eight.
    pub signs: u64,
    /// One comparison passed.
    pub comparison: u64,
    /// All components passed.
    pub components: u64,
    /// Trial proven.
    pub proven: u64,
    /// Trial proven in spite of a worthless component.
    pub worthless: u64,
}

impl Tally {
    /// Nothing yet.
    pub fn new(gains: usize) -> Self {
        Self { trials: 0, counts: vec![Count::default(); gains] }
    }

    /// The counts as rates, by gain.
    pub fn cells(&self, setting: &Setting) -> Vec<Cell> {
        let rate = |hits| Rate::new(hits, self.trials);
        let cell = |(&gain_percent, count): (&f64, &Count)| Cell {
            gain_percent,
            signs: rate(count.signs),
            comparison: rate(count.comparison),
            components: rate(count.components),
            proven: rate(count.proven),
            worthless: (setting.components > 1).then(|| rate(count.worthless)),
        };
        setting.gains.iter().zip(&self.counts).map(cell).collect()
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.trials += other.trials;
        for (own, other) in self.counts.iter_mut().zip(&other.counts) {
            own.signs += other.signs;
            own.comparison += other.comparison;
            own.components += other.components;
            own.proven += other.proven;
            own.worthless += other.worthless;
        }
    }
}
