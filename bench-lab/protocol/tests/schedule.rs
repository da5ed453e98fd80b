//! The schedule keeps the protocol's rule of order for every seed and number of arms.

use proptest::prelude::*;
use protocol::plan::FULL;
use protocol::schedule::{self, ScheduleError, order};
use protocol::synthetic::{self, Spec};
use protocol::{PHASES, Plan, PlanFault, RUNS, balance, check_balance};

fn plan(components: usize, lanes: usize, seed: u64) -> Plan {
    let names: Vec<String> = (0..components).map(|i| format!("c{i}")).collect();
    let list: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
    let mut spec = Spec::new(&list, seed);
    for lane in 1..lanes {
        spec = spec.with_lane(&format!("lane{lane}"), &vec![1.0; components]);
    }
    spec.positions = 1;
    spec.processes = 1;
    synthetic::trial(&spec).expect("a sound spec").0
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn full_is_later_in_exactly_half_of_the_runs(
        components in 1usize..=10,
        lanes in 1usize..=3,
        seed in any::<u64>(),
    ) {
        let plan = plan(components, lanes, seed);
        prop_assert_eq!(check_balance(&plan), Ok(()));
        let balance = balance(&plan).expect("a sound plan");
        prop_assert_eq!(balance.lanes.len(), lanes);
        for lane in &balance.lanes {
            for arm in (0..components + 2).filter(|&arm| arm != FULL) {
                prop_assert_eq!((lane.later[arm], lane.earlier[arm]), (4, 4));
                // The same, from the mean slots themselves.
                let later = lane.mean_slots.iter().filter(|run| run[FULL] > run[arm] + 1e-9);
                let earlier = lane.mean_slots.iter().filter(|run| run[FULL] < run[arm] - 1e-9);
                prop_assert_eq!((later.count(), earlier.count()), (4, 4));
            }
        }
    }

    #[test]
    fn both_balances_hold_over_the_whole_plan(
        components in 1usize..=8,
        lanes in 1usize..=2,
        seed in any::<u64>(),
    ) {
        let plan = plan(components, lanes, seed);
        prop_assert_eq!(check_balance(&plan), Ok(()));
        let arms = components + 2;
        // A square makes every ordered pair once (twice for an odd number of arms) in every phase; the lead row and
        // the seams between rows come on top.
        let square = RUNS * PHASES * if arms.is_multiple_of(2) { 1 } else { 2 };
        for lane in &balance(&plan).expect("a sound plan").lanes {
            for (before, row) in lane.follows.iter().enumerate() {
                prop_assert_eq!(row.len(), arms);
                for (arm, &count) in row.iter().enumerate().filter(|&(arm, _)| arm != before) {
                    // Every run has its mirror image, so who goes first is exactly balanced.
                    prop_assert_eq!(count, lane.follows[arm][before]);
                    prop_assert!(count >= square, "{before} then {arm}: {count} times, {square} by the squares alone");
                }
            }
            prop_assert!((0..arms).all(|arm| arm == FULL || (lane.later[arm], lane.earlier[arm]) == (4, 4)));
        }
    }

    #[test]
    fn the_order_of_diagnostics_is_balanced_too(
        groups in 1usize..=3,
        phases in 1usize..=12,
        seed in any::<u64>(),
    ) {
        let arms = groups + 2;
        let runs = schedule::draw_diagnostics(arms, phases, &["a", "b"], seed).expect("enough arms");
        for lane in 0..2 {
            let sums = |run: usize| -> Vec<usize> {
                let mut sums = vec![0; arms];
                for phase in &runs[run].lanes[lane] {
                    phase.arms().enumerate().for_each(|(slot, arm)| sums[arm] += slot);
                }
                sums
            };
            for arm in (0..arms).filter(|&arm| arm != FULL) {
                let later = (0..RUNS).filter(|&run| sums(run)[FULL] > sums(run)[arm]).count();
                let earlier = (0..RUNS).filter(|&run| sums(run)[FULL] < sums(run)[arm]).count();
                prop_assert_eq!((later, earlier), (4, 4));
            }
            prop_assert!(runs.iter().all(|run| run.lanes[lane].len() == phases));
        }
    }

    #[test]
    fn runs_come_in_exactly_reversed_pairs(arms in 2usize..=12, seed in any::<u64>()) {
        let runs = schedule::draw(arms, &["a"], seed).expect("enough arms");
        prop_assert_eq!(runs.len(), RUNS);
        let slots = |run: usize| -> Vec<Vec<usize>> {
            runs[run].lanes[0].iter().map(|phase| phase.arms().collect()).collect()
        };
        for (run, drawn) in runs.iter().enumerate() {
            let mut backwards = slots(run);
            for phase in &mut backwards {
                phase.reverse();
            }
            let partners = (0..RUNS).filter(|&other| slots(other) == backwards).count();
            prop_assert_eq!(partners, 1);
            prop_assert_eq!(drawn.lanes[0].len(), PHASES);
        }
    }

    #[test]
    fn a_phase_is_a_balanced_square_and_one_lead_row(arms in 2usize..=14, seed in any::<u64>()) {
        let plan = order::slot_plan(arms, seed);
        let times = if arms % 2 == 0 { 1 } else { 2 };
        prop_assert_eq!(plan.rows.len(), arms * times + 1);
        let square = &plan.rows[1..];
        let mut follows = vec![vec![0; arms]; arms];
        for column in 0..arms {
            let mut seen = vec![0; arms];
            for row in square {
                seen[row[column]] += 1;
            }
            prop_assert_eq!(seen, vec![times; arms]);
        }
        for pair in square.iter().flat_map(|row| row.windows(2)) {
            follows[pair[0]][pair[1]] += 1;
        }
        for (before, row) in follows.iter().enumerate() {
            for (arm, &count) in row.iter().enumerate() {
                prop_assert_eq!(count, if arm == before { 0 } else { times });
            }
        }
        let mut lead = plan.rows[0].clone();
        lead.sort_unstable();
        prop_assert_eq!(lead, (0..arms).collect::<Vec<_>>());
    }

    #[test]
    fn no_arm_follows_itself(arms in 3usize..=12, seed in any::<u64>()) {
        let runs = schedule::draw(arms, &["a", "b"], seed).expect("enough arms");
        for phase in runs.iter().flat_map(|run| run.lanes.iter().flatten()) {
            let slots: Vec<usize> = phase.arms().collect();
            let next = slots.iter().cycle().skip(1);
            prop_assert!(slots.iter().zip(next).all(|(a, b)| a != b));
        }
    }
}

#[test]
fn same_seed_same_schedule_and_lanes_differ() {
    let draw = |seed| schedule::draw(6, &["a", "b"], seed).expect("enough arms");
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
    let runs = draw(7);
    assert_ne!(runs[0].lanes[0], runs[0].lanes[1]);
    assert_ne!(runs[0].lanes[0][0], runs[0].lanes[0][1]);
}

#[test]
fn one_arm_is_no_comparison() {
    assert_eq!(schedule::draw(1, &["a"], 7), Err(ScheduleError::TooFewArms { found: 1 }));
}

#[test]
fn carry_over_counts_every_slot_once() {
    let plan = plan(4, 1, 3);
    let follows = &balance(&plan).expect("a sound plan").lanes[0].follows;
    let slots = RUNS * PHASES * 7 * 6;
    assert_eq!(follows.iter().flatten().sum::<usize>(), slots);
    for (arm, row) in follows.iter().enumerate() {
        assert_eq!(row[arm], 0, "an arm follows itself");
        assert_eq!(row.iter().sum::<usize>(), slots / 6);
    }
}

#[test]
fn a_run_turned_round_is_named() {
    let mut plan = plan(2, 2, 5);
    for phase in &mut plan.runs[3].lanes[1] {
        phase.rows.reverse();
        for row in &mut phase.rows {
            row.reverse();
        }
    }
    let fault = check_balance(&plan).expect_err("one run is turned");
    let PlanFault::Uneven { lane, arm, later, expected } = fault.clone() else {
        panic!("another fault: {fault}");
    };
    assert_eq!((lane.as_str(), arm.as_str(), expected), ("lane1", "base", 4));
    assert!(later == 3 || later == 5);
    assert!(fault.to_string().starts_with("plan, lane lane1: full is later than base in"));
}

#[test]
fn a_tie_is_named() {
    let mut plan = plan(1, 1, 5);
    // Every other phase's rows are the mirror of the phase before: all mean slots are equal.
    let phases = &mut plan.runs[2].lanes[0];
    for pair in 0..PHASES / 2 {
        phases[2 * pair + 1] = phases[2 * pair].clone();
        phases[2 * pair + 1].rows.reverse();
        for row in &mut phases[2 * pair + 1].rows {
            row.reverse();
        }
    }
    assert_eq!(
        check_balance(&plan),
        Err(PlanFault::Tied { lane: "main".to_owned(), arm: "base".to_owned(), run: 3 })
    );
}

#[test]
fn unbalanced_neighbours_are_named() {
    let mut plan = plan(2, 1, 5);
    // A cyclic square ties the mean slots as well, but gives everybody one follower throughout.
    let slots = &mut plan.runs[0].lanes[0][6];
    let leads = slots.rows.iter().filter(|row| row[0] == slots.rows[0][0]);
    let square = if leads.count() == 2 { 1 } else { 0 };
    for shift in 0..4 {
        slots.rows[square + shift] = (0..4).map(|i| (i + shift) % 4).collect();
    }
    match check_balance(&plan).expect_err("neighbours are unbalanced") {
        PlanFault::CarryOver { run, phase, found, low, high, .. } => {
            assert_eq!((run, phase, low, high), (1, 7, 1, 2));
            assert!(found == 0 || found > 2);
        }
        other => panic!("another fault: {other}"),
    }
}
