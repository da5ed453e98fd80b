//! The JSON report: what fixed records give, and that it is what its types say.

use reports::json::{Report, SCHEMA, json};
use serde_json::Value;

use super::sample::Sample;

fn samples() -> [Sample; 6] {
    [
        Sample::mixed(),
        Sample::proven(),
        Sample::limited(),
        Sample::two_builds(),
        Sample::locked(),
        Sample::overlapping(),
    ]
}

/// Without the phase values and the plan's id, which changes with every field of a plan.
fn readable(sample: &Sample) -> String {
    let mut report = Report::of(&sample.trial()).unwrap();
    report.hashes.plan = "PLAN".to_owned();
    for lane in report.components.iter_mut().flat_map(|component| &mut component.lanes) {
        lane.phases.clear();
    }
    report.whole_bundle.lanes.iter_mut().for_each(|lane| lane.phases.clear());
    let mut value = serde_json::to_value(&report).unwrap();
    round(&mut value);
    serde_json::to_string_pretty(&value).unwrap()
}

/// To what other processors' libraries compute alike.
fn round(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(round),
        Value::Object(members) => members.values_mut().for_each(round),
        Value::Number(number) if number.is_f64() => {
            let digits = 1e6;
            *value = ((number.as_f64().unwrap() * digits).round() / digits).into();
        }
        _ => {}
    }
}

#[test]
fn json_of_a_mixed_trial() {
    insta::assert_snapshot!(readable(&Sample::mixed()));
}

#[test]
fn json_of_a_locked_trial() {
    insta::assert_snapshot!(readable(&Sample::locked()));
}

#[test]
fn json_of_a_trial_with_two_build_sets() {
    insta::assert_snapshot!(readable(&Sample::two_builds()));
}

#[test]
fn what_is_written_can_be_read_back() {
    for sample in samples() {
        let text = json(&sample.trial()).unwrap();
        let read: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(read, Report::of(&sample.trial()).unwrap());
        assert_eq!(read.schema, SCHEMA);
        assert!(text.ends_with("}\n"));
    }
}

#[test]
fn numbers_are_those_of_the_verdict() {
    let sample = Sample::proven();
    let report = Report::of(&sample.trial()).unwrap();
    for (component, judged) in report.components.iter().zip(&sample.verdict.components) {
        for (lane, comparison) in component.lanes.iter().zip(&judged.lanes) {
            assert_eq!((&lane.runs, &lane.phases), (&comparison.runs, &comparison.phases));
            assert_eq!(lane.gain_points, comparison.median);
            let ratio = (lane.gain_points / 100.0).exp();
            assert!((lane.speedup_percent - 100.0 * (ratio - 1.0)).abs() < 1e-9);
        }
    }
    assert!(report.arms.iter().all(|arm| arm.nodes.len() == 1));
    let counters = report.arms[0].counters.expect("the sample counts");
    assert!((counters.instructions_per_cycle - 2.0).abs() < 1e-9);
}

#[test]
fn members_of_later_labs_do_no_harm() {
    let text = json(&Sample::proven().trial()).unwrap().replacen('{', "{\"more\": 1,", 1);
    assert!(serde_json::from_str::<Report>(&text).is_ok());
}
