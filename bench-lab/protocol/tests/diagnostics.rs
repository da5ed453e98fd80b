//! Components removed together: what two that overlap are worth, beside a verdict that it never touches.

use protocol::diagnostics::{Finding, find};
use protocol::synthetic::{self, Spec};
use protocol::{Plan, ProcessRecord, RecordFault, Verdict, judge};

/// Two components that show nothing alone and one that gains; `gain` is what the two are worth together.
fn trial(gain: f64) -> (Plan, Verdict, Vec<ProcessRecord>) {
    let spec = Spec { positions: 2, ..Spec::new(&[("a", 0.0), ("b", 0.0), ("c", 2.0)], 5) };
    let (mut plan, records) = synthetic::trial(&spec).expect("a sound spec");
    let diagnosed = synthetic::diagnostics(&spec, &mut plan, &[(&["a", "b"], gain), (&["b", "c"], 2.0)], 3);
    let verdict = judge(&plan, &records, "").expect("a complete trial");
    (plan, verdict, diagnosed.expect("sound groups"))
}

#[test]
fn an_overlap_shows_when_both_are_gone() {
    let (plan, verdict, records) = trial(5.0);
    assert_eq!(records.len(), 8 * 3 * 4 * 2);
    let joints = find(&plan, &verdict, &records).expect("complete records");
    let [overlap, sum] = joints.as_slice() else { panic!("two groups: {joints:?}") };
    assert_eq!(
        (overlap.components.as_slice(), overlap.lane.as_str()),
        (["a", "b"].map(str::to_owned).as_slice(), "main")
    );
    assert!((overlap.median - 4.88).abs() < 0.2 && overlap.alone.abs() < 0.2, "{overlap:?}");
    assert_eq!((overlap.finding, overlap.positive, overlap.runs.len()), (Finding::Overlap, 8, 8));
    assert!(overlap.phases.iter().all(|run| run.len() == 3));
    assert_eq!((sum.finding, sum.positive), (Finding::AddUp, 8));
}

#[test]
fn what_needs_each_other_shows_too() {
    let (plan, verdict, records) = trial(-5.0);
    let joints = find(&plan, &verdict, &records).expect("complete records");
    assert_eq!((joints[0].finding, joints[0].positive), (Finding::Need, 0));
}

#[test]
fn the_verdict_knows_nothing_of_them() {
    let (plan, with, _) = trial(5.0);
    let without = Plan { diagnostics: None, ..plan.clone() };
    let spec = Spec { positions: 2, ..Spec::new(&[("a", 0.0), ("b", 0.0), ("c", 2.0)], 5) };
    let (_, records) = synthetic::trial(&spec).expect("a sound spec");
    let mut verdict = judge(&without, &records, "").expect("a complete trial");
    assert_ne!(verdict.plan_id, with.plan_id);
    verdict.plan_id.clone_from(&with.plan_id);
    assert_eq!(verdict, with);
    assert_eq!(find(&without, &with, &[]), Ok(Vec::new()));
}

#[test]
fn records_that_do_not_fit_are_told() {
    let (plan, verdict, records) = trial(5.0);
    let fault = find(&plan, &verdict, &records[1..]).expect_err("one is missing");
    assert_eq!(fault.to_string(), "run 1, phase 1, lane main, arm base, process 1: no record, expected one");
    let mut moved = records.clone();
    moved[0].draw.seed ^= 1;
    assert!(matches!(find(&plan, &verdict, &moved), Err(RecordFault::DrawSeed { .. })));
    let mut other = records.clone();
    other[9].searches[0].nodes += 1;
    other[9].nodes += 1;
    assert!(matches!(find(&plan, &verdict, &other), Err(RecordFault::Nodes { .. })));
}
