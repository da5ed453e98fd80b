//! Nothing to prove, losses, and components removed together, on whole trials of a little engine.

use std::fs;
use std::time::{Duration, Instant};

use crate::mini::{Mini, errors, lab};
use protocol::diagnostics::find;
use protocol::losses::LossKind;
use protocol::{PHASES, Plan, RUNS, Verdict, lines};

#[test]
fn a_switch_that_changes_neither_code_nor_data_is_refused_before_the_plan() {
    let mini = Mini::take();
    let output = mini.command(&mini.bundle(&["quick", "idle"])).output().expect("the lab");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("the switch of component idle changes neither code nor data"), "{told}");
    assert!(told.contains("`full` and `without:idle` the same on lane main"), "{told}");
    assert!(told.contains("(feature idle)") && !told.contains("component quick changes"), "{told}");
    assert!(!mini.out().exists(), "a folder without a plan");
}

#[test]
fn what_is_removed_together_is_measured_after_the_verdict_and_outside_it() {
    let mini = Mini::take();
    let more = "[diagnostics]\ntogether = [[\"second\", \"first\"]]\nphases = 1\n\
                [tolerance]\nmemory_percent = 50\nstart_up_time_ms = 500\n";
    let bundle = mini.bundle_with(&["first", "second"], more);
    let output = mini.command(&bundle).output().expect("the lab");
    let told = errors(&output);
    // What is proven depends on the machine; that it is judged does not.
    assert!(matches!(output.status.code(), Some(0 | 3)), "{told}");
    let read = |name: &str| fs::read_to_string(mini.out().join(name)).expect(name);
    let plan: Plan = serde_json::from_str(&read("plan.json")).expect("a plan");
    plan.check().expect("a plan that agrees with itself");
    let tolerance = plan.tolerance.as_ref().expect("a tolerance");
    assert_eq!((tolerance.memory.percent, tolerance.start_up_time.least), (50.0, 500_000_000));
    let fixed = plan.diagnostics.as_ref().expect("diagnostics");
    assert_eq!((fixed.together[0].arm().as_str(), fixed.phases), ("without:first+second", 1));
    // Without both it is base, which is not built twice.
    assert_eq!(fixed.together[0].builds[0], plan.builds[0].arms[0]);

    let trial = lines::read(&read("records.jsonl")).expect("records");
    assert_eq!(trial.len(), RUNS * PHASES * 4);
    assert!(trial.iter().all(|record| record.footprint.is_some_and(|found| found.peak_bytes > 0)));
    let verdict: Verdict = serde_json::from_str(&read("verdict.json")).expect("a verdict");
    let kinds = [LossKind::Memory, LossKind::StartUpTime, LossKind::ExecutableSize];
    let measured = |kind| verdict.losses.iter().filter(|loss| loss.kind == kind).count();
    assert_eq!(kinds.map(measured), [3, 3, 3], "against each component and base");
    assert!(!verdict.is_locked(), "{:?}", verdict.losses);

    let records = lines::read(&read("diagnostics.jsonl")).expect("records");
    assert_eq!(records.len(), RUNS * 3);
    let joints = find(&plan, &verdict, &records).expect("complete");
    assert_eq!((joints.len(), joints[0].runs.len()), (1, RUNS));
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        table.contains("Diagnostics, outside the verdict:\n  ? first and second left out together on main:"),
        "{table}"
    );
    assert!(read("report.html").contains("Diagnostics: removed together"));
    assert_eq!(
        (mini.orphans(), mini.scratch_folders(), mini.draws()),
        (vec![], vec![], 0),
        "nothing is left"
    );
    let verified = lab().arg("verify").arg(mini.out()).arg("--register").arg(mini.register()).output();
    let verified = verified.expect("the lab");
    assert_eq!(verified.status.code(), Some(0), "{}", errors(&verified));
    let fits = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(fits.contains("diagnostics.jsonl: 24 records, each in its place"), "{fits}");
    assert!(fits.contains("; SHA-256 as in line "), "{fits}");

    // Whatever becomes of them, the verdict stands.
    fs::remove_file(mini.out().join("diagnostics.jsonl")).expect("removable");
    let again = lab().arg("verdict").arg(mini.out()).output().expect("the lab");
    assert_eq!(again.status.code(), output.status.code(), "{}", errors(&again));
    let table = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(table.contains("were not measured to their end: there are no records of them"), "{table}");
    assert!(table.contains("the stored verdict is the same"), "{table}");
}

#[test]
fn an_arm_that_dies_in_the_diagnostics_leaves_the_verdict_as_it_is() {
    let mini = Mini::take();
    let more = "[diagnostics]\ntogether = [[\"quick\", \"frail\"]]\nphases = 12\n";
    let mut lab = mini.command(&mini.bundle_with(&["quick", "frail"], more)).spawn().expect("the lab");
    let begun = Instant::now();
    let begins = || fs::metadata(mini.out().join("diagnostics.jsonl")).is_ok_and(|file| file.len() > 0);
    while !begins() {
        assert!(lab.try_wait().expect("a child").is_none(), "the lab ended before the diagnostics");
        assert!(begun.elapsed() < Duration::from_secs(600), "the lab does not get there");
        std::thread::sleep(Duration::from_millis(20));
    }
    mini.die();
    let output = lab.wait_with_output().expect("the lab");
    let told = errors(&output);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{told}");
    assert!(
        told.contains("the diagnostics broke off, the verdict stands without them: arm full died"),
        "{told}"
    );
    assert!(mini.out().join("verdict.json").is_file() && !mini.out().join("void.json").exists());
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(table.contains("were not measured to their end: they broke off before run"), "{table}");
    assert!(mini.out().join("report.html").is_file());
    assert_eq!(mini.orphans(), [""; 0]);
}
