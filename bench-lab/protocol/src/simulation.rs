//! How often the rules are right: the evaluator on phase values of which the truth is known.
//!
//! The phase values of a trial come from a model of the noise ([`Noise`]); what judges them is the rule of real
//! trials itself, [`Finding`]. Every gain of a [`Setting`] is judged on the same noise, so that power can only grow
//! with the gain. The same seed gives the same counts, however the trials are shared out.
//!
//! | step | where |
//! |---|---|
//! | levels of all arms in one lane of one trial | [`Noise::levels`] |
//! | what the rules say of it | [`simulate`] |
//! | counts, rates and their intervals | [`Tally`], [`Rate`] |

mod noise;
mod rate;
mod tally;

use std::ops::Range;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::calibration::points;
use crate::judge::{Bar, Finding};
use crate::plan::{BASE, FULL, without};
use crate::verdict::Reason;
use crate::{PHASES, seed};

pub use noise::{Levels, Noise};
pub use rate::Rate;
pub use tally::{Count, Tally};

/// Version of [`Simulation`].
pub const SIMULATION_FORMAT: u32 = 1;
/// Most components, and most lanes, of a simulated trial.
pub const MOST: usize = 64;

/// A finished simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// Version of this structure.
    pub format: u32,
    /// Version of the rules that judged.
    pub evaluator: u32,
    /// Trials of every cell.
    pub trials: u64,
    /// Seed of all noise.
    pub seed: u64,
    /// Standard deviation of a phase value, percentage points.
    pub sd: f64,
    /// Components of a bundle.
    pub components: usize,
    /// Lanes.
    pub lanes: usize,
    /// Gain in percent that the whole bundle must exceed.
    pub threshold_percent: f64,
    /// What the rule promises of one comparison: false proofs are at most this often.
    pub bound: f64,
    /// One for every model of the noise.
    pub outcomes: Vec<Outcome>,
}

/// What became of the trials under one model of the noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The model.
    pub noise: Noise,
    /// One for every gain, ascending.
    pub cells: Vec<Cell>,
}

/// What became of the trials at one gain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// True gain of every component, percent.
    pub gain_percent: f64,
    /// One component on one lane has seven of eight runs above zero.
    pub signs: Rate,
    /// The same component passes there: seven of eight, and no phase is scattered.
    pub comparison: Rate,
    /// Every component passes on every lane.
    pub components: Rate,
    /// The trial is proven: so, and the whole bundle exceeds its threshold on every lane.
    pub proven: Rate,
    /// The trial is proven although its first component does nothing and only the others have the gain; in bundles of
    /// two or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worthless: Option<Rate>,
}

/// What is simulated under one model of the noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The model.
    pub noise: Noise,
    /// Standard deviation of a phase value that is noise, percentage points.
    pub sd: f64,
    /// Components of a bundle.
    pub components: usize,
    /// Lanes, each with noise of its own.
    pub lanes: usize,
    /// True gains of every component, percent.
    pub gains: Vec<f64>,
    /// Gain in percent that the whole bundle must exceed.
    pub threshold_percent: f64,
    /// Seed of all noise.
    pub seed: u64,
}

/// A setting that means nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what} {found}: expected {expected}")]
pub struct BadSetting {
    what: &'static str,
    found: f64,
    expected: &'static str,
}

impl BadSetting {
    fn unless(holds: bool, what: &'static str, found: f64, expected: &'static str) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self { what, found, expected }) }
    }
}

impl Setting {
    /// Checks every number.
    ///
    /// # Errors
    /// The first that means nothing.
    pub fn check(&self) -> Result<(), BadSetting> {
        let amount = |value: f64| value.is_finite() && (0.0..=100.0).contains(&value);
        BadSetting::unless(amount(self.sd), "standard deviation", self.sd, "points from 0 to 100")?;
        for (what, number) in [("number of components", self.components), ("number of lanes", self.lanes)] {
            BadSetting::unless((1..=MOST).contains(&number), what, number as f64, "1 to 64")?;
        }
        let threshold = self.threshold_percent;
        BadSetting::unless(amount(threshold), "threshold", threshold, "percent from 0 to 100")?;
        for &gain in &self.gains {
            let holds = (-50.0..=100.0).contains(&gain);
            BadSetting::unless(holds, "gain", gain, "percent from -50 to 100")?;
        }
        self.noise.check()
    }
}

/// Simulates the trials with these numbers and counts what the rules say.
///
/// # Errors
/// When the setting means nothing.
pub fn simulate(setting: &Setting, trials: Range<u64>) -> Result<Tally, BadSetting> {
    setting.check()?;
    let mut tally = Tally::new(setting.gains.len());
    let mut rng = setting.rng();
    for trial in trials {
        let lanes = setting.lanes_of(trial, &mut rng);
        tally.trials += 1;
        for (gain, count) in setting.gains.iter().zip(&mut tally.counts) {
            judge(setting, &lanes, points(*gain), count);
        }
    }
    Ok(tally)
}

impl Setting {
    /// What disturbs the trial with this number, lane by lane: what [`simulate`] judges.
    ///
    /// # Errors
    /// When the setting means nothing.
    pub fn levels(&self, trial: u64) -> Result<Vec<Levels>, BadSetting> {
        self.check()?;
        Ok(self.lanes_of(trial, &mut self.rng()))
    }

    fn rng(&self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed::simulation(self.seed, self.noise.name()))
    }

    fn lanes_of(&self, trial: u64, rng: &mut ChaCha8Rng) -> Vec<Levels> {
        // A stream for every trial: what one draws is no other's business.
        rng.set_stream(trial);
        rng.set_word_pos(0);
        (0..self.lanes).map(|_| self.noise.levels(self.sd, self.components + 2, rng)).collect()
    }
}

/// Applies the rules to one trial in which every component is worth `gain` points.
fn judge(setting: &Setting, lanes: &[Levels], gain: f64, count: &mut Count) {
    let first = Finding::new(lanes[0].values(without(0), gain), Bar::Component);
    let signs = !first.reasons.iter().any(|reason| matches!(reason, Reason::NotPositive { .. }));
    count.signs += u64::from(signs);
    count.comparison += u64::from(first.reasons.is_empty());

    let on_every_lane = |arm: usize, points: f64, bar: Bar| {
        lanes.iter().all(|levels| Finding::new(levels.values(arm, points), bar).reasons.is_empty())
    };
    let others =
        (1..setting.components).all(|component| on_every_lane(without(component), gain, Bar::Component));
    let whole = |gaining: usize| {
        let bar = Bar::Bundle { threshold_percent: setting.threshold_percent };
        on_every_lane(BASE, gaining as f64 * gain, bar)
    };
    if others && on_every_lane(without(0), gain, Bar::Component) {
        count.components += 1;
        count.proven += u64::from(whole(setting.components));
    }
    if others && setting.components > 1 && on_every_lane(without(0), 0.0, Bar::Component) {
        count.worthless += u64::from(whole(setting.components - 1));
    }
}

impl Levels {
    /// Phase values of `full` against another arm that lacks `points` of it, `[run][phase]`.
    fn values(&self, other: usize, points: f64) -> Vec<Vec<f64>> {
        let pairs = self.of(FULL).chunks(PHASES).zip(self.of(other).chunks(PHASES));
        pairs.map(|(full, other)| full.iter().zip(other).map(|(a, b)| points + a - b).collect()).collect()
    }
}
