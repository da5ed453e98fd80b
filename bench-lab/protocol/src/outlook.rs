//! What it would take to resolve a comparison that did not pass.

use crate::calibration::{SD_FLOOR, power, propose_phase_seconds};
use crate::plan::Plan;
use crate::scatter::Scatter;
use crate::statistics::standard_deviation;
use crate::verdict::{Comparison, Reason};
use crate::{PHASES, POSITIVE_RUNS, RUNS};

/// The probability with which the longer trial should prove the gain.
pub const PROBABILITY: f64 = 0.8;

/// What may be expected of a component that did not pass on a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outlook {
    /// So many runs are below zero that it costs speed by the same rule by which others gain.
    CostsSpeed {
        /// Run values above zero.
        positive: usize,
    },
    /// The median gain is not above zero.
    NoGain,
    /// A gain of the measured size needs longer phases.
    Longer {
        /// How many times as long.
        factor: f64,
        /// Nodes of every position then.
        nodes: u64,
        /// Wall seconds of the whole trial then, all lanes together.
        seconds: f64,
    },
    /// Not even endless phases would do: a part of the noise does not shrink with their length.
    OutOfReach {
        /// What the layouts alone scatter it by, percentage points, where that is the most of it.
        layouts: Option<f64>,
    },
    /// It moves data that no draw scatters: no length of phases changes that.
    Unscattered,
}

/// The outlook of a component's comparison on a lane; `None` when it passed, or without a calibration of its lane.
///
/// Taken from the measured spread of the phase values and the measured median gain, as if both were the true ones, and
/// from the comparison's `scatter`, where that is known.
pub fn outlook(plan: &Plan, comparison: &Comparison, scatter: Option<Scatter>) -> Option<Outlook> {
    if comparison.passed {
        return None;
    }
    if comparison.reasons.iter().any(|reason| matches!(reason, Reason::Unscattered { .. })) {
        return Some(Outlook::Unscattered);
    }
    let below = comparison.runs.iter().filter(|&&run| run < 0.0).count();
    if below >= POSITIVE_RUNS {
        return Some(Outlook::CostsSpeed { positive: comparison.positive });
    }
    if comparison.median <= 0.0 {
        return Some(Outlook::NoGain);
    }
    let calibration = plan.calibration.iter().find(|calibration| calibration.lane == comparison.lane)?;
    let sd = standard_deviation(&comparison.phases.concat());
    let wanted = largest_sd(comparison.median, PROBABILITY);
    let layouts = scatter.filter(Scatter::is_of_phases).map(|scatter| scatter.phase);
    let floor = layouts.map_or(SD_FLOOR, |layouts| layouts.max(SD_FLOOR));
    let Some(phase_seconds) = propose_phase_seconds(calibration.phase_seconds, sd, wanted, floor) else {
        return Some(Outlook::OutOfReach { layouts });
    };
    let factor = phase_seconds / calibration.phase_seconds;
    let one_phase: f64 = plan.calibration.iter().map(|calibration| calibration.phase_seconds).sum();
    Some(Outlook::Longer {
        factor,
        nodes: (plan.workload.nodes as f64 * factor).round() as u64,
        seconds: one_phase * factor * (RUNS * PHASES) as f64,
    })
}

/// Largest standard deviation of a phase value with which a gain of `effect` points is proven with `probability`.
///
/// Found by bisection of [`power`], which falls with the standard deviation.
pub(crate) fn largest_sd(effect: f64, probability: f64) -> f64 {
    // With as many points as this the 2.0-point rule fires for certain.
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if power(effect, middle) >= probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::{percent, smallest_provable};
    use crate::plan::without;
    use crate::synthetic::{self, Spec};
    use crate::{Trial, judge};

    #[test]
    fn the_largest_spread_is_the_inverse_of_the_smallest_effect() {
        for sd in [0.05, 0.2, 0.35, 0.5] {
            let provable = smallest_provable(sd, PROBABILITY).expect("within reach");
            let effect = crate::calibration::points(provable);
            assert!((largest_sd(effect, PROBABILITY) - sd).abs() < 1e-6, "{sd}: {}", percent(effect));
        }
        // However large the gain, the 2.0-point rule sets a limit.
        assert!((0.5..0.7).contains(&largest_sd(1e6, PROBABILITY)));
    }

    /// The outlook of the first component with this gain in percent and this noise.
    fn of(gain: f64, noise: f64, seed: u64) -> Option<Outlook> {
        let spec = Spec { noise, jitter: 0.0, ..Spec::new(&[("a", gain), ("b", 3.0)], seed) };
        let (plan, records) = synthetic::trial(&spec).expect("a sound spec");
        let verdict = judge(&plan, &records, "").expect("a complete trial");
        outlook(&plan, &verdict.components[0].lanes[0], None)
    }

    #[test]
    fn what_the_layouts_scatter_stays_however_long_the_phases() {
        let spec = Spec { noise: 1.5, jitter: 0.2, ..Spec::new(&[("a", 2.0), ("b", 3.0)], 4) };
        let (plan, records) = synthetic::trial(&spec).expect("a sound spec");
        let verdict = judge(&plan, &records, "").expect("a complete trial");
        let comparison = &verdict.components[0].lanes[0];
        let scatter =
            Trial::new(&plan, &records).expect("whole").scatter(0, without(0)).expect("two processes");
        match outlook(&plan, comparison, Some(scatter)) {
            Some(Outlook::OutOfReach { layouts: Some(layouts) }) => assert_eq!(layouts, scatter.phase),
            other => panic!("{other:?}"),
        }
        // Without that knowledge longer phases seem to do.
        assert!(matches!(outlook(&plan, comparison, None), Some(Outlook::Longer { .. })));
    }

    #[test]
    fn every_outlook_has_its_reason() {
        assert_eq!(of(2.0, 0.3, 1), None);
        assert_eq!(of(-2.0, 0.3, 1), Some(Outlook::CostsSpeed { positive: 0 }));
        let small = (1..40).find_map(|seed| match of(0.15, 0.5, seed) {
            Some(Outlook::Longer { factor, nodes, seconds }) if factor > 1.5 => {
                Some((factor, nodes, seconds))
            }
            _ => None,
        });
        let (factor, nodes, seconds) = small.expect("a gain below the noise");
        assert_eq!(nodes, (2_000.0 * factor).round() as u64);
        // 12 searches of 2,000 nodes by each of 4 arms at 400,000 a second.
        let phase = 12.0 * 2_000.0 * 4.0 / 400_000.0;
        assert!((seconds - 96.0 * phase * factor).abs() < 1e-6 * seconds);
        let outlooks: Vec<_> = (1..40).filter_map(|seed| of(0.0, 0.3, seed)).collect();
        assert!(outlooks.contains(&Outlook::NoGain), "{outlooks:?}");
        assert!(outlooks.contains(&Outlook::OutOfReach { layouts: None }), "{outlooks:?}");
    }
}
