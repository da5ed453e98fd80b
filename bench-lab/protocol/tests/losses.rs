//! Losses: measured against what is let pass and what was declared.

use proptest::prelude::*;
use protocol::losses::{Cost, LossKind};
use protocol::plan::{FULL, without};
use protocol::synthetic::{self, Spec};
use protocol::verdict::{Loss, Verdict};
use protocol::{Plan, ProcessRecord, RecordFault, judge};

const MIB: u64 = 1 << 20;

fn trial() -> (Plan, Vec<ProcessRecord>) {
    let spec = Spec { positions: 2, ..Spec::new(&[("a", 3.0), ("b", 2.0)], 5) };
    synthetic::trial(&spec).expect("a sound spec")
}

/// Gives every process of an arm some more memory and start-up time, in the runs that are wanted.
fn burden(records: &mut [ProcessRecord], arm: &str, bytes: u64, ns: u64, runs: &[usize]) {
    for record in records.iter_mut().filter(|record| record.arm == arm && runs.contains(&record.run)) {
        let footprint = record.footprint.as_mut().expect("measured");
        footprint.peak_bytes += bytes;
        footprint.start_up_ns += ns;
    }
}

fn verdict(plan: &Plan, records: &[ProcessRecord]) -> Verdict {
    judge(plan, records, "").expect("a complete trial")
}

fn loss<'a>(verdict: &'a Verdict, against: &str, kind: LossKind) -> &'a Loss {
    let found = verdict.losses.iter().find(|loss| loss.against == against && loss.kind == kind);
    found.expect("measured")
}

const ALL: [usize; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

#[test]
fn without_losses_nothing_is_locked_and_everything_is_measured() {
    let (plan, records) = trial();
    let verdict = verdict(&plan, &records);
    assert!(verdict.proven && !verdict.is_locked());
    assert_eq!((verdict.format, verdict.evaluator), (3, 3));
    // Three kinds against both components and base.
    assert_eq!(verdict.losses.len(), 9);
    let memory = loss(&verdict, "without:a", LossKind::Memory);
    assert_eq!((memory.over, memory.beyond, memory.locks), (0, false, false));
    assert_eq!((memory.differences.len(), memory.allowed), (8, MIB as f64));
    assert!(memory.full > 48.0 * MIB as f64 && memory.full == memory.other);
    assert_eq!(loss(&verdict, "base", LossKind::ExecutableSize).differences, [0.0]);
}

#[test]
fn an_undeclared_loss_locks_the_bundle_and_a_declared_one_does_not() {
    let (mut plan, mut records) = trial();
    // Of `b`: it is missing in base and in the arm without it.
    for arm in ["full", "without:a"] {
        burden(&mut records, arm, 3 * MIB, 0, &ALL);
    }
    let locked = verdict(&plan, &records);
    assert!(locked.is_locked() && !locked.proven);
    assert!(locked.components.iter().all(|c| c.passed) && locked.bundle.passed, "its speed is as it was");
    let locks: Vec<&str> = locked.locks().map(|loss| loss.against.as_str()).collect();
    assert_eq!(locks, ["without:b", "base"]);
    let memory = loss(&locked, "without:b", LossKind::Memory);
    assert_eq!((memory.full - memory.other, memory.over), (3.0 * MIB as f64, 8));
    assert!(!loss(&locked, "without:a", LossKind::Memory).beyond, "the other component is not to blame");

    plan.components[0].costs = vec!["memory".to_owned()];
    let other = verdict(&plan, &records);
    let locks: Vec<&str> = other.locks().map(|loss| loss.against.as_str()).collect();
    assert_eq!(locks, ["without:b"], "full against base is covered by any declaration, b by its own alone");

    plan.components[1].costs = vec!["memory".to_owned(), "processors without BMI2".to_owned()];
    let declared = verdict(&plan, &records);
    assert!(declared.proven && !declared.is_locked());
    let memory = loss(&declared, "without:b", LossKind::Memory);
    assert_eq!((memory.beyond, memory.declared_by.as_slice()), (true, ["b".to_owned()].as_slice()));
    assert_eq!(loss(&declared, "base", LossKind::Memory).declared_by, ["a", "b"]);
}

#[test]
fn start_up_time_locks_from_seven_runs_on() {
    for (runs, locks) in [(&ALL[..6], false), (&ALL[1..], true), (&ALL[..], true)] {
        let (plan, mut records) = trial();
        for arm in ["full", "without:b"] {
            burden(&mut records, arm, 0, 5_000_000, runs);
        }
        let verdict = verdict(&plan, &records);
        let loss = loss(&verdict, "without:a", LossKind::StartUpTime);
        assert_eq!((loss.over, loss.beyond, verdict.is_locked()), (runs.len(), locks, locks));
    }
}

#[test]
fn a_loss_within_its_tolerance_needs_no_declaration() {
    for (bytes, beyond) in [(MIB, false), (MIB + 4_096, true)] {
        let (plan, mut records) = trial();
        burden(&mut records, "full", bytes, 0, &ALL);
        assert_eq!(loss(&verdict(&plan, &records), "without:a", LossKind::Memory).beyond, beyond);
    }
    let (mut plan, mut records) = trial();
    burden(&mut records, "full", 4 * MIB, 0, &ALL);
    plan.tolerance.as_mut().expect("a tolerance").memory.percent = 10.0;
    assert!(!verdict(&plan, &records).is_locked(), "10 % of 48 MiB are 4.8");
}

#[test]
fn the_size_of_executables_is_compared_once_for_every_build_set() {
    let (mut plan, records) = trial();
    plan.builds[0].arms[FULL].executable_bytes += 300_000;
    plan.builds[0].arms[without(0)].executable_bytes += 300_000;
    let found = verdict(&plan, &records);
    let sizes: Vec<(&str, bool)> = found
        .losses
        .iter()
        .filter(|loss| loss.kind == LossKind::ExecutableSize)
        .map(|loss| (loss.against.as_str(), loss.locks))
        .collect();
    assert_eq!(sizes, [("without:a", false), ("without:b", true), ("base", true)]);
    plan.components[1].costs = vec!["executable size".to_owned()];
    assert!(verdict(&plan, &records).proven);
}

#[test]
fn speed_lost_on_another_lane_locks_unless_declared_and_is_never_excused() {
    let spec =
        Spec { noise: 0.1, ..Spec::new(&[("a", 3.0), ("b", 2.0)], 1).with_lane("avx512", &[3.0, -2.0]) };
    let (mut plan, records) = synthetic::trial(&spec).expect("a sound spec");
    let found = verdict(&plan, &records);
    let [lock] = found.locks().collect::<Vec<_>>()[..] else { panic!("one lock: {:?}", found.losses) };
    assert_eq!(
        (lock.kind, lock.lane.as_str(), lock.against.as_str()),
        (LossKind::LaneSpeed, "avx512", "without:b")
    );
    assert!((lock.full - 2.02).abs() < 0.3 && lock.over == 8);
    plan.components[1].costs = vec!["lane:avx512".to_owned()];
    let declared = verdict(&plan, &records);
    assert!(!declared.is_locked() && !declared.proven && !declared.components[1].passed);
    // Lost on every lane, it is simply not proven.
    let spec =
        Spec { noise: 0.1, ..Spec::new(&[("a", 3.0), ("b", -2.0)], 1).with_lane("avx512", &[3.0, -2.0]) };
    let (plan, records) = synthetic::trial(&spec).expect("a sound spec");
    assert!(!verdict(&plan, &records).is_locked());
}

#[test]
fn a_process_without_memory_or_start_up_time_voids_a_trial_that_judges_them() {
    let (mut plan, mut records) = trial();
    records[7].footprint = None;
    let fault = judge(&plan, &records, "").expect_err("one is missing");
    assert!(matches!(fault, RecordFault::NoFootprint { .. }));
    let place = format!("run 1, phase 1, lane main, arm {}, process {}", records[7].arm, records[7].process);
    assert_eq!(fault.to_string(), format!("{place}: no peak memory or no start-up time, expected both"));
    // Evaluator 2 asks for neither.
    (plan.format, plan.tool.evaluator, plan.tolerance) = (2, 2, None);
    let old = verdict(&plan, &records);
    assert_eq!((old.format, old.evaluator, old.losses.len(), old.proven), (2, 2, 0, true));
}

#[test]
fn a_verdict_without_losses_has_no_word_of_them() {
    let (mut plan, mut records) = trial();
    (plan.format, plan.tool.evaluator, plan.tolerance) = (2, 2, None);
    records.iter_mut().for_each(|record| record.footprint = None);
    let json = serde_json::to_string(&verdict(&plan, &records)).expect("JSON");
    assert!(!json.contains("losses"));
    let json =
        serde_json::to_string(&plan).expect("JSON") + &serde_json::to_string(&records[0]).expect("JSON");
    assert!(!json.contains("tolerance") && !json.contains("diagnostics") && !json.contains("footprint"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn costs_keep_their_meaning(text in "[ -~]{0,24}") {
        let known = Cost::parse(&text);
        let words = text.split_whitespace().count();
        match &known {
            None => prop_assert!(words <= 1 || text.trim().starts_with("lane:")),
            Some(Cost::Words(said)) => prop_assert!(words > 1 && said == text.trim()),
            Some(Cost::Lane(lane)) => prop_assert!(text.contains(lane.as_str()) && text.trim().starts_with("lane:")),
            Some(Cost::Measured(_)) => prop_assert!(Cost::MEASURED.contains(&text.trim())),
        }
    }
}
