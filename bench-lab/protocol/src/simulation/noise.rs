//! Models of what disturbs a trial.

use std::fmt;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, StandardNormal, StudentT};
use serde::{Deserialize, Serialize};

use super::BadSetting;
use crate::plan::FULL;
use crate::{PHASES, RUNS};

/// A model of the noise. All of them but [`Bias`](Noise::Bias) treat the arms alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Noise {
    /// Normal and independent.
    Normal,
    /// Student's t for every arm and phase, scaled to the same standard deviation.
    HeavyTailed {
        /// Degrees of freedom, above 2.
        freedom: f64,
    },
    /// Normal, and a machine that is slow now and then: while it is, every arm loses something of its own.
    SlowSpells {
        /// Share of the phases that lie in a spell.
        share: f64,
        /// Mean length of a spell in phases.
        phases: f64,
        /// Mean loss of an arm in such a phase, exponentially distributed, points.
        points: f64,
    },
    /// Normal, and a speed that changes within every run, so that the later arm loses.
    Drift {
        /// What it loses, points.
        points: f64,
    },
    /// Normal, with run values that hang on each other.
    Autocorrelated {
        /// Correlation of a run's noise with that of the run before.
        correlation: f64,
    },
    /// Normal, and a harness that favours `full`.
    Bias {
        /// By how much, points.
        points: f64,
    },
    /// Normal, and one layout for the whole trial: what a lab that draws none would see.
    OneLayout {
        /// Standard deviation of an executable's speed between layouts, points.
        points: f64,
    },
}

/// Log rates of all arms in all phases of one lane, in points, without what the components are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    arms: Vec<[f64; RUNS * PHASES]>,
}

impl Levels {
    /// The phases of one arm, run after run.
    pub fn of(&self, arm: usize) -> &[f64] {
        &self.arms[arm]
    }
}

impl Noise {
    /// One word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Noise::Normal => "normal",
            Noise::HeavyTailed { .. } => "heavy-tailed",
            Noise::SlowSpells { .. } => "slow-spells",
            Noise::Drift { .. } => "drift",
            Noise::Autocorrelated { .. } => "autocorrelated",
            Noise::Bias { .. } => "bias",
            Noise::OneLayout { .. } => "one-layout",
        }
    }

    /// Refuses numbers that make no distribution.
    pub(super) fn check(&self) -> Result<(), BadSetting> {
        let points = |points: f64| {
            let holds = (-100.0..=100.0).contains(&points);
            BadSetting::unless(holds, "points", points, "-100 to 100")
        };
        match *self {
            Noise::Normal => Ok(()),
            Noise::HeavyTailed { freedom } => {
                let holds = freedom > 2.0 && freedom.is_finite();
                BadSetting::unless(holds, "degrees of freedom", freedom, "more than 2")
            }
            Noise::SlowSpells { share, phases, points: loss } => {
                BadSetting::unless(
                    (0.0..1.0).contains(&share),
                    "share of slow phases",
                    share,
                    "0 to below 1",
                )?;
                // A spell must be able to end as often as the share asks for.
                let holds = phases.is_finite() && phases >= 1.0 && share / (1.0 - share) <= phases;
                BadSetting::unless(
                    holds,
                    "length of a slow spell",
                    phases,
                    "at least 1 phase, more for a large share",
                )?;
                points(loss)
            }
            Noise::Autocorrelated { correlation } => {
                let holds = correlation > -1.0 && correlation < 1.0;
                BadSetting::unless(holds, "correlation of runs", correlation, "between -1 and 1")
            }
            Noise::Drift { points: by } | Noise::Bias { points: by } => points(by),
            Noise::OneLayout { points: sd } => {
                BadSetting::unless((0.0..=100.0).contains(&sd), "deviation between layouts", sd, "0 to 100")
            }
        }
    }

    /// Draws one lane of a trial with `arms` arms whose phase values have standard deviation `sd`.
    pub fn levels(&self, sd: f64, arms: usize, rng: &mut impl Rng) -> Levels {
        // A phase value is a difference of two arms.
        let sd = sd / std::f64::consts::SQRT_2;
        let mut levels = Levels { arms: vec![[0.0; RUNS * PHASES]; arms] };
        self.independent(sd, &mut levels, rng);
        match *self {
            Noise::Normal | Noise::HeavyTailed { .. } => {}
            Noise::SlowSpells { share, phases, points } => spells(share, phases, points, &mut levels, rng),
            Noise::Drift { points } => drift(points, &mut levels, rng),
            Noise::Autocorrelated { correlation } => correlate(correlation, sd, &mut levels, rng),
            Noise::Bias { points } => levels.arms[FULL].iter_mut().for_each(|level| *level += points),
            Noise::OneLayout { points } => {
                for arm in &mut levels.arms {
                    let luck = points * normal(rng);
                    arm.iter_mut().for_each(|level| *level += luck);
                }
            }
        }
        levels
    }

    /// What no phase shares with another.
    fn independent(&self, sd: f64, levels: &mut Levels, rng: &mut impl Rng) {
        let all = levels.arms.iter_mut().flatten();
        match *self {
            Noise::HeavyTailed { freedom } => {
                // `check` has refused what makes no distribution.
                if let Ok(student) = StudentT::new(freedom) {
                    let scale = sd * ((freedom - 2.0) / freedom).sqrt();
                    all.for_each(|level| *level = scale * student.sample(rng));
                }
            }
            _ => all.for_each(|level| *level = sd * normal(rng)),
        }
    }
}

/// A machine of two states: a spell ends in every phase with probability `1 / phases`.
fn spells(share: f64, phases: f64, points: f64, levels: &mut Levels, rng: &mut impl Rng) {
    let (ends, begins) = (1.0 / phases, share / (1.0 - share) / phases);
    let mut slow = rng.random_bool(share);
    for phase in 0..RUNS * PHASES {
        if slow {
            for arm in &mut levels.arms {
                let loss: f64 = Exp1.sample(rng);
                arm[phase] -= points * loss;
            }
        }
        slow = if slow { !rng.random_bool(ends) } else { rng.random_bool(begins) };
    }
}

/// The order of slots is balanced: in exactly half of the runs an arm comes later than `full`.
fn drift(points: f64, levels: &mut Levels, rng: &mut impl Rng) {
    for (_, arm) in levels.arms.iter_mut().enumerate().filter(|&(arm, _)| arm != FULL) {
        let mut losses: [f64; RUNS] =
            std::array::from_fn(|run| if run < RUNS / 2 { points } else { -points });
        losses.shuffle(rng);
        for (run, loss) in arm.chunks_mut(PHASES).zip(losses) {
            run.iter_mut().for_each(|level| *level -= loss);
        }
    }
}

/// Gives the means of the runs another history: the same deviation, but each hangs on the one before.
fn correlate(correlation: f64, sd: f64, levels: &mut Levels, rng: &mut impl Rng) {
    let mean_sd = sd / (PHASES as f64).sqrt();
    for arm in &mut levels.arms {
        let mut mean = mean_sd * normal(rng);
        for run in arm.chunks_mut(PHASES) {
            let shift = mean - run.iter().sum::<f64>() / PHASES as f64;
            run.iter_mut().for_each(|level| *level += shift);
            mean = correlation * mean + (1.0 - correlation * correlation).sqrt() * mean_sd * normal(rng);
        }
    }
}

fn normal(rng: &mut impl Rng) -> f64 {
    StandardNormal.sample(rng)
}

impl fmt::Display for Noise {
    /// What it is, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Noise::Normal => write!(f, "normal noise"),
            Noise::HeavyTailed { freedom } => {
                write!(f, "heavy tails: Student t, {freedom} degrees of freedom")
            }
            Noise::SlowSpells { share, phases, points } => write!(
                f,
                "slow spells: {:.0} % of phases, {phases} in a row, each arm loses {points} points on average",
                100.0 * share
            ),
            Noise::Drift { points } => {
                write!(f, "drift within every run: the later arm loses {points} points")
            }
            Noise::Autocorrelated { correlation } => {
                write!(f, "autocorrelated runs: correlation {correlation} with the run before")
            }
            Noise::Bias { points } => write!(f, "constant bias of the harness: {points} points for `full`"),
            Noise::OneLayout { points } => {
                write!(f, "one layout for the whole trial: executables differ by luck, sd {points} points")
            }
        }
    }
}
