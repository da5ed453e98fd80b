//! Plans: what must hold before anything is judged, and the id that fixes them.

use std::collections::BTreeMap;

use protocol::losses::Tolerance;
use protocol::plan::{Diagnostics, Together};
use protocol::synthetic::{self, Spec, SyntheticError};
use protocol::{Plan, PlanFault, lines, plan_id, schedule};

fn plan() -> Plan {
    let spec = Spec::new(&[("a", 1.0), ("b", 0.5)], 1).with_lane("other", &[1.0, 1.0]);
    synthetic::trial(&spec).expect("a sound spec").0
}

fn tolerance(plan: &mut Plan) -> &mut Tolerance {
    plan.tolerance.as_mut().expect("a tolerance")
}

/// The diagnostics of the plan: `a` and `b` removed together.
fn diagnostics(plan: &mut Plan) -> &mut Diagnostics {
    let lanes: Vec<&str> = plan.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let runs = schedule::draw_diagnostics(3, 3, &lanes, 1).expect("arms enough");
    let together = Together {
        components: vec!["a".to_owned(), "b".to_owned()],
        options: BTreeMap::new(),
        builds: vec![plan.builds[0].arms[0].clone()],
    };
    plan.diagnostics.get_or_insert(Diagnostics { together: vec![together], phases: 3, runs })
}

/// What checking says after a change.
fn fault_of(change: impl FnOnce(&mut Plan)) -> String {
    let mut plan = plan();
    change(&mut plan);
    plan.check().expect_err("the plan is at fault").to_string()
}

#[test]
fn a_sound_plan_passes() {
    assert_eq!(plan().check(), Ok(()));
    let mut diagnosed = plan();
    diagnostics(&mut diagnosed);
    assert_eq!(diagnosed.check(), Ok(()));
}

#[test]
fn every_fault_is_named_with_place_found_and_expected() {
    type Case = (fn(&mut Plan), &'static str);
    let cases: [Case; 37] = [
        (|p| p.format = 1, "plan, format: found 1, expected 2 to 3"),
        (|p| p.tool.evaluator = 2, "plan, tool.evaluator: found 2, expected 3"),
        (|p| p.tolerance = None, "plan, tolerance: found none, expected one"),
        (|p| (p.format, p.tool.evaluator) = (2, 2), "plan, tolerance: found one, expected none"),
        (
            |p| tolerance(p).start_up_time.percent = f64::NAN,
            "plan, tolerance.start_up_time: found NaN, expected a finite number from 0 on",
        ),
        (
            |p| tolerance(p).lane_percent = -1.0,
            "plan, tolerance.lane_percent: found -1, expected a finite number from 0 on",
        ),
        (
            |p| p.components[1].costs = vec!["memry".to_owned()],
            "plan, costs of b: found memry, expected one of memory, executable size, start-up time, lane:<name>, \
             or several words for what is not measured",
        ),
        (
            |p| p.components[1].costs = vec!["lane:third".to_owned()],
            "plan, costs of b: found lane:third, expected one of memory, executable size, start-up time, lane:<name>, \
             or several words for what is not measured",
        ),
        (
            |p| diagnostics(p).together[0].components.truncate(1),
            "plan, diagnostics.together: found without:a, expected two components or more, in the plan's order",
        ),
        (
            |p| diagnostics(p).together[0].components.reverse(),
            "plan, diagnostics.together: found without:b+a, expected two components or more, in the plan's order",
        ),
        (
            |p| {
                let group = diagnostics(p).together[0].clone();
                diagnostics(p).together.push(group);
            },
            "plan, diagnostics.together: found without:a+b twice, expected different arms",
        ),
        (
            |p| {
                diagnostics(p).runs[1].lanes[0].pop();
            },
            "plan, diagnostics, run 2, lane main, phases: found 2, expected 3",
        ),
        (
            |p| diagnostics(p).runs[0].lanes[1][2].rows[0] = vec![0, 1, 1],
            "plan, diagnostics, run 1, lane other, phase 3, row 1: found [0, 1, 1], \
             expected every arm from 0 to 2 once",
        ),
        (|p| p.lanes.clear(), "plan, lanes: found none, expected at least one"),
        (|p| p.lanes[1].name = "main".to_owned(), "plan, lanes: found main twice, expected different names"),
        (
            |p| p.components[0].name = "b".to_owned(),
            "plan, components: found b twice, expected different names",
        ),
        (
            |p| p.arms.swap(0, 1),
            "plan, arms: found full, base, without:a, without:b, \
             expected base, full, without:a, without:b",
        ),
        (|p| p.builds.clear(), "plan, builds: found 0, expected at least 1"),
        (
            |p| {
                p.builds[0].arms.pop();
            },
            "plan, builds of default: found 3, expected 4",
        ),
        (
            |p| p.identity.bench_nodes.clear(),
            "plan, identity.bench_nodes of default: found none, expected one",
        ),
        (|p| p.lanes[1].build = 1, "plan, build of lane other: found 1, expected less than 1"),
        (
            |p| p.layout.parts[1].part = "order".to_owned(),
            "plan, layout.parts: found order twice, expected different parts",
        ),
        (|p| p.layout.parts.clear(), "plan, layout.parts drawn: found 0, expected at least 1"),
        (|p| p.measure.slice_us = 10_001, "plan, measure.slice_us: found 10001, expected 1 to 10000"),
        (|p| p.measure.processes = 0, "plan, measure.processes: found 0, expected at least 1"),
        (
            |p| p.measure.threshold_percent = f64::NAN,
            "plan, measure.threshold_percent: found NaN, expected a finite number from 0 on",
        ),
        (
            |p| p.measure.threshold_percent = -1.0,
            "plan, measure.threshold_percent: found -1, expected a finite number from 0 on",
        ),
        (
            |p| p.measure.judged = "trimmed".to_owned(),
            "plan, measure.judged: found trimmed, expected total-rate",
        ),
        (|p| p.workload.positions.clear(), "plan, workload.positions: found 0, expected at least 1"),
        (|p| p.workload.nodes = 0, "plan, workload.nodes: found 0, expected at least 1"),
        (
            |p| p.workload.sha256 = "beef".to_owned(),
            "plan, workload.sha256: found beef, expected \
             b8ca95af132fd5e41f02ff383e9ea2060e015fc99911eb11030a0c8158d25c80",
        ),
        (
            |p| p.calibration[0].sd = f64::INFINITY,
            "plan, calibration of lane main: found inf, expected finite numbers",
        ),
        (
            |p| {
                p.calibration.pop();
            },
            "plan, calibration: found main, expected main, other",
        ),
        (|p| p.runs[2].run = 4, "plan, runs, entry 3: found 4, expected 3"),
        (
            |p| {
                p.runs[2].lanes.pop();
            },
            "plan, run 3, lanes: found 1, expected 2",
        ),
        (
            |p| {
                p.runs[2].lanes[1].pop();
            },
            "plan, run 3, lane other, phases: found 11, expected 12",
        ),
        (
            |p| p.runs[2].lanes[1][4].rows[1] = vec![0, 1, 2, 2],
            "plan, run 3, lane other, phase 5, row 2: found [0, 1, 2, 2], \
             expected every arm from 0 to 3 once",
        ),
    ];
    for (change, message) in cases {
        assert_eq!(fault_of(change), message);
    }
}

#[test]
fn an_arm_out_of_range_or_a_row_too_few_is_no_panic() {
    assert!(fault_of(|p| p.runs[0].lanes[0][0].rows[0][0] = 99).contains("run 1, lane main"));
    let message = fault_of(|p| {
        p.runs[0].lanes[0][3].rows.pop();
    });
    assert_eq!(message, "plan, run 1, lane main, phase 4, rows: found 4, expected 5");
    let message = fault_of(|p| p.runs[0].lanes[0][0].rows.clear());
    assert_eq!(message, "plan, run 1, lane main, rows: found 0, expected at least 1");
}

#[test]
fn the_id_survives_the_file_and_nothing_else() {
    let plan = plan();
    let bytes = protocol::canonical::to_bytes(&plan).expect("serialisable");
    let back: Plan = serde_json::from_slice(&bytes).expect("a plan");
    assert_eq!(back, plan);
    let id = plan_id(&plan).expect("serialisable");
    assert_eq!(plan_id(&back).expect("serialisable"), id);
    assert_eq!(id.len(), 64);

    let pretty = serde_json::to_string_pretty(&plan).expect("serialisable");
    let back: Plan = serde_json::from_str(&pretty).expect("a plan");
    assert_eq!(plan_id(&back).expect("serialisable"), id);

    let mut changed = plan;
    changed.calibration[0].values[3] = changed.calibration[0].values[3].next_up();
    assert_ne!(plan_id(&changed).expect("serialisable"), id);
}

#[test]
fn records_survive_their_lines() {
    let spec = Spec::new(&[("a", 1.0)], 2);
    let (_, mut records) = synthetic::trial(&spec).expect("a sound spec");
    records.truncate(20);
    records[3].counters = Some(protocol::record::Counters { cycles: u64::MAX, instructions: 7 });
    let text: String = records.iter().map(|record| lines::write(record).expect("serialisable")).collect();
    assert_eq!(text.lines().count(), 20);
    assert_eq!(lines::read(&text).expect("whole lines"), records);
    assert_eq!(lines::read("").expect("no lines"), []);

    let torn = lines::read(&text[..text.len() - 1]).expect_err("a torn line");
    assert!(torn.to_string().starts_with("records, line 20: no newline"));
    let broken = text.replacen("\"phase\"", "\"faze\"", 2);
    let fault = lines::read(&broken).expect_err("an unknown key").to_string();
    assert!(
        fault.starts_with("records, line 1: JSON of another kind (unknown field `faze`, expected one of"),
        "{fault}"
    );
}

#[test]
fn a_synthetic_spec_without_sense_is_refused() {
    let spec = Spec::new(&[("a", 1.0)], 1).with_lane("other", &[]);
    assert_eq!(
        synthetic::trial(&spec).expect_err("a gain is missing").to_string(),
        "lane other: 0 gains, expected 1, one for every component"
    );
    let spec = Spec { noise: f64::NAN, ..Spec::new(&[("a", 1.0)], 1) };
    let fault = synthetic::trial(&spec).expect_err("no spread");
    assert!(matches!(fault, SyntheticError::Number { what: "noise", .. }));
    let fault = synthetic::trial(&Spec::new(&[("a", -100.0)], 1)).expect_err("no speed left");
    assert_eq!(fault.to_string(), "gain -100, expected above -100 %");
}

#[test]
fn a_plan_without_components_is_refused() {
    let mut plan = plan();
    plan.components.clear();
    let expected = PlanFault::Field {
        place: "components".to_owned(),
        found: "none".to_owned(),
        expected: "at least one".to_owned(),
    };
    assert_eq!(plan.check(), Err(expected));
}
