//! What may not matter to a verdict does not matter.

use proptest::prelude::*;
use proptest::sample::Index;
use protocol::plan::{BASE, FULL};
use protocol::synthetic::{self, Spec};
use protocol::{Plan, ProcessRecord, Trial, judge};

fn spec() -> Spec {
    Spec { positions: 3, ..Spec::new(&[("a", 1.0), ("b", 0.5)], 11).with_lane("other", &[0.4, 2.0]) }
}

fn trial() -> (Plan, Vec<ProcessRecord>) {
    synthetic::trial(&spec()).expect("a sound spec")
}

/// Multiplies every processor time of the records that `which` chooses.
fn scale(records: &mut [ProcessRecord], factor: u64, which: impl Fn(&ProcessRecord) -> bool) {
    for record in records.iter_mut().filter(|record| which(record)) {
        for search in &mut record.searches {
            search.cpu_ns *= factor;
        }
        record.cpu_ns *= factor;
    }
}

fn rename(records: &mut [ProcessRecord], from: &str, to: &str) {
    for record in records.iter_mut().filter(|record| record.arm == from) {
        record.arm = to.to_owned();
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_order_of_lines_does_not_matter(swaps in proptest::collection::vec(any::<(Index, Index)>(), 1..400)) {
        let (plan, records) = trial();
        let mut mixed = records.clone();
        for (a, b) in swaps {
            let (a, b) = (a.index(mixed.len()), b.index(mixed.len()));
            mixed.swap(a, b);
        }
        prop_assert_eq!(judge(&plan, &records, ""), judge(&plan, &mixed, ""));
    }

    #[test]
    fn a_slower_machine_changes_no_value(factor in 2u64..1_000) {
        let (plan, records) = trial();
        let mut slower = records.clone();
        scale(&mut slower, factor, |_| true);
        let values = |records: &[ProcessRecord]| -> Vec<f64> {
            let verdict = judge(&plan, records, "").expect("a complete trial");
            let lanes = verdict.components.iter().flat_map(|c| &c.lanes);
            let lanes = lanes.chain(&verdict.bundle.lanes);
            lanes.flat_map(|lane| {
                let phases = lane.phases.iter().flatten().copied();
                phases.chain(lane.runs.iter().copied()).chain([lane.trimmed_median])
            }).collect()
        };
        for (before, after) in values(&records).into_iter().zip(values(&slower)) {
            prop_assert!((before - after).abs() < 1e-9);
        }
    }

    #[test]
    fn a_slow_phase_of_all_arms_changes_no_value(run in 1usize..=8, phase in 1usize..=12, factor in 2u64..9) {
        let (plan, records) = trial();
        let mut slower = records.clone();
        scale(&mut slower, factor, |record| (record.run, record.phase) == (run, phase));
        let runs = |records: &[ProcessRecord]| {
            let trial = Trial::new(&plan, records).expect("a complete trial");
            trial.phase_values(0, BASE).expect("finite")
        };
        for (before, after) in runs(&records).concat().into_iter().zip(runs(&slower).concat()) {
            prop_assert!((before - after).abs() < 1e-9);
        }
    }

    #[test]
    fn swapping_the_arms_swaps_the_sign(seed in any::<u64>()) {
        let (plan, records) = synthetic::trial(&Spec { seed, ..spec() }).expect("a sound spec");
        let values = |records: &[ProcessRecord], lane, of: fn(&Trial, usize) -> Vec<Vec<f64>>| {
            // Slots and executables are the arm's own; only work and time change hands.
            let trial = Trial::new(&plan, records).expect("a complete trial");
            of(&trial, lane).concat()
        };
        let mut swapped = records.clone();
        rename(&mut swapped, "base", "other way");
        rename(&mut swapped, "full", "base");
        rename(&mut swapped, "other way", "full");
        for record in &mut swapped {
            let arm = if record.arm == "base" { BASE } else { FULL };
            if record.arm == "base" || record.arm == "full" {
                let lane = usize::from(record.lane == "other");
                let slots = &plan.runs[record.run - 1].lanes[lane][record.phase - 1];
                record.slots.first = slots.nth_slot(arm, 0).expect("the arm has slots");
                let count = record.slots.count;
                record.slots.last = slots.nth_slot(arm, count - 1).expect("the arm has slots");
            }
        }
        for of in [
            (|trial, lane| trial.phase_values(lane, BASE).expect("finite"))
                as fn(&Trial, usize) -> Vec<Vec<f64>>,
            |trial, lane| trial.trimmed_values(lane, BASE).expect("finite"),
        ] {
            for lane in 0..2 {
                let pairs = values(&records, lane, of).into_iter().zip(values(&swapped, lane, of));
                for (plain, swapped) in pairs {
                    prop_assert!((plain + swapped).abs() < 1e-9);
                }
            }
        }
    }
}
