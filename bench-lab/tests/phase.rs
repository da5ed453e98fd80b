//! One measured phase of fake engines: what is recorded, and how it ends when something goes wrong.

use std::time::Duration;

use crate::support::{Scratch, arm, lane, limits, positions};
use bench_lab::arm::ArmImage;
use bench_lab::arm::session::Limits;
use bench_lab::measure::{Gate, PhaseJob, ProcessMeasurement, run_phase};
use bench_lab::{Cancel, Fault, calibrate};
use protocol::plan::{Measure, SlotPlan, Workload};

/// Runs a phase and checks that nothing is left of it.
fn phase(
    arms: &[ArmImage],
    rows: &[&[usize]],
    nodes: Option<&[u64]>,
    limits: Limits,
    cancel: &Cancel,
) -> Result<Vec<ProcessMeasurement>, Fault> {
    let scratch = Scratch::new();
    let result = run_phase(
        &PhaseJob {
            place: "run 3, phase 5",
            lane: &lane(),
            workload: &Workload { positions: positions(4), nodes: 20_000, sha256: String::new() },
            measure: &Measure {
                slice_us: 2_000,
                processes: 2,
                threshold_percent: 1.5,
                judged: "total-rate".to_owned(),
                lanes_at_once: false,
            },
            slots: &SlotPlan { rows: rows.iter().map(|row| row.to_vec()).collect() },
            arms,
            nodes,
            scratch: scratch.path(),
            limits,
        },
        cancel,
    );
    scratch.assert_clean();
    result
}

/// The slots of `arm` up to slot `last`, in the repeated plan.
fn slots_of(arm: usize, rows: &[&[usize]], last: u64) -> Vec<u64> {
    let order = rows.concat();
    (0..=last).filter(|&slot| order[slot as usize % order.len()] == arm).collect()
}

#[test]
fn records_what_the_slot_plan_says() {
    let arms = [arm("base", "work=60"), arm("full", "work=20"), arm("without:x", "work=40")];
    let rows: &[&[usize]] = &[&[2, 0, 1], &[1, 2, 0], &[0, 1, 2]];
    let measured = phase(&arms, rows, None, limits(), &Cancel::new()).unwrap();
    let order: Vec<_> = measured.iter().map(|measured| (measured.process, measured.arm)).collect();
    assert_eq!(order, [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]);
    for measured in &measured {
        let slots = slots_of(measured.arm, rows, measured.slots.last);
        assert_eq!(measured.slots.first, slots[0], "{measured:?}");
        assert_eq!(Some(&measured.slots.last), slots.last(), "{measured:?}");
        assert_eq!(measured.slots.count, slots.len() as u64, "{measured:?}");
        assert!(measured.cpu_ns > 0 && measured.wall_ns > 0);
        assert_eq!(measured.searches.len(), 4);
        assert_eq!(measured.nodes, 80_000);
        assert_eq!(measured.cpu_ns, measured.searches.iter().map(|search| search.cpu_ns).sum::<u64>());
        assert!(measured.searches.iter().all(|search| search.nodes == 20_000));
    }
}

#[test]
fn peak_memory_and_start_up_time_are_of_the_process_itself() {
    let arms = [arm("base", ""), arm("full", "memory=40,slow=150")];
    let measured = phase(&arms, &[&[0, 1], &[1, 0]], None, limits(), &Cancel::new()).unwrap();
    for pair in measured.chunks(2) {
        let [base, full] = [pair[0].footprint, pair[1].footprint];
        // The lab has more memory than that: it must not be taken for the arm's.
        assert!((100_000..16 << 20).contains(&base.peak_bytes), "{base:?}");
        assert!((40 << 20..60 << 20).contains(&full.peak_bytes), "{full:?}");
        assert!(base.start_up_ns > 0 && full.start_up_ns >= 150_000_000, "{base:?}, {full:?}");
    }
}

#[test]
fn one_arm_alone_and_known_node_counts() {
    let measured = phase(&[arm("full", "")], &[&[0]], Some(&[20_000; 4]), limits(), &Cancel::new()).unwrap();
    assert_eq!(measured.len(), 2);
    assert_eq!(measured[0].slots.count, measured[0].slots.last + 1);
}

#[test]
fn noisy_and_slow_starters_are_measured_all_the_same() {
    let arms = [arm("base", "garbage"), arm("full", "slow=300")];
    assert_eq!(phase(&arms, &[&[0, 1], &[1, 0]], None, limits(), &Cancel::new()).unwrap().len(), 4);
}

#[test]
fn node_counts_must_agree() {
    let arms = [arm("base", ""), arm("full", "nodes=2")];
    match phase(&arms, &[&[0, 1]], None, limits(), &Cancel::new()).unwrap_err() {
        Fault::NodesDiffer { arm, against, position, found, expected, place } => {
            assert_eq!(position, positions(2)[1]);
            let pair = [(arm, found), (against, expected)];
            assert!(
                pair.contains(&("base".to_owned(), 20_000)) && pair.contains(&("full".to_owned(), 20_001))
            );
            assert_eq!(place, "in search 2 (run 3, phase 5, lane test, process 1)");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn node_counts_must_agree_with_earlier_phases() {
    let arms = [arm("full", "")];
    let nodes = [20_000, 20_000, 19_999, 20_000];
    let fault = phase(&arms, &[&[0]], Some(&nodes), limits(), &Cancel::new()).unwrap_err();
    let expected = "node counts differ in search 3 (run 3, phase 5, lane test, process 1) on \
                    4k3/8/8/8/8/8/8/4K3 w - - 0 3: full searched 20000, expected 19999 as earlier phases";
    assert_eq!(fault.to_string(), expected);
    assert!(fault.is_arms_doing());
}

#[test]
fn missing_node_count_is_named() {
    let fault = phase(&[arm("full", "mute=4")], &[&[0]], None, limits(), &Cancel::new()).unwrap_err();
    assert!(matches!(&fault, Fault::NoNodes { position, .. } if *position == positions(4)[3]), "{fault}");
    assert!(fault.to_string().ends_with("; expected `info … nodes N …` before it"), "{fault}");
}

#[test]
fn a_dying_arm_is_named() {
    let arms = [arm("base", ""), arm("full", "die=3"), arm("without:x", "")];
    match phase(&arms, &[&[0, 1, 2], &[2, 1, 0]], None, limits(), &Cancel::new()).unwrap_err() {
        Fault::Died { arm, place, status, stderr, .. } => {
            assert_eq!(arm, "full");
            assert_eq!(place, "in search 3 (run 3, phase 5, lane test, process 1)");
            assert_eq!(status, "exit status 3");
            assert!(stderr.contains("told to die"));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_hanging_arm_is_named_and_does_not_block_the_others() {
    let limits = Limits { search: Duration::from_millis(500), ..limits() };
    let arms = [arm("base", ""), arm("full", "hang=2")];
    match phase(&arms, &[&[0, 1]], None, limits, &Cancel::new()).unwrap_err() {
        Fault::Hang { arm, expected, seconds, .. } => {
            assert_eq!((arm.as_str(), expected.as_str()), ("full", "bestmove"));
            assert!(seconds >= 0.5);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn endless_chatter_does_not_hold_the_slots() {
    let arms = [arm("base", ""), arm("full", "chatter")];
    let fault = phase(&arms, &[&[0, 1]], None, limits(), &Cancel::new()).unwrap_err();
    assert!(matches!(&fault, Fault::Chatter { arm, .. } if arm == "full"), "{fault}");
}

#[test]
fn cancelled_in_mid_phase() {
    let cancel = Cancel::new();
    // Work without end: only the cancelling ends the phase.
    let arms = [arm("base", "work=1000000"), arm("full", "work=1000000")];
    let canceller = {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(500));
            cancel.cancel();
        })
    };
    let fault = phase(&arms, &[&[0, 1]], None, limits(), &cancel).unwrap_err();
    assert!(matches!(fault, Fault::Cancelled), "{fault}");
    assert!(!fault.is_arms_doing());
    canceller.join().unwrap();
}

#[test]
fn jobs_that_cannot_work_are_refused() {
    let arms = [arm("base", ""), arm("full", "")];
    for (rows, nodes, part) in [
        (&[] as &[&[usize]], None, "the slot plan is empty"),
        (&[&[0, 1], &[0, 0]], None, "row 2 of the slot plan is [0, 0], expected each of 2 arms once"),
        (&[&[0, 1, 2]], None, "row 1"),
        (&[&[0, 1]], Some(&[1u64, 2] as &[u64]), "2 node counts are given for 4 positions"),
    ] {
        let fault = phase(&arms, rows, nodes, limits(), &Cancel::new()).unwrap_err();
        assert!(matches!(fault, Fault::Job(_)));
        assert!(fault.to_string().contains(part), "{part} in {fault}");
    }
}

#[test]
fn copies_of_one_arm_are_compared_in_all_roles() {
    let scratch = Scratch::new();
    let copies = [arm("copy 1", ""), arm("copy 2", ""), arm("copy 3", "")];
    let job = PhaseJob {
        place: "calibration",
        lane: &lane(),
        workload: &Workload { positions: positions(2), nodes: 20_000, sha256: String::new() },
        measure: &Measure {
            slice_us: 2_000,
            processes: 1,
            threshold_percent: 1.5,
            judged: "total-rate".to_owned(),
            lanes_at_once: false,
        },
        slots: &SlotPlan { rows: vec![vec![0, 1, 2], vec![1, 2, 0]] },
        arms: &copies,
        nodes: None,
        scratch: scratch.path(),
        limits: limits(),
    };
    for swapped in [false, true] {
        let samples = calibrate::phase(&job, 1, swapped, &Gate::new(), &Cancel::new()).unwrap();
        assert_eq!(samples.len(), 2);
        assert!(samples.iter().all(|sample| sample.value.is_finite() && sample.swapped == swapped));
    }
    assert!(matches!(calibrate::phase(&job, 3, false, &Gate::new(), &Cancel::new()), Err(Fault::Job(_))));
    scratch.assert_clean();
}
