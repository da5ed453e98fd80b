//! What the simulation counts is what the rules do, and what it finds is what the arithmetic says.

use proptest::prelude::*;
use protocol::calibration::{points, power};
use protocol::plan::{BASE, without};
use protocol::sign_test::{at_least, false_proof};
use protocol::simulation::{Noise, Setting, Tally, simulate};
use protocol::statistics::normal_cdf;
use protocol::synthetic::{self, Spec};
use protocol::{PHASES, POSITIVE_RUNS, RUNS, binomial, judge};

const TRIALS: u64 = 100_000;
/// Probability that a true rate is called wrong, each way.
const MISTAKE: f64 = 1e-4;

fn setting(noise: Noise) -> Setting {
    Setting { noise, sd: 0.35, components: 1, lanes: 1, gains: vec![0.0], threshold_percent: 1.5, seed: 1 }
}

fn run(setting: &Setting, trials: u64) -> Tally {
    simulate(setting, 0..trials).expect("a sound setting")
}

/// 9/256.
fn bound() -> f64 {
    let (part, whole) = false_proof();
    part as f64 / whole as f64
}

fn is_rate(hits: u64, trials: u64, rate: f64) -> bool {
    binomial::at_least(hits, trials, rate) > MISTAKE && binomial::at_most(hits, trials, rate) > MISTAKE
}

#[test]
fn a_worthless_component_passes_as_often_as_the_bound_says() {
    for noise in [
        Noise::Normal,
        Noise::HeavyTailed { freedom: 3.0 },
        Noise::SlowSpells { share: 0.1, phases: 4.0, points: 0.5 },
    ] {
        let tally = run(&setting(noise), TRIALS);
        let count = tally.counts[0];
        assert!(is_rate(count.signs, TRIALS, bound()), "{noise}: {count:?}");
        // With the 2.0-point rule it is the same or less.
        assert!(count.comparison <= count.signs, "{noise}: {count:?}");
        assert!(binomial::at_least(count.comparison, TRIALS, bound()) > MISTAKE, "{noise}: {count:?}");
    }
}

#[test]
fn the_test_of_the_rate_can_fail() {
    for wrong in [bound() * 1.1, bound() * 0.9, 8.0 / 256.0] {
        let count = run(&setting(Noise::Normal), TRIALS).counts[0];
        assert!(!is_rate(count.signs, TRIALS, wrong), "{wrong}");
    }
}

#[test]
fn the_scatter_rule_lowers_the_rate_where_it_fires() {
    let loud = Setting { sd: 0.7, ..setting(Noise::Normal) };
    let count = run(&loud, TRIALS).counts[0];
    assert!(is_rate(count.signs, TRIALS, bound()), "{count:?}");
    assert!((count.comparison as f64) < 0.8 * count.signs as f64, "{count:?}");
    let quiet = Setting { sd: 0.2, ..setting(Noise::Normal) };
    let count = run(&quiet, TRIALS).counts[0];
    assert_eq!(count.comparison, count.signs, "it never fires at 0.2 points");
}

#[test]
fn a_balanced_order_turns_drift_into_caution() {
    let count = run(&setting(Noise::Drift { points: 0.3 }), TRIALS).counts[0];
    assert!((count.signs as f64) < 0.1 * bound() * TRIALS as f64, "{count:?}");
}

#[test]
fn dependent_runs_break_the_bound() {
    let count = run(&setting(Noise::Autocorrelated { correlation: 0.5 }), TRIALS).counts[0];
    assert!(count.signs as f64 > 2.0 * bound() * TRIALS as f64, "{count:?}");
    let none = run(&setting(Noise::Autocorrelated { correlation: 0.0 }), TRIALS).counts[0];
    assert!(is_rate(none.signs, TRIALS, bound()), "{none:?}");
}

#[test]
fn a_constant_bias_passes_as_often_as_a_gain_of_its_size() {
    for bias in [0.05, 0.1, 0.2] {
        let setting = setting(Noise::Bias { points: bias });
        let positive = normal_cdf(bias * (PHASES as f64).sqrt() / setting.sd);
        let expected = at_least(POSITIVE_RUNS, RUNS, positive);
        let count = run(&setting, TRIALS).counts[0];
        assert!(is_rate(count.signs, TRIALS, expected), "{bias}: {count:?}, expected {expected}");
    }
    // The figure of the design: a bias of 0.2 at 0.34 points passes 99 % of the time.
    let count = run(&Setting { sd: 0.34, ..setting(Noise::Bias { points: 0.2 }) }, TRIALS).counts[0];
    assert!((0.98..1.0).contains(&(count.comparison as f64 / TRIALS as f64)), "{count:?}");
}

#[test]
fn one_layout_for_a_whole_trial_breaks_the_bound() {
    let count = run(&setting(Noise::OneLayout { points: 0.37 }), TRIALS).counts[0];
    assert!(count.signs as f64 > 10.0 * bound() * TRIALS as f64, "{count:?}");
}

#[test]
fn power_is_what_the_calibration_promises() {
    let gains = vec![0.05, 0.1, 0.15, 0.3];
    let setting = Setting { gains: gains.clone(), ..setting(Noise::Normal) };
    let tally = run(&setting, 20_000);
    for (gain, count) in gains.into_iter().zip(tally.counts) {
        let promised = power(points(gain), setting.sd);
        // The promise takes the two rules as independent, and the median as the true centre.
        let found = count.comparison as f64 / 20_000.0;
        assert!((found - promised).abs() < 0.015, "{gain}: found {found}, promised {promised}");
    }
}

#[test]
fn one_worthless_part_of_a_good_bundle_passes_no_more_often() {
    let setting = Setting { components: 4, lanes: 2, gains: vec![0.0, 0.6], ..setting(Noise::Normal) };
    let tally = run(&setting, 20_000);
    let good = tally.counts[1];
    assert!(good.proven > 19_000, "{good:?}");
    // On two lanes it has to be lucky twice.
    assert!(is_rate(good.worthless, 20_000, bound() * bound()), "{good:?}");
    assert_eq!(tally.counts[0].proven, 0, "four worthless parts and no gain at all");
    let alone = Setting { lanes: 1, ..setting };
    let good = run(&alone, 20_000).counts[1];
    assert!(is_rate(good.worthless, 20_000, bound()), "{good:?}");
}

#[test]
fn a_bundle_below_its_threshold_is_not_proven() {
    let setting = Setting { components: 2, gains: vec![0.5, 1.0], ..setting(Noise::Normal) };
    let tally = run(&setting, 2_000);
    assert!(tally.counts[0].components > 1_990 && tally.counts[0].proven == 0, "{tally:?}");
    assert!(tally.counts[1].proven > 1_990, "{tally:?}");
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let good = setting(Noise::Normal);
    for (bad, message) in [
        (Setting { sd: -0.1, ..good.clone() }, "standard deviation -0.1: expected points from 0 to 100"),
        (Setting { sd: f64::NAN, ..good.clone() }, "standard deviation NaN: expected points from 0 to 100"),
        (Setting { components: 0, ..good.clone() }, "number of components 0: expected 1 to 64"),
        (Setting { lanes: 65, ..good.clone() }, "number of lanes 65: expected 1 to 64"),
        (Setting { gains: vec![0.1, -51.0], ..good.clone() }, "gain -51: expected percent from -50 to 100"),
        (Setting { threshold_percent: -1.0, ..good.clone() }, "threshold -1: expected percent from 0 to 100"),
        (setting(Noise::HeavyTailed { freedom: 2.0 }), "degrees of freedom 2: expected more than 2"),
        (
            setting(Noise::Autocorrelated { correlation: 1.0 }),
            "correlation of runs 1: expected between -1 and 1",
        ),
        (
            setting(Noise::SlowSpells { share: 1.0, phases: 4.0, points: 1.0 }),
            "share of slow phases 1: expected 0 to below 1",
        ),
        (
            setting(Noise::SlowSpells { share: 0.9, phases: 4.0, points: 1.0 }),
            "length of a slow spell 4: expected at least 1 phase, more for a large share",
        ),
        (setting(Noise::OneLayout { points: -1.0 }), "deviation between layouts -1: expected 0 to 100"),
    ] {
        assert_eq!(simulate(&bad, 0..1).expect_err("refused").to_string(), message);
    }
}

/// One simulated trial as records, through the whole judge.
fn judged(setting: &Setting, trial: u64) -> (bool, bool, bool) {
    let gain = setting.gains[0];
    let names: Vec<String> = (0..setting.components).map(|number| format!("part-{number}")).collect();
    let parts: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), gain)).collect();
    let mut spec = Spec { threshold_percent: setting.threshold_percent, ..Spec::new(&parts, 5) };
    for lane in 1..setting.lanes {
        spec = spec.with_lane(&format!("lane-{lane}"), &vec![gain; setting.components]);
    }
    let (plan, mut records) = synthetic::trial(&spec).expect("a sound spec");
    let lanes = setting.levels(trial).expect("a sound setting");
    for record in &mut records {
        let lane = plan.lanes.iter().position(|lane| lane.name == record.lane).expect("a lane");
        let arm = plan.arms.iter().position(|arm| arm.name == record.arm).expect("an arm");
        let phase = (record.run - 1) * PHASES + record.phase - 1;
        let parts = match arm {
            BASE => 0,
            arm if arm >= without(0) => setting.components - 1,
            _ => setting.components,
        };
        let level = lanes[lane].of(arm)[phase] + parts as f64 * points(gain);
        for search in &mut record.searches {
            search.cpu_ns = (search.nodes as f64 * 1e6 / (level / 100.0).exp()).round() as u64;
        }
        record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
    }
    let verdict = judge(&plan, &records, "").expect("a complete trial");
    (
        verdict.components[0].lanes[0].passed,
        verdict.components.iter().all(|component| component.passed),
        verdict.proven,
    )
}

#[test]
fn a_simulated_trial_is_judged_as_its_records_would_be() {
    let mut seen = [0; 3];
    for noise in [Noise::Normal, Noise::Drift { points: 0.1 }, Noise::HeavyTailed { freedom: 3.0 }] {
        let setting =
            Setting { components: 2, lanes: 2, gains: vec![0.14], threshold_percent: 0.2, ..setting(noise) };
        for trial in 0..12 {
            let count = simulate(&setting, trial..trial + 1).expect("a sound setting").counts[0];
            let simulated = (count.comparison == 1, count.components == 1, count.proven == 1);
            assert_eq!(simulated, judged(&setting, trial), "{noise}, trial {trial}");
            for (seen, yes) in seen.iter_mut().zip([simulated.0, simulated.1, simulated.2]) {
                *seen += i32::from(yes);
            }
        }
    }
    // Every answer was given both ways, or the comparison says nothing.
    assert!(seen.iter().all(|seen| (1..36).contains(seen)), "{seen:?}");
}

fn noises() -> impl Strategy<Value = Noise> {
    prop_oneof![
        Just(Noise::Normal),
        (2.1..20.0).prop_map(|freedom| Noise::HeavyTailed { freedom }),
        (0.0..0.6, 2.0..20.0, 0.0..2.0).prop_map(|(share, phases, points)| Noise::SlowSpells {
            share,
            phases,
            points
        }),
        (-1.0..1.0).prop_map(|points| Noise::Drift { points }),
        (-0.9..0.9).prop_map(|correlation| Noise::Autocorrelated { correlation }),
        (-1.0..1.0).prop_map(|points| Noise::Bias { points }),
        (0.0..1.0).prop_map(|points| Noise::OneLayout { points }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_further_demand_lowers_the_rate_and_each_gain_raises_it(
        noise in noises(),
        sd in 0.0..1.2,
        components in 1usize..4,
        lanes in 1usize..3,
        seed in any::<u64>(),
    ) {
        let gains = vec![-0.2, 0.0, 0.1, 0.4];
        let setting = Setting { noise, sd, components, lanes, gains, threshold_percent: 0.1, seed };
        let tally = run(&setting, 150);
        for count in &tally.counts {
            prop_assert!(count.comparison <= count.signs);
            prop_assert!(count.components <= count.comparison);
            prop_assert!(count.proven <= count.components);
        }
        for pair in tally.counts.windows(2) {
            prop_assert!(pair[0].signs <= pair[1].signs);
            prop_assert!(pair[0].comparison <= pair[1].comparison);
            prop_assert!(pair[0].components <= pair[1].components);
            prop_assert!(pair[0].proven <= pair[1].proven);
        }
    }

    #[test]
    fn trials_can_be_shared_out(noise in noises(), seed in any::<u64>(), cut in 0u64..60) {
        let setting = Setting { gains: vec![0.0, 0.1], seed, ..setting(noise) };
        let mut parts = simulate(&setting, cut..60).expect("a sound setting");
        parts += &simulate(&setting, 0..cut).expect("a sound setting");
        prop_assert_eq!(parts, run(&setting, 60));
    }
}
