//! Huge-page policy, kernel or governor differ between plan and run: refused, both values shown.

use std::fs;

use bench_lab::trial::{Earlier, Trial};
use bench_lab::{Cancel, Pause};
use protocol::plan::Machine;

use crate::faults::planned::Planned;

/// What a trial says whose plan was made on a machine that `change` makes of this one.
fn refused(planned: &Planned, change: impl FnOnce(&mut Machine)) -> String {
    let mut plan = planned.plan.clone();
    change(&mut plan.machine);
    let (progress, cancel) = (bench_lab::progress::Progress::new(), Cancel::new());
    let parts = bench_lab::planned::Planned {
        plan: &plan,
        plan_id: &planned.plan_id,
        bundle: &planned.bundle,
        sets: &planned.sets,
        lanes: &planned.lanes,
        yard: &planned.yard,
        folder: &planned.folder,
        progress: &progress,
        cancel: &cancel,
    };
    let trial = Trial { planned: parts, pause: &Pause::new(), earlier: Earlier::default() };
    let broken = trial.run(&mut |run| panic!("run {run} began")).expect_err("another machine");
    assert_eq!(broken.place, "before run 1");
    assert_eq!(planned.folder.count_records().expect("the records"), 0);
    fs::remove_file(planned.folder.path().join("records.jsonl")).expect("records without a line");
    broken.reason.to_string()
}

#[test]
fn nothing_is_measured_where_policy_kernel_or_governor_are_others() {
    let planned = Planned::new();
    let now = planned.plan.machine.clone();
    let governor = now.governor.as_deref().unwrap_or("none");
    type Change = fn(&mut Machine);
    let cases: [(Change, String); 3] = [
        (
            |m| m.huge_pages = "defer".into(),
            format!("the huge-page policy: planned defer, found {}", now.huge_pages),
        ),
        (|m| m.kernel = "2.4.0".into(), format!("the kernel: planned 2.4.0, found {}", now.kernel)),
        (
            |m| m.governor = Some("ondemand".into()),
            format!("the frequency governor: planned ondemand, found {governor}"),
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(refused(&planned, change), format!("not as planned:\n  {expected}"));
    }
    let all = refused(&planned, |m| {
        (m.huge_pages, m.kernel, m.governor) = ("defer".into(), "2.4.0".into(), Some("ondemand".into()));
    });
    // Only what was planned is the same on every machine.
    let found =
        |line: &str| line.split_once("found ").map_or(line.to_owned(), |(said, _)| format!("{said}found …"));
    insta::assert_snapshot!(all.lines().map(found).collect::<Vec<_>>().join("\n"));
}
