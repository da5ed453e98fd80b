//! Two lanes at once: what is recorded of each, and how both end when something goes wrong on one.

use std::fs;
use std::time::Duration;

use crate::fake_lab::{self, Lab};
use crate::support::{Scratch, arm, cores, lane, limits, positions};
use bench_lab::arm::ArmImage;
use bench_lab::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_phases};
use bench_lab::{Cancel, Fault};
use protocol::plan::{Lane, Measure, SlotPlan, Workload};
use protocol::{PHASES, Plan, RUNS};

/// Two lanes, each on a core of its own where there are two.
fn lanes() -> [Lane; 2] {
    let cores = cores();
    let on = |name: &str, core: usize| Lane { name: name.to_owned(), core, ..lane() };
    [on("one", cores[0]), on("other", cores[cores.len() - 1])]
}

/// Runs a phase on both lanes, each with arms of its own, and checks that nothing is left of it.
fn at_once(arms: [&[ArmImage]; 2], cancel: &Cancel) -> Result<Vec<Vec<ProcessMeasurement>>, Fault> {
    let scratch = Scratch::new();
    let (lanes, workload) =
        (lanes(), Workload { positions: positions(3), nodes: 20_000, sha256: String::new() });
    let measure = Measure {
        slice_us: 2_000,
        processes: 2,
        threshold_percent: 1.5,
        judged: "total-rate".to_owned(),
        lanes_at_once: true,
    };
    // Every lane has an order of its own.
    let slots = [vec![vec![0, 1], vec![1, 0]], vec![vec![1, 0], vec![0, 1]]].map(|rows| SlotPlan { rows });
    let job = |lane: usize| PhaseJob {
        place: "run 3, phase 5",
        lane: &lanes[lane],
        workload: &workload,
        measure: &measure,
        slots: &slots[lane],
        arms: arms[lane],
        nodes: None,
        scratch: scratch.path(),
        limits: limits(),
    };
    let gate = Gate::new();
    let result = run_phases(&[job(0), job(1)], &mut StageClock::begin(Stage::Starting), &gate, cancel);
    scratch.assert_clean();
    assert!(gate.pass().is_some(), "the gate is open again");
    result
}

#[test]
fn each_lane_is_measured_by_its_own_plan() {
    // One lane has ten times as much work as the other: it is waited for.
    let quick = [arm("base", "work=20"), arm("full", "work=10")];
    let slow = [arm("base", "work=200"), arm("full", "work=100")];
    let measured = at_once([&quick, &slow], &Cancel::new()).unwrap();
    assert_eq!(measured.len(), 2);
    for (lane, measured) in measured.iter().enumerate() {
        let order: Vec<_> = measured.iter().map(|one| (one.process, one.arm)).collect();
        assert_eq!(order, [(1, 0), (1, 1), (2, 0), (2, 1)]);
        for one in measured {
            assert_eq!((one.nodes, one.searches.len()), (60_000, 3));
            let first = if lane == 0 { one.arm } else { 1 - one.arm };
            assert_eq!(one.slots.first, first as u64, "lane {lane}: {one:?}");
        }
    }
    let time = |lane: usize| measured[lane].iter().map(|one| one.cpu_ns).sum::<u64>();
    assert!(time(1) > 2 * time(0), "each lane has its own work");
}

#[test]
fn a_fault_on_one_lane_ends_both() {
    // Work without end on the other lane: only the fault ends it.
    let endless = [arm("base", "work=1000000"), arm("full", "work=1000000")];
    let dying = [arm("base", ""), arm("full", "die=2")];
    for arms in [[&endless[..], &dying], [&dying, &endless]] {
        match at_once(arms, &Cancel::new()).unwrap_err() {
            Fault::Died { arm, place, .. } => {
                assert_eq!(arm, "full");
                assert!(place.starts_with("in search 2 (run 3, phase 5, lane "), "{place}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_lane_that_does_not_start_ends_the_other() {
    let endless = [arm("base", "work=1000000"), arm("full", "work=1000000")];
    let absent = [ArmImage::plain("base", "/nowhere/engine"), arm("full", "")];
    let fault = at_once([&endless, &absent], &Cancel::new()).unwrap_err();
    assert!(matches!(&fault, Fault::Copy { .. } | Fault::Spawn { .. }), "{fault}");
    assert!(fault.to_string().contains("/nowhere/engine"), "{fault}");
}

#[test]
fn both_are_cancelled_in_mid_phase() {
    let cancel = Cancel::new();
    let endless = [arm("base", "work=1000000"), arm("full", "work=1000000")];
    let canceller = {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(500));
            cancel.cancel();
        })
    };
    let fault = at_once([&endless, &endless], &cancel).unwrap_err();
    assert!(matches!(fault, Fault::Cancelled), "{fault}");
    canceller.join().unwrap();
}

/// A whole trial and its diagnostics: every record of both lanes, in the order that the plan fixed for each.
#[test]
fn a_trial_of_two_lanes_at_once() {
    let cores = cores();
    let [one, other] = [cores[0], cores[cores.len() - 1]];
    let lab = Lab::new();
    let lanes =
        [fake_lab::lane("one", one, "avx2", "work=50"), fake_lab::lane("other", other, "scalar", "work=80")];
    let rest = "lanes_at_once = true\n[identity]\npositions = 2\nnodes = 100\n\
                [diagnostics]\ntogether = [[\"part-a\", \"part-b\"]]\nphases = 1\n";
    let told = lab.run(&lab.bundle(&fake_lab::saving(&[20, 5]), &lanes, rest));
    if one == other {
        assert_eq!(told.code, Some(2), "two lanes on the only core: {}", told.err);
        return;
    }
    assert!(told.code == Some(0) || told.code == Some(3), "{}", told.err);
    assert!(told.err.contains("run 1, phase 1, lanes one and other"), "{}", told.err);
    assert!(told.err.contains("diagnostics, run 1, phase 1, lanes one and other"), "{}", told.err);
    let read = |name: &str| fs::read_to_string(lab.trial().join(name)).expect(name);
    let plan: Plan = serde_json::from_str(&read("plan.json")).expect("a plan");
    assert!(plan.measure.lanes_at_once);
    protocol::check_balance(&plan).expect("both orders are balanced");
    let records = protocol::lines::read(&read("records.jsonl")).expect("records");
    assert_eq!(records.len(), RUNS * PHASES * 2 * plan.arms.len());
    let verdict = protocol::judge(&plan, &records, &"0".repeat(64)).expect("complete and consistent");
    let diagnosed = protocol::lines::read(&read("diagnostics.jsonl")).expect("records");
    assert_eq!(diagnosed.len(), RUNS * 2 * 3);
    protocol::diagnostics::find(&plan, &verdict, &diagnosed).expect("complete and consistent");
    // A phase's records stand together, lane after lane.
    for (records, arms) in [(&records, plan.arms.len()), (&diagnosed, 3)] {
        let lanes: Vec<&str> = records.iter().map(|record| record.lane.as_str()).collect();
        let phase = [vec!["one"; arms], vec!["other"; arms]].concat();
        assert!(lanes.chunks(2 * arms).all(|chunk| chunk == phase), "{lanes:?}");
    }
    assert!(read("report.html").contains("both at once"));
}
