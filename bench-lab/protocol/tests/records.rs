//! Records that don't fit are named, one fault each.

use protocol::plan::{BASE, FULL};
use protocol::synthetic::{self, Spec};
use protocol::trial::Place;
use protocol::{Plan, PlanFault, ProcessRecord, RecordFault, Trial, judge};

fn spec() -> Spec {
    Spec { positions: 3, ..Spec::new(&[("a", 1.0), ("b", 0.5)], 11).with_lane("other", &[0.4, 2.0]) }
}

fn trial() -> (Plan, Vec<ProcessRecord>) {
    synthetic::trial(&spec()).expect("a sound spec")
}

/// Run 2, phase 3, lane `other`, arm `without:a`, process 2.
fn place() -> Place {
    Place { run: 2, phase: 3, lane: "other".to_owned(), arm: "without:a".to_owned(), process: 2 }
}

/// What judging says after a change to the record at [`place`].
fn fault_of(change: impl FnOnce(&mut ProcessRecord)) -> RecordFault {
    let (plan, mut records) = trial();
    let record = records.iter_mut().find(|record| Place::of(record) == place());
    change(record.expect("the record is there"));
    judge(&plan, &records, "").expect_err("the records are at fault")
}

#[test]
fn a_missing_record_is_named() {
    let (plan, mut records) = trial();
    records.retain(|record| Place::of(record) != place());
    let fault = judge(&plan, &records, "").expect_err("one record is missing");
    assert_eq!(fault, RecordFault::Missing { place: place() });
    assert_eq!(
        fault.to_string(),
        "run 2, phase 3, lane other, arm without:a, process 2: no record, expected one"
    );
}

#[test]
fn nothing_is_computed_before_the_last_run_has_ended() {
    let (plan, mut records) = trial();
    records.retain(|record| record.run < 8);
    let fault = judge(&plan, &records, "").expect_err("a run is missing");
    match fault {
        RecordFault::Missing { place } => assert_eq!((place.run, place.phase), (8, 1)),
        other => panic!("another fault: {other}"),
    }
}

#[test]
fn a_doubled_record_is_named() {
    let (plan, mut records) = trial();
    let again = records.iter().find(|record| Place::of(record) == place());
    let again = again.expect("the record is there").clone();
    records.insert(0, again);
    let fault = judge(&plan, &records, "").expect_err("one record is there twice");
    assert_eq!(fault, RecordFault::Duplicate { place: place() });
}

#[test]
fn a_record_outside_the_plan_is_named() {
    let changes: [fn(&mut ProcessRecord); 8] = [
        |record| record.run = 0,
        |record| record.run = 9,
        |record| record.phase = 0,
        |record| record.phase = 13,
        |record| record.process = 0,
        |record| record.process = 3,
        |record| record.lane = "elsewhere".to_owned(),
        |record| record.arm = "without:c".to_owned(),
    ];
    for change in changes {
        let mut expected = place();
        let fault = fault_of(|record| {
            change(record);
            expected = Place::of(record);
        });
        assert_eq!(fault, RecordFault::NotPlanned { place: expected });
    }
}

#[test]
fn another_draw_is_named() {
    let mut planned = 0;
    let fault = fault_of(|record| {
        planned = record.draw.seed;
        record.draw.seed ^= 1;
    });
    let expected = RecordFault::DrawSeed { place: place(), found: planned ^ 1, expected: planned };
    assert_eq!(fault, expected);
}

#[test]
fn another_start_up_layout_is_named() {
    for (change, name) in [
        ((|d| d.tables = Some(7)) as fn(&mut protocol::record::DrawRecord), "table layout"),
        ((|d| d.heap_offset += 4096) as fn(&mut protocol::record::DrawRecord), "heap offset"),
        ((|d| d.stack_offset += 16) as fn(&mut protocol::record::DrawRecord), "stack offset"),
        (|d| d.mapping_offset += 4096, "mapping offset"),
    ] {
        match fault_of(|record| change(&mut record.draw)) {
            RecordFault::Startup { place: at, what, found, expected } => {
                assert_eq!((at, what), (place(), name));
                assert_ne!(found, expected);
            }
            other => panic!("another fault: {other}"),
        }
    }
}

#[test]
fn another_executable_is_named() {
    let fault = fault_of(|record| record.draw.executable_sha256 = "00".repeat(32));
    match fault {
        RecordFault::Executable { place: at, found, .. } => {
            assert_eq!((at, found), (place(), "00".repeat(32)));
        }
        other => panic!("another fault: {other}"),
    }
}

#[test]
fn a_search_too_few_is_named() {
    let fault = fault_of(|record| {
        record.searches.pop();
    });
    let expected = RecordFault::Searches { place: place(), found: 2, expected: 3 };
    assert_eq!(fault, expected);
}

#[test]
fn another_tree_is_named() {
    let fault = fault_of(|record| {
        record.searches[1].nodes += 1;
        record.nodes += 1;
    });
    let expected = RecordFault::Nodes {
        place: place(),
        position: 2,
        found: 2_001,
        expected: 2_000,
        reference: "base".to_owned(),
    };
    assert_eq!(fault, expected);
    assert_eq!(
        fault.to_string(),
        "run 2, phase 3, lane other, arm without:a, process 2, position 2: 2001 nodes, \
         expected 2000 as base searched"
    );
}

#[test]
fn nodes_moved_between_positions_are_named() {
    let fault = fault_of(|record| {
        record.searches[0].nodes += 1;
        record.searches[2].nodes -= 1;
    });
    assert!(matches!(fault, RecordFault::Nodes { position: 1, .. }), "{fault}");
}

#[test]
fn totals_that_do_not_add_up_are_named() {
    match fault_of(|record| record.nodes += 1) {
        RecordFault::Total { place: at, what, found, expected } => {
            assert_eq!((at, what, found, expected), (place(), "nodes", 6_001, 6_000));
        }
        other => panic!("another fault: {other}"),
    }
    match fault_of(|record| record.cpu_ns -= 1) {
        RecordFault::Total { what, found, expected, .. } => {
            assert_eq!((what, found + 1), ("processor time (ns)", expected));
        }
        other => panic!("another fault: {other}"),
    }
    // A sum beyond the range of the type is a fault, no overflow.
    let fault = fault_of(|record| record.searches[0].cpu_ns = u64::MAX);
    assert!(matches!(fault, RecordFault::Total { .. }), "{fault}");
}

#[test]
fn a_search_without_time_is_named() {
    let fault = fault_of(|record| {
        record.cpu_ns -= record.searches[2].cpu_ns;
        record.searches[2].cpu_ns = 0;
    });
    let expected = RecordFault::NoTime { place: place(), position: 3 };
    assert_eq!(fault, expected);
}

#[test]
fn searching_nothing_at_all_is_named() {
    let (plan, mut records) = trial();
    for record in &mut records {
        record.nodes = 0;
        for search in &mut record.searches {
            search.nodes = 0;
        }
    }
    let fault = judge(&plan, &records, "").expect_err("nobody searched");
    assert!(matches!(fault, RecordFault::NoNodes { .. }), "{fault}");
}

#[test]
fn slots_that_do_not_fit_the_plan_are_named() {
    let fault = fault_of(|record| record.slots.count += 1);
    match fault {
        RecordFault::Slots { place: at, found, expected } => {
            assert_eq!((at, expected), (place(), Some(found.count - 1)));
        }
        other => panic!("another fault: {other}"),
    }
    // No arm follows itself, so the slot after belongs to another.
    for change in [
        (|slots| slots.first += 1) as fn(&mut protocol::record::SlotSpan),
        |slots| slots.last += 1,
        |slots| slots.last = slots.first.wrapping_sub(1),
    ] {
        let fault = fault_of(|record| change(&mut record.slots));
        assert!(matches!(fault, RecordFault::Slots { expected: None, .. }), "{fault}");
        assert!(fault.to_string().ends_with("expected a span that starts and ends in slots of this arm"));
    }
}

#[test]
fn a_fault_of_the_plan_comes_first() {
    let (mut plan, _) = trial();
    plan.runs.pop();
    let fault = judge(&plan, &[], "").expect_err("a run is missing");
    assert!(matches!(fault, RecordFault::Plan(PlanFault::Field { .. })), "{fault}");
    assert_eq!(fault.to_string(), "plan, runs: found 7, expected 8");
}

#[test]
fn processes_are_those_of_the_place() {
    let (plan, records) = trial();
    let trial = Trial::new(&plan, &records).expect("a complete trial");
    for (arm, name) in [(BASE, "base"), (FULL, "full"), (3, "without:b")] {
        let processes = trial.processes(1, 4, 6, arm);
        assert_eq!(processes.len(), 2);
        for (number, record) in (1..).zip(processes) {
            let at = Place::of(record);
            assert_eq!((at.run, at.phase, at.process), (5, 7, number));
            assert_eq!((at.lane.as_str(), at.arm.as_str()), ("other", name));
        }
    }
}
