//! Disks without room: one message with the remedy, nothing half-written, nothing left.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Scratch, arm, fake_engine, lane, limits, positions};
use bench_lab::folder::{Folder, FolderError, Void};
use bench_lab::locks::Holder;
use bench_lab::measure::{PhaseJob, run_phase};
use bench_lab::register::RegisterFile;
use bench_lab::{Cancel, Fault};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use protocol::plan::{Measure, SlotPlan, Workload};
use protocol::register::{Event, Lab, Planned, Register, Start};
use protocol::synthetic::{self, Spec};
use protocol::{ProcessRecord, lines};

/// Set in the process that a test has for itself.
const ALONE: &str = "NO_ROOM_ALONE";

/// Does the work of a test in a process of its own: a limit on files holds for a whole process, and the test's own may
/// print into a file that is larger.
fn alone(test: &str, work: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        return work();
    }
    let mut own = Command::new(std::env::current_exe().expect("this test"));
    let output = own.args(["--exact", test, "--nocapture"]).env(ALONE, "1").output().expect("this test");
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
}

/// Does `work` while no file may grow beyond `bytes`.
fn within<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
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
    alone("no_room::records_without_room_leave_no_line_of_their_phase", || {
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
    });
}

#[test]
fn a_page_without_room_can_be_drawn_elsewhere() {
    alone("no_room::a_page_without_room_can_be_drawn_elsewhere", || {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("trial");
        Folder::create(&path).expect("the folder");
        fs::write(path.join("plan.json"), "{}").expect("a plan");
        let folder = Folder::open(&path).expect("the folder");
        let page = path.join("report.html");
        let told = |error: FolderError| error.to_string();
        let refused =
            told(within(1 << 12, || folder.write_report(&"x".repeat(1 << 13))).expect_err("no room"));
        assert!(refused.starts_with(&format!("cannot write {}: ", page.display())), "{refused}");
        assert!(
            refused
                .ends_with("; make room there, or draw it elsewhere: `bench-lab report DIR --output FILE`"),
            "{refused}"
        );
        assert_eq!(fs::read_dir(&path).expect("the folder").count(), 1, "litter");
        // No option names the folder of an earlier trial, and its temporary files are nobody's business.
        let refused = told(within(1 << 12, || folder.write_void(&void(1 << 13))).expect_err("no room"));
        assert!(refused.ends_with("; make room there"), "{refused}");
        fs::remove_dir_all(&path).expect("removable");
        let refused = told(folder.write_report("x").expect_err("no folder"));
        assert_eq!(
            refused,
            format!("cannot write {}: No such file or directory (os error 2)", page.display())
        );
    });
}

#[test]
fn a_page_that_may_not_be_written_can_be_drawn_elsewhere() {
    let source = std::io::ErrorKind::PermissionDenied.into();
    let refused = FolderError::Page { path: "q/report.html".into(), source }.to_string();
    let remedy = "; make the folder writable, or draw it elsewhere: `bench-lab report DIR --output FILE`";
    assert!(refused.starts_with("cannot write q/report.html: ") && refused.ends_with(remedy), "{refused}");
}

#[test]
fn a_copy_without_room_is_told_with_the_remedy() {
    alone("no_room::a_copy_without_room_is_told_with_the_remedy", || {
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
    });
}

/// A long reason and a long id.
fn void(bytes: usize) -> Void {
    let text = "x".repeat(bytes);
    Void { plan_id: text.clone(), reason: text, place: "run 1".into(), time: "now".into() }
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
    let void = void(1 << 15);
    folder.write_void(&void).expect("room");
    assert_eq!(kept_in(path.path()), 0);
    assert_eq!(folder.read_void().expect("void.json"), Some(void));
}

/// A plan that can be the first one of a register.
fn plan() -> Event {
    Event::Plan(Planned {
        plan_id: "0".repeat(64),
        bundle: "quick".into(),
        bundle_sha256: "1".repeat(64),
        components: Vec::new(),
        attempt: 1,
        folder: "../trial".into(),
        lab: Lab { pid: 7, boot_id: "boot".into() },
    })
}

fn start() -> Event {
    Event::Start(Start { plan_id: "0".repeat(64), run: 1 })
}

#[test]
fn a_register_without_room_stays_as_it_was() {
    alone("no_room::a_register_without_room_stays_as_it_was", || {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results/register.jsonl");
        let open = || RegisterFile::open(&path, &Holder::this("a test"));
        let (mut file, _) = open().expect("none yet");
        let told = within(100, || file.append(plan())).expect_err("no room for the first line").to_string();
        assert!(told.starts_with(&format!("cannot write to the register {}: ", path.display())), "{told}");
        assert!(
            told.ends_with("; make room there, or name a folder on another disk with --register"),
            "{told}"
        );
        assert!(!path.exists(), "a register without a line");

        file.append(plan()).expect("room");
        let before = fs::read(&path).expect("a register");
        let told =
            within(before.len() as u64 + 20, || file.append(start())).expect_err("no room").to_string();
        assert!(told.ends_with(" with --register"), "{told}");
        assert_eq!(fs::read(&path).expect("a register"), before, "half a line is left");
        file.append(start()).expect("room again");
        let whole = fs::read(&path).expect("a register");
        assert_eq!(Register::read(&whole).expect("whole lines").entries().len(), 2);
        drop(file);

        // What a power cut has left of a line waits until there is room to say that it is taken away.
        let torn = [&whole[..], b"{\"event\":"].concat();
        fs::write(&path, &torn).expect("a file");
        let told = within(torn.len() as u64, open).expect_err("no room to say so").to_string();
        assert!(told.ends_with(" with --register"), "{told}");
        assert_eq!(fs::read(&path).expect("a register"), torn);
        let (mended, told) = open().expect("room again");
        assert!(told.is_some_and(|told| told.contains("its 9 bytes were taken away")));
        assert_eq!(mended.register().entries().len(), 3);
    });
}

#[test]
fn a_register_that_could_not_be_begun_leaves_no_folder() {
    alone("no_room::a_register_that_could_not_be_begun_leaves_no_folder", || {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results/register.jsonl");
        let (mut file, _) = RegisterFile::open(&path, &Holder::this("a test")).expect("none yet");
        within(100, || file.append(plan())).expect_err("no room for the first line");
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    });
}
