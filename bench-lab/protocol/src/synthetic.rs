//! Trials that were never run: plans and records with known effects, for tests and for showing
//! how often the rules are right.

mod plan;
mod records;
mod spec;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::Normal;

use crate::calibration::{CalibrationError, points};
use crate::plan::{BASE, Diagnostics, FULL, Plan, Together};
use crate::record::ProcessRecord;
use crate::schedule;
use crate::schedule::ScheduleError;

pub(crate) use plan::machine;
pub use spec::{LaneSpec, Spec};

/// Nodes per second of `base` before anything disturbs it.
const BASE_RATE: f64 = 400_000.0;
/// Standard deviation of what a phase's layout and the machine's mood do to all arms alike, points.
const COMMON_SD: f64 = 3.0;
/// A/A phases in the plan's calibration.
const CALIBRATION_PHASES: usize = 12;

/// Why no trial can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SyntheticError {
    /// A lane with more or fewer gains than there are components.
    #[error("lane {lane}: {found} gains, expected {expected}, one for every component")]
    Gains {
        /// Lane name.
        lane: String,
        /// Gains given.
        found: usize,
        /// Components.
        expected: usize,
    },
    /// A spread or a gain that makes no distribution.
    #[error("{what} {found}, expected {expected}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// The schedule could not be drawn.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The calibration could not be made.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
}

/// Makes the plan and all records of a trial. The same spec gives the same trial.
///
/// # Errors
/// When a lane's gains don't match the components, or a number makes no sense.
pub fn trial(spec: &Spec) -> Result<(Plan, Vec<ProcessRecord>), SyntheticError> {
    let mut noise = Noise::new(spec)?;
    for lane in &spec.lanes {
        if lane.gains.len() != spec.components.len() {
            return Err(SyntheticError::Gains {
                lane: lane.name.clone(),
                found: lane.gains.len(),
                expected: spec.components.len(),
            });
        }
        for &gain in &lane.gains {
            number("gain", gain, gain.is_finite() && gain > -100.0, "above -100 %")?;
        }
    }
    let plan = plan::plan(spec, &mut noise)?;
    let arms = plan.arms.len();
    let levels = |lane: &LaneSpec| (0..arms).map(|arm| records::level(lane, arm)).collect::<Vec<f64>>();
    let records = records::of_series(spec, &plan.series(), levels, &mut noise);
    Ok((plan, records))
}

/// Adds diagnostics to a plan of [`trial`] and makes their records: for every group of components the gain in percent
/// that `full` loses without all of them, alike on every lane.
///
/// # Errors
/// As [`trial`].
pub fn diagnostics(
    spec: &Spec,
    plan: &mut Plan,
    groups: &[(&[&str], f64)],
    phases: usize,
) -> Result<Vec<ProcessRecord>, SyntheticError> {
    let mut noise = Noise::new(&Spec { seed: spec.seed ^ 1, ..spec.clone() })?;
    let lanes: Vec<&str> = spec.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let together = |(names, _): &(&[&str], f64)| Together {
        components: names.iter().map(|name| (*name).to_owned()).collect(),
        options: BTreeMap::new(),
        builds: plan.builds.iter().map(|set| set.arms[BASE].clone()).collect(),
    };
    let fixed = Diagnostics {
        together: groups.iter().map(together).collect(),
        phases,
        runs: schedule::draw_diagnostics(groups.len() + 2, phases, &lanes, spec.seed)?,
    };
    let levels = |lane: &LaneSpec| {
        let full = records::level(lane, FULL);
        [0.0, full]
            .into_iter()
            .chain(groups.iter().map(|(_, gain)| full - points(*gain)))
            .collect::<Vec<f64>>()
    };
    let records = records::of_series(spec, &fixed.series(plan), levels, &mut noise);
    plan.diagnostics = Some(fixed);
    Ok(records)
}

fn number(what: &'static str, found: f64, holds: bool, expected: &'static str) -> Result<(), SyntheticError> {
    let error = SyntheticError::Number { what, found, expected };
    holds.then_some(()).ok_or(error)
}

/// The random parts, in points.
struct Noise {
    rng: ChaCha20Rng,
    common: Normal<f64>,
    phase: Normal<f64>,
    search: Normal<f64>,
}

impl Noise {
    fn new(spec: &Spec) -> Result<Self, SyntheticError> {
        let normal = |what, sd: f64| {
            number(what, sd, sd.is_finite() && sd >= 0.0, "a finite number from 0 on")?;
            let error = SyntheticError::Number { what, found: sd, expected: "a standard deviation" };
            Normal::new(0.0, sd).map_err(|_| error)
        };
        Ok(Noise {
            rng: ChaCha20Rng::seed_from_u64(spec.seed),
            common: normal("common spread", COMMON_SD)?,
            // A phase value is a difference of two arms.
            phase: normal("noise", spec.noise / std::f64::consts::SQRT_2)?,
            search: normal("jitter", spec.jitter)?,
        })
    }
}
