//! Disks without room: one message with the remedy, nothing half-written, nothing left.

mod support;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bench_lab::folder::{Folder, Void};
use bench_lab::measure::{PhaseJob, run_phase};
use bench_lab::{Cancel, Fault};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use protocol::plan::{Measure, SlotPlan, Workload};
use protocol::synthetic::{self, Spec};
use protocol::{ProcessRecord, lines};
use support::{Scratch, arm, fake_engine, lane, limits, positions};

/// One test at a time may take room away: the limit holds for the whole process.
static TURN: Mutex<()> = Mutex::new(());

/// Does `work` while no file may grow beyond `bytes`.
fn within<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: ignoring a signal installs no handler. A full disk, which this stands for, sends none.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.expect("a signal");
    let (_, hard) = getrlimit(Resource::RLIMIT_FSIZE).expect("a limit");
    setrlimit(Resource::RLIMIT_FSIZE, bytes, hard).expect("a limit");
    let result = work();
    setrlimit(Resource::RLIMIT_FSIZE, hard, hard).expect("a limit");
    result
}

#[test]
fn records_without_room_leave_no_line_of_their_phase() {
    let (_, records) = synthetic::trial(&Spec::new(&[("one", 1.0)], 1)).expect("a trial");
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Folder::create(folder.path()).expect("the folder").records().expect("records");
    let path = folder.path().join("records.jsonl");
    let size = || fs::metadata(&path).expect("the records").len();
    writer.append(&records[..3]).expect("room");
    let before = size();
    let line = lines::write(&records[3]).expect("a line").len() as u64;
    let refused = within(before + line + line / 2, || writer.append(&records[3..6]));
    let told = refused.expect_err("no room for two lines").to_string();
    assert!(told.starts_with(&format!("cannot write {}: ", path.display())), "{told}");
    assert!(told.ends_with("make room there, or name a folder on another disk with --out"), "{told}");
    assert_eq!(size(), before, "half a phase is left");
    writer.append(&records[3..6]).expect("room again");
    let written: Vec<ProcessRecord> =
        lines::read(&fs::read_to_string(&path).expect("the records")).expect("whole lines");
    assert_eq!(written, records[..6]);
}

#[test]
fn a_copy_without_room_is_told_with_the_remedy() {
    let scratch = Scratch::new();
    let engine = fs::metadata(fake_engine()).expect("the engine").len();
    let job = PhaseJob {
        place: "run 1, phase 1",
        lane: &lane(),
        workload: &Workload { positions: positions(1), nodes: 1_000, sha256: String::new() },
        measure: &Measure {
            slice_us: 1_000,
            processes: 1,
            threshold_percent: 1.5,
            judged: String::new(),
            lanes_at_once: false,
        },
        slots: &SlotPlan { rows: vec![vec![0, 1]] },
        arms: &[arm("base", ""), arm("full", "")],
        nodes: None,
        scratch: scratch.path(),
        limits: limits(),
    };
    let fault = within(engine / 2, || run_phase(&job, &Cancel::new())).expect_err("no room");
    assert!(matches!(&fault, Fault::Copy { arm, .. } if arm == "base"), "{fault}");
    let told = fault.to_string();
    assert!(told.contains(&format!(" into {}: ", scratch.path().display())), "{told}");
    assert!(told.ends_with("a folder on another disk with CARGO_TARGET_DIR"), "{told}");
    scratch.assert_clean();
}

/// Bytes of the files without a name that this process keeps in a folder.
fn kept_in(folder: &Path) -> u64 {
    let open = fs::read_dir("/proc/self/fd").expect("open files").flatten();
    let kept = open.filter(|entry| {
        fs::read_link(entry.path()).is_ok_and(|file| file.starts_with(folder) && !file.exists())
    });
    kept.map(|entry| fs::metadata(entry.path()).expect("an open file").len()).sum()
}

#[test]
fn room_is_kept_to_say_that_a_trial_is_void() {
    let path = tempfile::tempdir().expect("a folder");
    let folder = Folder::create(path.path()).expect("the folder");
    assert_eq!(fs::read_dir(path.path()).expect("the folder").count(), 0, "without a name");
    assert!(kept_in(path.path()) >= 1 << 16);
    let text = "x".repeat(1 << 15);
    let void = Void { plan_id: text.clone(), reason: text, place: "run 1".into(), time: "now".into() };
    folder.write_void(&void).expect("room");
    assert_eq!(kept_in(path.path()), 0);
    assert_eq!(folder.read_void().expect("void.json"), Some(void));
}
