//! What a comparison says is true as often as it says: by simulation, on normal and on heavy-tailed values.

use proptest::prelude::*;
use protocol::compare::ranks::Ranked;
use protocol::compare::{Estimate, LEVELS, Outcome, size};
use protocol::statistics::{mean, standard_deviation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal, StudentT};

const TRIES: usize = 20_000;

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// Two degrees of freedom: the variance is infinite.
fn student(rng: &mut ChaCha20Rng) -> f64 {
    StudentT::new(2.0).expect("a distribution").sample(rng)
}

/// One value in ten comes from a slow spell that is ten times as wide.
fn spells(rng: &mut ChaCha20Rng) -> f64 {
    let wide = if rng.random_range(0..10) == 0 { 10.0 } else { 1.0 };
    wide * normal(rng)
}

/// The share of tries in which something is so, and four standard errors of it where `expected` is true.
fn share(expected: f64, mut is_so: impl FnMut(&mut ChaCha20Rng) -> bool) -> (f64, f64) {
    let mut rng = ChaCha20Rng::seed_from_u64(2026);
    let count = (0..TRIES).filter(|_| is_so(&mut rng)).count();
    (count as f64 / TRIES as f64, 4.0 * (expected * (1.0 - expected) / TRIES as f64).sqrt())
}

type Draw = fn(&mut ChaCha20Rng) -> f64;
const KINDS: [(&str, Draw); 3] =
    [("normal", normal), ("two degrees of freedom", student), ("slow spells", spells)];

#[test]
fn intervals_of_phases_cover_as_often_as_they_say() {
    const SHIFT: f64 = 0.3;
    for (kind, draw) in KINDS {
        for n in [12, 17] {
            for level in LEVELS {
                let one = |rng: &mut ChaCha20Rng| {
                    let values: Vec<f64> = (0..n).map(|_| SHIFT + draw(rng)).collect();
                    Ranked::paired(&values).expect("values").interval(level).expect("an interval")
                };
                let covers = one(&mut ChaCha20Rng::seed_from_u64(0)).1;
                assert!((level..level + 0.01).contains(&covers), "{n} values at {level}: {covers}");
                let (found, error) = share(covers, |rng| {
                    let ((low, high), _) = one(rng);
                    (low..=high).contains(&SHIFT)
                });
                assert!((found - covers).abs() < error, "{kind}, {n} values: {found} instead of {covers}");
            }
        }
    }
}

#[test]
fn intervals_of_runs_without_pairs_cover_as_often_as_they_say() {
    const SHIFT: f64 = -1.5;
    for (kind, draw) in KINDS {
        for (m, n) in [(7, 7), (5, 9)] {
            let one = |rng: &mut ChaCha20Rng| {
                let a: Vec<f64> = (0..m).map(|_| draw(rng)).collect();
                let b: Vec<f64> = (0..n).map(|_| SHIFT + draw(rng)).collect();
                Ranked::unpaired(&a, &b).expect("values").interval(0.93).expect("an interval")
            };
            let covers = one(&mut ChaCha20Rng::seed_from_u64(0)).1;
            let (found, error) = share(covers, |rng| {
                let ((low, high), _) = one(rng);
                (low..=high).contains(&SHIFT)
            });
            assert!(covers >= 0.93 && (found - covers).abs() < error, "{kind}: {found} instead of {covers}");
        }
    }
}

#[test]
fn confidence_is_wrong_as_often_as_it_says() {
    for (kind, draw) in KINDS {
        for sure in [0.9, 0.95, 0.99] {
            // The true gain is zero: how often is it said, with this confidence, that there is one?
            let (found, error) = share(1.0 - sure, |rng| {
                let values: Vec<f64> = (0..24).map(|_| draw(rng)).collect();
                Ranked::paired(&values).expect("values").above(0.0) > sure
            });
            assert!((found - (1.0 - sure)).abs() < error + 0.001, "{kind}, {sure}: {found}");
        }
    }
}

#[test]
fn the_wanted_resolution_is_reached_in_four_of_five() {
    const SD: f64 = 0.4;
    let (found, error) = share(0.8, |rng| {
        let calibration: Vec<f64> = (0..10).map(|_| SD * normal(rng)).collect();
        let phases = size::phases(standard_deviation(&calibration), 9, 0.25);
        let values: Vec<f64> = (0..phases).map(|_| SD * normal(rng)).collect();
        let ((low, high), _) = Ranked::paired(&values).expect("values").interval(0.93).expect("an interval");
        (high - low) / 2.0 <= 0.25
    });
    // Never fewer phases than the least number: that helps.
    assert!((0.8 - error..0.92).contains(&found), "{found}");
}

/// A pair of builds with one layout each, and the same source under drawn layouts: +0.56 with certainty, then −0.55.
#[test]
fn layout_luck_is_certain_in_one_layout_and_gone_under_drawn_ones() {
    const NOISE: f64 = 0.2;
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let mut measured = |offset: &mut dyn FnMut(&mut ChaCha20Rng) -> f64| {
        let values: Vec<f64> = (0..16).map(|_| offset(&mut rng) + NOISE * normal(&mut rng)).collect();
        Estimate::paired(&values).expect("an estimate")
    };
    let (first, second) = (measured(&mut |_| 0.56), measured(&mut |_| -0.55));
    let drawn = measured(&mut |rng| 0.5 * normal(rng));
    assert_eq!(
        [&first, &second, &drawn].map(Estimate::outcome),
        [Outcome::Faster, Outcome::Slower, Outcome::NotResolved]
    );
    // Even the 99 % intervals of the fixed layouts contradict each other.
    assert!(first.intervals[1].percent.is_some_and(|(low, _)| low > 0.0));
    assert!(second.intervals[1].percent.is_some_and(|(_, high)| high < 0.0));
}

#[test]
fn fresh_copies_scatter_the_offset_of_one_file() {
    // One pair of files keeps its offset, up to 0.45 points; every phase's own copies have another one.
    let wrong = |fresh: bool| {
        let (found, _) = share(0.5, |rng| {
            let mut kept = 0.3 * normal(rng);
            let values: Vec<f64> = (0..12)
                .map(|_| {
                    kept = if fresh { 0.3 * normal(rng) } else { kept };
                    kept + 0.15 * normal(rng)
                })
                .collect();
            Estimate::paired(&values).expect("an estimate").outcome() != Outcome::NotResolved
        });
        found
    };
    let (kept, fresh) = (wrong(false), wrong(true));
    assert!(kept > 0.6, "one file: {kept}");
    assert!((fresh - 0.07).abs() < 0.01, "fresh copies: {fresh}");
}

proptest! {
    #[test]
    fn swapping_turns_everything_round(values in prop::collection::vec(-50.0f64..50.0, 8..40)) {
        let turned: Vec<f64> = values.iter().map(|value| -value).collect();
        let (one, other) = (Ranked::paired(&values).expect("values"), Ranked::paired(&turned).expect("values"));
        prop_assert!((one.estimate() + other.estimate()).abs() < 1e-9);
        let ((low, high), covers) = one.interval(0.93).expect("an interval");
        let ((turned_low, turned_high), turned_covers) = other.interval(0.93).expect("an interval");
        prop_assert!((low + turned_high).abs() < 1e-9 && (high + turned_low).abs() < 1e-9);
        prop_assert_eq!(covers, turned_covers);
        prop_assert!((one.above(0.7) + other.above(-0.7) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_shift_shifts_and_order_does_not_matter(
        values in prop::collection::vec(-5.0f64..5.0, 8..40), shift in -20.0f64..20.0,
    ) {
        let mut shifted: Vec<f64> = values.iter().map(|value| value + shift).collect();
        shifted.reverse();
        let (one, other) = (Ranked::paired(&values).expect("values"), Ranked::paired(&shifted).expect("values"));
        prop_assert!((one.estimate() + shift - other.estimate()).abs() < 1e-9);
        let ((low, high), _) = one.interval(0.99).expect("an interval");
        let ((shifted_low, shifted_high), _) = other.interval(0.99).expect("an interval");
        prop_assert!((low + shift - shifted_low).abs() < 1e-9 && (high + shift - shifted_high).abs() < 1e-9);
    }

    #[test]
    fn intervals_nest_and_confidence_falls(values in prop::collection::vec(-5.0f64..5.0, 8..40)) {
        let ranked = Ranked::paired(&values).expect("values");
        let ((low, high), _) = ranked.interval(0.93).expect("an interval");
        let ((wide_low, wide_high), _) = ranked.interval(0.99).expect("an interval");
        prop_assert!(wide_low <= low && low <= ranked.estimate());
        prop_assert!(ranked.estimate() <= high && high <= wide_high);
        let confidence: Vec<f64> = (-60..60).map(|gain| ranked.above(f64::from(gain) / 10.0)).collect();
        prop_assert!(confidence.windows(2).all(|pair| pair[0] >= pair[1]));
        prop_assert!(confidence.iter().all(|p| (0.0..=1.0).contains(p)));
        // The interval is the confidence distribution's.
        prop_assert!(ranked.above(low - 1e-9) > 0.96 && ranked.above(high + 1e-9) < 0.04);
    }

    #[test]
    fn few_values_give_no_interval_they_cannot_give(values in prop::collection::vec(-5.0f64..5.0, 2..8)) {
        let ranked = Ranked::paired(&values).expect("values");
        let reachable = 1.0 - 2.0 * 0.5f64.powi(values.len() as i32);
        for level in LEVELS {
            prop_assert_eq!(ranked.interval(level).is_some(), reachable >= level);
        }
    }
}

#[test]
fn percent_of_the_result_is_percent_of_speed() {
    // Twice as fast in every phase: 100 · ln 2 points.
    let estimate = Estimate::paired(&[100.0 * 2f64.ln(); 12]).expect("an estimate");
    assert!((estimate.percent - 100.0).abs() < 1e-9);
    assert!(estimate.faster.iter().all(|faster| faster.probability > 0.999), "{estimate:?}");
    assert_eq!(estimate.half_width(), Some(0.0));
    assert!((mean(&estimate.faster.iter().map(|f| f.by_percent).collect::<Vec<_>>()) - 0.4375).abs() < 1e-12);
}
