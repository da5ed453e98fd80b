//! The arithmetic of calibration against published figures and against the rules themselves.

use proptest::prelude::*;
use protocol::calibration::{
    CalibrationError, SD_FLOOR, Sample, TARGET_SD, bias, calibrate, percent, points, power,
    propose_phase_seconds, scatter_risk, smallest_provable,
};
use protocol::judge::{Bar, Finding};
use protocol::verdict::Reason;
use protocol::{PHASES, RUNS};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

/// Shares of simulated components that pass, and that break the 2.0-point rule.
fn simulated(effect: f64, sd: f64, trials: usize, seed: u64) -> (f64, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let normal = Normal::new(effect, sd).expect("a standard deviation");
    let (mut passed, mut scattered) = (0, 0);
    for _ in 0..trials {
        let phases = (0..RUNS).map(|_| (0..PHASES).map(|_| normal.sample(&mut rng)).collect()).collect();
        let finding = Finding::new(phases, Bar::Component);
        passed += usize::from(finding.reasons.is_empty());
        let is_scatter = |reason: &Reason| matches!(reason, Reason::TooScattered { .. });
        scattered += usize::from(finding.reasons.iter().any(is_scatter));
    }
    let share = |count: usize| count as f64 / trials as f64;
    (share(passed), share(scattered))
}

/// Four standard errors of a share.
fn error(share: f64, trials: usize) -> f64 {
    4.0 * (share * (1.0 - share) / trials as f64).sqrt()
}

#[test]
fn the_rule_is_wrong_about_nothing_nine_times_in_256() {
    let trials = 20_000;
    let (passed, _) = simulated(0.0, 0.35, trials, 20);
    let expected = 9.0 / 256.0;
    assert!((passed - expected).abs() < error(expected, trials), "{passed}");
}

#[test]
fn power_agrees_with_the_rules() {
    let trials = 6_000;
    for (effect, sd) in [(0.05, 0.3), (0.126, 0.35), (0.2, 0.35), (0.15, 0.5)] {
        let (passed, _) = simulated(effect, sd, trials, 21);
        let expected = power(effect, sd);
        let allowed = error(expected, trials) + 0.005;
        assert!((passed - expected).abs() < allowed, "{effect} {sd}: {passed} {expected}");
    }
}

#[test]
fn scatter_risk_has_the_published_figures() {
    for (sd, risk, digit) in
        [(0.5, 0.006, 0.0005), (0.6, 0.08, 0.005), (0.7, 0.34, 0.005), (1.0, 0.99, 0.005)]
    {
        let found = scatter_risk(sd);
        assert!((found - risk).abs() <= digit, "sd {sd}: {found}");
    }
    assert_eq!(scatter_risk(0.0), 0.0);
}

#[test]
fn scatter_risk_is_near_what_the_rule_does() {
    let trials = 4_000;
    for sd in [0.5, 0.6, 0.7, 1.0] {
        let (_, scattered) = simulated(1.0, sd, trials, 22);
        let expected = scatter_risk(sd);
        // The median of twelve is no fixed centre: the approximation is a little off.
        assert!((scattered - expected).abs() < 0.06, "sd {sd}: {scattered} {expected}");
    }
}

#[test]
fn smallest_provable_effect_has_the_published_figures() {
    // "80 % power at about 0.36 s, 0.13 % at s = 0.35".
    let found = smallest_provable(0.35, 0.80).expect("quiet enough");
    assert!((found - 0.13).abs() < 0.005, "{found}");
    let ratio = points(smallest_provable(0.1, 0.80).expect("quiet enough")) / 0.1;
    assert!((ratio - 0.363).abs() < 0.001, "{ratio}");
    let more = smallest_provable(0.35, 0.95).expect("quiet enough");
    assert!(more > found);
    // A fixed bias of 0.2 at s = 0.34 passes 99 % of the time.
    assert!((power(0.2, 0.34) - 0.99).abs() < 0.01);
}

#[test]
fn noise_that_breaks_the_rule_leaves_nothing_provable() {
    assert_eq!(smallest_provable(0.7, 0.80), None);
    assert!(smallest_provable(0.6, 0.80).is_some());
    assert_eq!(smallest_provable(0.6, 0.95), None);
    assert_eq!(smallest_provable(f64::NAN, 0.80), None);
    assert_eq!(smallest_provable(0.0, 0.80), Some(0.0));
}

#[test]
fn roles_and_copies_are_told_apart() {
    let sample = |value, swapped| Sample { value, swapped };
    // The role is worth 0.3 and the copy 0.1.
    let samples = [sample(0.4, false), sample(0.2, true), sample(0.4, false), sample(0.2, true)];
    let found = bias(&samples);
    assert!((found.harness - 0.3).abs() < 1e-12 && (found.copy - 0.1).abs() < 1e-12);
    // Unequal numbers don't let the copy leak into the harness's bias.
    let found = bias(&samples[..3]);
    assert!((found.harness - 0.3).abs() < 1e-12);
}

#[test]
fn a_calibration_sums_up_its_values() {
    let values = [0.1, -0.3, 0.2, 0.4];
    let samples: Vec<Sample> = (values.iter().zip([false, true, false, true]))
        .map(|(&value, swapped)| Sample { value, swapped })
        .collect();
    let found = calibrate("main", &samples, 3.5).expect("enough phases");
    assert_eq!((found.lane.as_str(), found.phases), ("main", 4));
    assert_eq!((found.values.as_slice(), found.phase_seconds), (values.as_slice(), 3.5));
    assert!((found.bias - 0.1).abs() < 1e-12);
    assert!((found.sd - (0.26f64 / 3.0).sqrt()).abs() < 1e-12);
    assert_eq!(found.provable_80, smallest_provable(found.sd, 0.80));
    assert_eq!(found.provable_95, smallest_provable(found.sd, 0.95));
    assert_eq!(found.scatter_risk, scatter_risk(found.sd));
}

#[test]
fn too_little_or_undefined_calibration_is_refused() {
    let sample = |value, swapped| Sample { value, swapped };
    let fault = calibrate("main", &[sample(0.0, false); 5], 1.0).expect_err("no swapped roles");
    assert_eq!(fault, CalibrationError::TooFew { lane: "main".to_owned(), plain: 5, swapped: 0 });
    let samples = [sample(0.0, false), sample(f64::INFINITY, true)];
    let fault = calibrate("main", &samples, 1.0).expect_err("an infinite value");
    assert_eq!(fault.to_string(), "calibration of lane main, phase 2: value inf, expected a finite number");
}

#[test]
fn longer_phases_are_proposed_where_they_help() {
    let propose = |sd| propose_phase_seconds(3.0, sd, TARGET_SD, SD_FLOOR);
    assert_eq!(propose(0.35), Some(3.0));
    let found = propose(0.8).expect("longer phases help");
    assert!((found - 3.0 * (0.64 - 0.01) / (0.16 - 0.01)).abs() < 1e-9);
    // Without a floor: half the deviation in four times the time.
    let found = propose_phase_seconds(3.0, 0.8, 0.4, 0.0).expect("longer phases help");
    assert!((found - 12.0).abs() < 1e-9);
    assert_eq!(propose_phase_seconds(3.0, 0.8, 0.4, 0.4), None);
    assert_eq!(propose(f64::NAN), None);
}

proptest! {
    #[test]
    fn the_smallest_provable_effect_is_provable_and_no_smaller_one(
        sd in 0.01f64..0.6,
        probability in 0.5f64..0.9,
    ) {
        let found = points(smallest_provable(sd, probability).expect("quiet enough"));
        prop_assert!(power(found * 1.000_001, sd) >= probability);
        prop_assert!(power(found * 0.999_999, sd) <= probability);
    }

    #[test]
    fn points_and_percent_are_inverse(gain in -50f64..100.0) {
        prop_assert!((percent(points(gain)) - gain).abs() < 1e-9);
    }
}
