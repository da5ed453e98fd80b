//! What a short A/A measurement says about the trial to come.
//!
//! Values are phase values of two copies of one arm, in percentage points. `s` is their standard
//! deviation; a run value, the mean of twelve, has `s / √12`, taken to be normal.

pub mod forecast;
pub mod layout_share;

use crate::plan::Calibration;
use crate::sign_test::at_least;
use crate::statistics::{mean, normal_cdf, standard_deviation};
use crate::{MAX_DEVIATION, PHASES, POSITIVE_RUNS, RUNS};

/// A phase value's standard deviation that a trial should stay below, percentage points.
pub const TARGET_SD: f64 = 0.4;
/// The part of a phase value's standard deviation that longer phases don't remove, percentage
/// points: about what page placement and layout leave (experiments saw 0.10 to 0.14 at 10 s).
pub const SD_FLOOR: f64 = 0.1;

/// Why an A/A measurement says nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// Too few phases in one of the two roles.
    #[error(
        "calibration of lane {lane}: {plain} phases in plain and {swapped} in swapped roles, expected at least 2 of each"
    )]
    TooFew {
        /// Lane name.
        lane: String,
        /// Phases in plain roles.
        plain: usize,
        /// Phases in swapped roles.
        swapped: usize,
    },
    /// A value that is no finite number.
    #[error("calibration of lane {lane}, phase {phase}: value {value}, expected a finite number")]
    NotFinite {
        /// Lane name.
        lane: String,
        /// Phase, from 1.
        phase: usize,
        /// The value.
        value: f64,
    },
}

/// One A/A phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Phase value of the first role against the second, percentage points.
    pub value: f64,
    /// Whether the two copies had changed roles.
    pub swapped: bool,
}

/// Sums up an A/A measurement of one lane whose phases took `phase_seconds` each.
///
/// # Errors
/// With fewer than two phases in plain or in swapped roles, or a value that is not finite.
pub fn calibrate(
    lane: &str,
    samples: &[Sample],
    phase_seconds: f64,
) -> Result<Calibration, CalibrationError> {
    for (phase, sample) in (1..).zip(samples) {
        if !sample.value.is_finite() {
            return Err(CalibrationError::NotFinite { lane: lane.to_owned(), phase, value: sample.value });
        }
    }
    let swapped = samples.iter().filter(|sample| sample.swapped).count();
    let plain = samples.len() - swapped;
    if plain < 2 || swapped < 2 {
        return Err(CalibrationError::TooFew { lane: lane.to_owned(), plain, swapped });
    }
    let values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
    let sd = standard_deviation(&values);
    Ok(Calibration {
        lane: lane.to_owned(),
        phases: samples.len(),
        sd,
        bias: bias(samples).harness,
        phase_seconds,
        provable_80: smallest_provable(sd, 0.80),
        provable_95: smallest_provable(sd, 0.95),
        scatter_risk: scatter_risk(sd),
        values,
        pace: None,
    })
}

/// What is not noise in an A/A measurement, percentage points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// What the first role is favoured by, whichever copy plays it: the harness's own bias, and
    /// what a real comparison would be wrong by.
    pub harness: f64,
    /// What the first copy is favoured by, whichever role it plays.
    pub copy: f64,
}

/// Splits the means in plain and in swapped roles into their half sum and half difference.
/// NaN when one of the two has no phase.
pub fn bias(samples: &[Sample]) -> Bias {
    let mean_of = |swapped: bool| {
        let chosen = samples.iter().filter(|sample| sample.swapped == swapped);
        mean(&chosen.map(|sample| sample.value).collect::<Vec<_>>())
    };
    let (plain, swapped) = (mean_of(false), mean_of(true));
    Bias { harness: (plain + swapped) / 2.0, copy: (plain - swapped) / 2.0 }
}

/// Probability that one component passes on one lane when its true effect is `effect` points and
/// a phase value has standard deviation `sd`: seven of eight run values above zero, each with
/// probability `Φ(effect · √12 / sd)`, times the probability that the 2.0-point rule keeps still,
/// taken as independent.
pub fn power(effect: f64, sd: f64) -> f64 {
    let positive =
        if sd > 0.0 { normal_cdf(effect * (PHASES as f64).sqrt() / sd) } else { f64::from(effect > 0.0) };
    at_least(POSITIVE_RUNS, RUNS, positive) * (1.0 - scatter_risk(sd))
}

/// Smallest gain in percent that one component on one lane is proven with, with probability
/// `probability`; `None` when the 2.0-point rule alone fires too often, or `sd` is no number.
///
/// Found by bisection of [`power`], which grows with the effect.
pub fn smallest_provable(sd: f64, probability: f64) -> Option<f64> {
    // At ten standard deviations every run value is positive as far as a double can tell.
    let (mut low, mut high) = (0.0, 10.0 * sd);
    let reachable = high.is_finite() && 1.0 - scatter_risk(sd) > probability;
    if !reachable {
        return None;
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if power(middle, sd) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(percent(high))
}

/// Probability that noise alone puts at least one of the 96 phase values of a component and lane
/// more than 2.0 points from the median of its run: `1 − (1 − 2 Φ(−2.0 / sd))⁹⁶`.
///
/// An approximation: phase values are taken as independent normals, and the median of twelve as
/// their true centre.
pub fn scatter_risk(sd: f64) -> f64 {
    if sd <= 0.0 {
        return 0.0;
    }
    let one = 2.0 * normal_cdf(-MAX_DEVIATION / sd);
    1.0 - (1.0 - one).powi((RUNS * PHASES) as i32)
}

/// The phase length in seconds that brings the standard deviation of a phase value from `sd` at
/// `phase_seconds` down to `target`, never shorter than `phase_seconds`; `None` when not even an
/// endless phase would.
///
/// The variance is taken as a part that falls with one over the length and `floor²`, which stays.
pub fn propose_phase_seconds(phase_seconds: f64, sd: f64, target: f64, floor: f64) -> Option<f64> {
    if sd <= target {
        return Some(phase_seconds);
    }
    let (falls, room) = (sd.powi(2) - floor.powi(2), target.powi(2) - floor.powi(2));
    (floor < target && sd.is_finite()).then(|| phase_seconds * falls / room)
}

/// Points as a gain in percent: `100 · (exp(points / 100) − 1)`.
pub fn percent(points: f64) -> f64 {
    100.0 * (points / 100.0).exp_m1()
}

/// A gain in percent as points: `100 · ln(1 + percent / 100)`.
pub fn points(percent: f64) -> f64 {
    100.0 * (percent / 100.0).ln_1p()
}
