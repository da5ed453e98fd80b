//! A comparison of two builds: by how much is B faster than A? A daily tool, not a verdict.
//!
//! | step | where |
//! |---|---|
//! | draws, starts and slot plans of the phases | [`design`] |
//! | how many phases a wanted resolution takes | [`size`] |
//! | values against zero: estimate, intervals, probabilities | [`ranks`], over the null distributions of [`null`] |
//! | numbers of the user's own | [`numbers`] |
//!
//! Values are percentage points of log rate, `100 · (ln rate(B) − ln rate(A))`, as in a trial; results are percent.

pub mod design;
pub mod null;
pub mod numbers;
pub mod ranks;
pub mod size;

use serde::{Deserialize, Serialize};

use crate::calibration::{percent, points};
use crate::plan::{Identity, Lane, Layout, Machine, Tool, Workload};
use ranks::Ranked;

/// Version of [`Comparison`].
pub const COMPARISON_FORMAT: u32 = 1;
/// Parts of all cases that the two intervals cover.
pub const LEVELS: [f64; 2] = [0.93, 0.99];
/// Gains in percent that B may be faster by.
pub const GAINS: [f64; 4] = [0.0, 0.25, 0.5, 1.0];

/// Why values say nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompareError {
    /// Too few of them.
    #[error("{found} {what}, expected at least {expected}")]
    TooFew {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
    /// One is no finite number.
    #[error("value {number} is {value}, expected a finite number")]
    NotFinite {
        /// Which, from 1.
        number: usize,
        /// The value.
        value: f64,
    },
}

/// What values say of B against A.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Speed-up of B in percent: the median of all averages of two values (or of all differences).
    pub percent: f64,
    /// One for every one of [`LEVELS`].
    pub intervals: Vec<Interval>,
    /// One for every one of [`GAINS`].
    pub faster: Vec<Faster>,
}

/// An interval of the speed-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// How often it was asked to hold the true speed-up.
    pub level: f64,
    /// How often it does, at least `level`; none when so few values can't give such an interval.
    pub covers: Option<f64>,
    /// Its ends in percent.
    pub percent: Option<(f64, f64)>,
}

/// How sure it is that B is faster by a gain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faster {
    /// The gain in percent.
    pub by_percent: f64,
    /// The confidence that B is faster by at least that: one minus the (mid-)p-value of the test that it is not.
    pub probability: f64,
}

/// The answer in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The 93 % interval lies above zero.
    Faster,
    /// It lies below zero.
    Slower,
    /// It holds zero, or there is none.
    NotResolved,
}

impl Estimate {
    /// From paired values: one for every phase, or for every pair of runs.
    ///
    /// # Errors
    /// With fewer than two values, or one that is not finite.
    pub fn paired(values: &[f64]) -> Result<Estimate, CompareError> {
        Ok(Estimate::of(&Ranked::paired(values)?))
    }

    /// From `100 · ln rate` of single runs of A and B that don't belong together in pairs.
    ///
    /// # Errors
    /// With fewer than two values on a side, or one that is not finite.
    pub fn unpaired(a: &[f64], b: &[f64]) -> Result<Estimate, CompareError> {
        Ok(Estimate::of(&Ranked::unpaired(a, b)?))
    }

    fn of(ranked: &Ranked) -> Estimate {
        let interval = |level: f64| {
            let found = ranked.interval(level);
            Interval {
                level,
                covers: found.map(|(_, covers)| covers),
                percent: found.map(|((low, high), _)| (percent(low), percent(high))),
            }
        };
        let faster = |by_percent| Faster { by_percent, probability: ranked.above(points(by_percent)) };
        Estimate {
            percent: percent(ranked.estimate()),
            intervals: LEVELS.map(interval).to_vec(),
            faster: GAINS.map(faster).to_vec(),
        }
    }

    /// The answer in a word, by the 93 % interval.
    pub fn outcome(&self) -> Outcome {
        match self.intervals.first().and_then(|interval| interval.percent) {
            Some((low, _)) if low > 0.0 => Outcome::Faster,
            Some((_, high)) if high < 0.0 => Outcome::Slower,
            _ => Outcome::NotResolved,
        }
    }

    /// Half the width of the 93 % interval, in percent.
    pub fn half_width(&self) -> Option<f64> {
        let (low, high) = self.intervals.first()?.percent?;
        Some((high - low) / 2.0)
    }
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// As the user named it.
    pub name: String,
    /// What it is, in words: a commit, an arm, a captured link, an executable.
    pub what: String,
    /// SHA-256 over every input of its link, or of the executable when there is no link, hex.
    pub inputs_sha256: String,
    /// SHA-256 of the executable as first linked, hex.
    pub executable_sha256: String,
}

/// What fixed the number of phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizing {
    /// Wanted half width of the 93 % interval, percent.
    pub resolution_percent: f64,
    /// Phases of the two that were measured only for their spread; their values were thrown away.
    pub calibration_phases: usize,
    /// Standard deviation of a phase value in them, percentage points.
    pub sd: f64,
    /// The number of phases that follows.
    pub phases: usize,
}

/// A finished comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Version of this structure.
    pub format: u32,
    /// When it began, RFC 3339 in UTC.
    pub created: String,
    /// What the other is compared with.
    pub a: Side,
    /// What is called faster or slower.
    pub b: Side,
    /// Scheme, master seed, and what becomes of every part.
    pub layout: Layout,
    /// Core and options.
    pub lane: Lane,
    /// What every process searched.
    pub workload: Workload,
    /// Length of a slot in microseconds.
    pub slice_us: u64,
    /// Fresh processes of A and of B in a phase.
    pub processes: usize,
    /// What the same-tree check covered; none when the user said that the trees differ.
    pub identity: Option<Identity>,
    /// What fixed the number of phases.
    pub sizing: Sizing,
    /// The value of every phase, percentage points.
    pub values: Vec<f64>,
    /// Nodes per second of processor time of A and of B, over all phases.
    pub rates: (f64, f64),
    /// Wall seconds of all phases.
    pub seconds: f64,
    /// What follows.
    pub estimate: Estimate,
    /// The same in a word.
    pub outcome: Outcome,
    /// What qualifies it, in words.
    pub notes: Vec<String>,
    /// Who measured.
    pub tool: Tool,
    /// Facts of the machine.
    pub machine: Machine,
}

impl Comparison {
    /// Whether executables could not be relinked: the result holds for the one layout that each of them has.
    pub fn is_limited(&self) -> bool {
        self.layout.is_limited()
    }
}
