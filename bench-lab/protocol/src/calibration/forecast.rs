//! What a calibration means for the trial: what wanted gains take, and whether it can succeed at all.

use serde::{Deserialize, Serialize};

use super::layout_share::{LayoutShare, layout_share};
use super::{CalibrationError, SD_FLOOR, TARGET_SD, points, propose_phase_seconds, scatter_risk};
use crate::compare::LEVELS;
use crate::compare::ranks::Ranked;
use crate::compare::size::chi_squared;
use crate::outlook::largest_sd;
use crate::plan::{Calibration, Machine, Tool};
use crate::statistics::mean;
use crate::{PHASES, RUNS};

/// Gains in percent that trials are usually asked for.
pub const GAINS: [f64; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];
/// Probability that the 2.0-point rule fires from which on a trial is hopeless.
pub const CERTAIN: f64 = 0.99;
/// How sure it must be that the noise is that large.
const SURE: f64 = 0.95;

/// Version of [`Aa`].
pub const AA_FORMAT: u32 = 1;

/// A finished A/A measurement: what this machine and a bundle's workload allow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aa {
    /// Version of this structure.
    pub format: u32,
    /// When it began, RFC 3339 in UTC.
    pub created: String,
    /// Name of the bundle.
    pub bundle: String,
    /// Master seed.
    pub seed: u64,
    /// One for every lane.
    pub lanes: Vec<Forecast>,
    /// Wall seconds of a trial on all lanes.
    pub trial_seconds: f64,
    /// Who measured.
    pub tool: Tool,
    /// Facts of the machine.
    pub machine: Machine,
}

/// What a lane allows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    /// The calibration, as a trial would record it.
    pub calibration: Calibration,
    /// 93 % interval of the harness's own bias, percentage points; none from so few phases.
    pub bias_interval: Option<(f64, f64)>,
    /// What layouts do.
    pub layout: LayoutShare,
    /// Length of a phase in seconds with which the 2.0-point rule keeps still; none when no length does.
    pub calm_phase_seconds: Option<f64>,
    /// Whether the 2.0-point rule is bound to fire in a trial with phases as they are.
    pub must_fire: bool,
    /// What wanted gains take.
    pub needs: Vec<Need>,
}

impl Forecast {
    /// From a calibration and phases in which every copy had a draw of its own.
    ///
    /// # Errors
    /// When there are too few of either.
    pub fn new(calibration: Calibration, own: &[Vec<f64>]) -> Result<Forecast, CalibrationError> {
        let each = calibration.values.len().checked_div(calibration.phases).unwrap_or(0).max(1);
        let shared: Vec<Vec<f64>> = calibration.values.chunks(each).map(<[f64]>::to_vec).collect();
        let means: Vec<f64> = shared.iter().map(|values| mean(values)).collect();
        let bias_interval = Ranked::paired(&means).ok().and_then(|ranked| ranked.interval(LEVELS[0]));
        Ok(Forecast {
            bias_interval: bias_interval.map(|(ends, _)| ends),
            layout: layout_share(&calibration.lane, &shared, own)?,
            calm_phase_seconds: calm_phase_seconds(&calibration),
            must_fire: must_fire(&calibration),
            needs: needs(&calibration),
            calibration,
        })
    }

    /// Whether a trial with phases as they are can prove anything, with 80 % probability.
    pub fn can_prove(&self) -> bool {
        self.calibration.provable_80.is_some()
    }
}

/// What it takes to prove a gain of one component on one lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// The gain in percent.
    pub percent: f64,
    /// Seconds of a phase with which it is proven with 80 % probability; none when no length does.
    pub phase_seconds_80: Option<f64>,
    /// The same with 95 % probability.
    pub phase_seconds_95: Option<f64>,
}

/// What every gain of [`GAINS`] takes.
pub fn needs(calibration: &Calibration) -> Vec<Need> {
    let seconds = |percent: f64, probability: f64| {
        let sd = largest_sd(points(percent), probability);
        propose_phase_seconds(calibration.phase_seconds, calibration.sd, sd, SD_FLOOR)
    };
    let need = |percent| Need {
        percent,
        phase_seconds_80: seconds(percent, 0.80),
        phase_seconds_95: seconds(percent, 0.95),
    };
    GAINS.map(need).to_vec()
}

/// Seconds of a trial's phases of this length on one lane.
pub fn trial_seconds(phase_seconds: f64) -> f64 {
    phase_seconds * (RUNS * PHASES) as f64
}

/// The length of a phase in seconds that keeps the 2.0-point rule still, if any does.
pub fn calm_phase_seconds(calibration: &Calibration) -> Option<f64> {
    propose_phase_seconds(calibration.phase_seconds, calibration.sd, TARGET_SD, SD_FLOOR)
}

/// Whether the 2.0-point rule is bound to fire: with a probability of [`CERTAIN`] even if the noise is as small as its measured
/// standard deviation leaves possible (the lower 95 % bound `s · √(f / χ²₀.₉₅(f))`, one degree of freedom a phase: the values of a
/// phase share `full`).
pub fn must_fire(calibration: &Calibration) -> bool {
    let f = calibration.phases.saturating_sub(1).max(1) as f64;
    let least = calibration.sd * (f / chi_squared(SURE, f)).sqrt();
    scatter_risk(least) >= CERTAIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::smallest_provable;

    fn calibration(sd: f64, phases: usize) -> Calibration {
        Calibration {
            lane: "main".into(),
            phases,
            values: vec![0.0; phases],
            sd,
            bias: 0.0,
            phase_seconds: 4.0,
            provable_80: None,
            provable_95: None,
            scatter_risk: scatter_risk(sd),
            pace: None,
        }
    }

    #[test]
    fn a_larger_gain_takes_shorter_phases() {
        let needs = needs(&calibration(0.8, 12));
        let seconds: Vec<f64> =
            needs.iter().map(|need| need.phase_seconds_80.unwrap_or(f64::INFINITY)).collect();
        assert!(seconds.windows(2).all(|pair| pair[0] >= pair[1]), "{seconds:?}");
        assert!(
            needs.iter().all(|need| need.phase_seconds_95.is_none_or(|s| Some(s) >= need.phase_seconds_80))
        );
        // What the phases of that length prove is the gain.
        let quarter = needs[1].phase_seconds_80.expect("a length");
        let sd = (SD_FLOOR.powi(2) + (0.8f64.powi(2) - SD_FLOOR.powi(2)) * 4.0 / quarter).sqrt();
        assert!((smallest_provable(sd, 0.8).expect("provable") - 0.25).abs() < 1e-3);
        // A gain that no phase length proves.
        assert_eq!(super::needs(&calibration(0.8, 12))[0].percent, 0.1);
        assert!(largest_sd(0.001, 0.8) < SD_FLOOR);
    }

    #[test]
    fn long_enough_phases_stay() {
        assert!(needs(&calibration(0.2, 12)).iter().skip(1).all(|need| need.phase_seconds_80 == Some(4.0)));
        assert_eq!(trial_seconds(4.0), 384.0);
        assert_eq!(calm_phase_seconds(&calibration(0.3, 12)), Some(4.0));
        assert!(
            calm_phase_seconds(&calibration(0.8, 12)).is_some_and(|seconds| (16.0..17.5).contains(&seconds))
        );
    }

    #[test]
    fn only_what_is_certain_is_called_so() {
        for (sd, phases, certain) in [
            (0.8, 12, false),
            // A risk of 99 %, but known too roughly.
            (1.0, 12, false),
            (1.5, 12, true),
            (1.5, 4, false),
            (1.2, 1000, true),
            (3.0, 4, true),
        ] {
            assert_eq!(must_fire(&calibration(sd, phases)), certain, "{sd} from {phases} phases");
        }
    }
}
