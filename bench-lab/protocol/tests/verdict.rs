//! The rules, on tables made by hand.

use protocol::judge::{Bar, Finding};
use protocol::plan::PartState;
use protocol::record::Unscattered;
use protocol::synthetic::{self, Spec};
use protocol::verdict::Reason;
use protocol::{MAX_DEVIATION, PHASES, ProcessRecord, judge};

/// Eight runs whose twelve phase values are all alike.
fn flat(runs: [f64; 8]) -> Vec<Vec<f64>> {
    runs.iter().map(|&value| vec![value; PHASES]).collect()
}

#[test]
fn seven_of_eight_passes() {
    let finding = Finding::new(flat([1.0, 1.0, 1.0, -9.0, 1.0, 1.0, 0.25, 1.0]), Bar::Component);
    assert_eq!(finding.positive, 7);
    assert_eq!(finding.reasons, []);
}

#[test]
fn six_of_eight_fails() {
    let finding = Finding::new(flat([1.0, 1.0, -0.25, -0.25, 1.0, 1.0, 1.0, 1.0]), Bar::Component);
    assert_eq!(finding.reasons, [Reason::NotPositive { positive: 6 }]);
}

#[test]
fn zero_is_not_positive() {
    let finding = Finding::new(flat([0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), Bar::Component);
    assert_eq!(finding.reasons, [Reason::NotPositive { positive: 6 }]);
    let least = f64::MIN_POSITIVE * 64.0;
    let finding = Finding::new(flat([0.0, least, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), Bar::Component);
    assert_eq!(finding.reasons, []);
}

#[test]
fn a_run_value_is_the_mean_of_its_phases() {
    let mut phases = flat([1.0; 8]);
    // Eleven phases above zero and a mean of exactly zero.
    phases[2] = vec![0.125; PHASES];
    phases[2][4] = -1.375;
    let finding = Finding::new(phases, Bar::Component);
    assert_eq!(finding.runs[2], 0.0);
    assert_eq!((finding.positive, finding.reasons.len()), (7, 0));
}

#[test]
fn a_deviation_of_exactly_two_passes_and_more_fails() {
    let mut phases = flat([1.0; 8]);
    phases[4][9] = 1.0 + MAX_DEVIATION;
    let finding = Finding::new(phases.clone(), Bar::Component);
    assert_eq!((finding.largest_deviation, finding.reasons.len()), (2.0, 0));

    phases[4][9] = 3.01;
    let deviation = 3.01 - 1.0;
    let finding = Finding::new(phases.clone(), Bar::Component);
    let scattered = Reason::TooScattered { run: 5, phase: 10, deviation };
    assert_eq!(finding.reasons, [scattered]);
    assert!((finding.largest_deviation - 2.01).abs() < 1e-12);

    phases[4][9] = -1.01;
    assert_eq!(Finding::new(phases, Bar::Component).reasons.len(), 1);
}

#[test]
fn the_deviation_is_from_the_runs_own_median() {
    // Runs far from each other, each close together, and a median between two middle values.
    let mut phases = flat([1.0, 9.0, 1.0, 9.0, 1.0, 9.0, 1.0, 9.0]);
    for value in &mut phases[0][..6] {
        *value = 4.0;
    }
    let finding = Finding::new(phases.clone(), Bar::Component);
    assert_eq!((finding.largest_deviation, finding.reasons.len()), (1.5, 0));
    // One more at the other side moves the median from 2.5 to 4.
    phases[0][6] = 4.0;
    let finding = Finding::new(phases, Bar::Component);
    assert_eq!((finding.largest_deviation, finding.reasons.len()), (3.0, 5));
}

#[test]
fn the_bundle_must_exceed_its_threshold_and_may_scatter() {
    let bar = Bar::Bundle { threshold_percent: 1.5 };
    let points = 100.0 * 1.015f64.ln();
    assert!((bar.points() - points).abs() < 1e-12);
    // One run at nothing, so that seven need this one; phases that would scatter a component.
    let finding = |value: f64| {
        let mut phases = flat([value, 0.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]);
        phases[2][3] += 5.0;
        phases[2][4] -= 5.0;
        Finding::new(phases, bar)
    };
    let below = finding(bar.points() - 1e-9);
    assert_eq!(below.reasons, [Reason::NotPositive { positive: 6 }]);
    let above = finding(bar.points() + 1e-9);
    assert_eq!((above.positive, above.reasons.len()), (7, 0));
    assert_eq!(above.largest_deviation, 5.0);
}

#[test]
fn a_bundle_at_its_threshold_is_not_above_it() {
    let bar = Bar::Bundle { threshold_percent: 0.0 };
    let finding = Finding::new(flat([0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), bar);
    assert_eq!(finding.reasons, [Reason::NotPositive { positive: 6 }]);
}

fn quiet(components: &[(&str, f64)], seed: u64) -> Spec {
    Spec { noise: 0.0, jitter: 0.0, ..Spec::new(components, seed) }
}

#[test]
fn true_gains_are_proven_and_measured() {
    let spec = Spec::new(&[("a", 1.0), ("b", 2.0)], 1);
    let (plan, records) = synthetic::trial(&spec).expect("a sound spec");
    let verdict = judge(&plan, &records, "digest").expect("a complete trial");
    assert!(verdict.proven && verdict.bundle.passed);
    assert_eq!(verdict.records_sha256, "digest");
    assert_eq!(verdict.plan_id, protocol::plan_id(&plan).expect("canonical"));
    for (component, gain) in verdict.components.iter().zip([1.0f64, 2.0]) {
        let comparison = &component.lanes[0];
        let truth = 100.0 * (gain / 100.0).ln_1p();
        assert!((comparison.median - truth).abs() < 0.15, "{comparison:?}");
        assert!((comparison.trimmed_median - truth).abs() < 0.15);
        assert!(comparison.interval.0 <= comparison.median);
        assert!(comparison.median <= comparison.interval.1);
        assert_eq!(comparison.later_runs.iter().filter(|&&later| later).count(), 4);
        assert_eq!(comparison.against, format!("without:{}", component.component));
    }
    assert_eq!(verdict.bundle.lanes[0].against, "base");
    let bundle = 100.0 * (1.01f64 * 1.02).ln();
    assert!((verdict.bundle.lanes[0].median - bundle).abs() < 0.15);
}

#[test]
fn one_lane_that_fails_fails_the_component() {
    let spec = quiet(&[("a", 3.0), ("b", 2.0)], 1).with_lane("other", &[3.0, -0.1]);
    let (plan, records) = synthetic::trial(&spec).expect("a sound spec");
    let verdict = judge(&plan, &records, "").expect("a complete trial");
    let passed = |component: usize| -> Vec<bool> {
        let lanes = verdict.components[component].lanes.iter();
        lanes.map(|lane| lane.passed).collect()
    };
    assert_eq!((passed(0), passed(1)), (vec![true, true], vec![true, false]));
    assert!(verdict.components[0].passed && !verdict.components[1].passed);
    assert!(verdict.bundle.passed && !verdict.proven);
    assert_eq!(verdict.components[1].lanes[1].lane, "other");
    assert_eq!(verdict.components[1].lanes[1].reasons, [Reason::NotPositive { positive: 0 }]);
}

#[test]
fn a_bundle_below_its_threshold_is_not_proven_though_its_parts_are() {
    for (gain, passed) in [(1.499, false), (1.501, true)] {
        let (plan, records) = synthetic::trial(&quiet(&[("a", gain)], 4)).expect("a sound spec");
        let verdict = judge(&plan, &records, "").expect("a complete trial");
        assert!(verdict.components[0].passed);
        assert_eq!((verdict.bundle.passed, verdict.proven), (passed, passed));
    }
}

#[test]
fn a_lone_slow_phase_scatters_the_component() {
    let (plan, mut records) = synthetic::trial(&quiet(&[("a", 1.0)], 4)).expect("a sound spec");
    let slow =
        |record: &&mut ProcessRecord| (record.run, record.phase, record.arm.as_str()) == (3, 11, "full");
    for record in records.iter_mut().filter(slow) {
        for search in &mut record.searches {
            search.cpu_ns += search.cpu_ns * 21 / 1000;
        }
        record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
    }
    let verdict = judge(&plan, &records, "").expect("a complete trial");
    let comparison = &verdict.components[0].lanes[0];
    assert_eq!(comparison.positive, 8);
    match comparison.reasons.as_slice() {
        [Reason::TooScattered { run: 3, phase: 11, deviation }] => {
            assert!((deviation - 100.0 * 1.021f64.ln()).abs() < 1e-3);
        }
        other => panic!("expected one scattered phase, found {other:?}"),
    }
    assert!(
        verdict.bundle.lanes[0].reasons.iter().all(|reason| { matches!(reason, Reason::NotPositive { .. }) })
    );
}

#[test]
fn a_component_that_moves_unscattered_data_is_unproven_whatever_its_numbers() {
    let spec = Spec::new(&[("a", 5.0), ("b", 5.0)], 3);
    let (plan, mut records) = synthetic::trial(&spec).expect("a sound spec");
    assert!(judge(&plan, &records, "").expect("sound records").proven);
    let names = |count: usize| (0..count).map(|n| format!("table_{n:02}")).collect::<Vec<_>>();
    let mut of_b = records.iter_mut().filter(|record| record.arm == "without:b");
    of_b.next().expect("a record").draw.unscattered = Unscattered::new(names(1));
    of_b.next().expect("another").draw.unscattered = Unscattered::new(names(14));
    // What base moves is not a component's doing alone: the bundle is judged by its numbers.
    for record in records.iter_mut().filter(|record| record.arm == "base") {
        record.draw.unscattered = Unscattered::new(names(3));
    }
    let verdict = judge(&plan, &records, "").expect("sound records");
    assert!(!verdict.proven && verdict.bundle.passed && verdict.components[0].passed);
    let symbols = names(Unscattered::NAMED);
    assert_eq!(verdict.components[1].lanes[0].reasons, [Reason::Unscattered { moved: 14, symbols }]);
}

#[test]
fn without_a_drawn_order_the_verdict_is_limited() {
    let spec = Spec::new(&[("a", 5.0)], 3);
    let (mut plan, records) = synthetic::trial(&spec).expect("a sound spec");
    assert!(!judge(&plan, &records, "").expect("sound records").limited);
    plan.layout.parts[0].state = PartState::Fixed;
    assert!(!judge(&plan, &records, "").expect("sound records").limited, "fixed by its author");
    plan.layout.parts[0].state = PartState::NotScattered;
    let verdict = judge(&plan, &records, "").expect("sound records");
    assert!(verdict.limited && verdict.proven);
}
