//! Trials that must not be judged: other trees, dying arms, an impatient user.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::mini::{Mini, errors, lab};
use nix::libc::{RLIM_INFINITY, RLIMIT_FSIZE, prlimit, rlimit};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;

/// Waits until the lab has written this many records.
fn wait_for_records(lab: &mut Child, folder: &Path, count: usize) {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(folder.join("records.jsonl")).unwrap_or_default();
        if text.lines().count() >= count {
            return;
        }
        assert!(lab.try_wait().expect("a child").is_none(), "the lab ended before it had measured");
        assert!(begun.elapsed() < Duration::from_secs(300), "the lab does not measure");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn assert_void(folder: &Path, reason: &str) {
    let void = fs::read_to_string(folder.join("void.json")).expect("void.json");
    let void: serde_json::Value = serde_json::from_str(&void).expect("JSON");
    let told = void["reason"].as_str().expect("a reason");
    assert!(told.contains(reason), "{told}");
    let place = void["place"].as_str().expect("a place");
    assert!(place.starts_with("run ") && place.ends_with("lane main"), "{place}");
    for absent in ["verdict.json", "report.html", "timing.json"] {
        assert!(!folder.join(absent).exists(), "{absent} in a void trial");
    }
}

#[test]
fn an_arm_with_another_tree_is_refused() {
    let mini = Mini::take();
    let output = mini.command(&mini.bundle(&["odd"])).output().expect("the lab");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(4), "{told}");
    let lines: Vec<&str> = told.lines().skip_while(|line| !line.starts_with("error:")).collect();
    assert!(lines[0].contains("the trees differ on") && lines[0].contains("lane main"), "{told}");
    assert!(lines[1].trim_start().starts_with("base") && lines[1].contains("score cp"), "{told}");
    assert!(lines[2].trim_start().starts_with("full") && lines[2].contains("score cp"), "{told}");
    assert!(!mini.out().exists(), "a folder without a plan");
}

#[test]
fn an_arm_that_dies_voids_the_trial() {
    let mini = Mini::take();
    let mut lab = mini.command(&mini.bundle(&["frail"])).spawn().expect("the lab");
    wait_for_records(&mut lab, &mini.out(), 9);
    mini.die();
    let output = lab.wait_with_output().expect("the lab");
    assert_eq!(output.status.code(), Some(5), "{}", errors(&output));
    assert_void(&mini.out(), "arm full died");
    assert_eq!(mini.orphans(), [""; 0]);
    let again = self::lab().arg("verdict").arg(mini.out()).output().expect("the lab");
    assert_eq!(again.status.code(), Some(5), "{}", errors(&again));
    assert!(errors(&again).contains("arm full died"), "{}", errors(&again));
}

#[test]
fn an_interrupt_voids_the_trial() {
    let mini = Mini::take();
    let mut lab = mini.command(&mini.bundle(&["quick"])).spawn().expect("the lab");
    wait_for_records(&mut lab, &mini.out(), 9);
    kill(Pid::from_raw(lab.id() as i32), Signal::SIGINT).expect("a signal");
    let output = lab.wait_with_output().expect("the lab");
    assert_eq!(output.status.code(), Some(5), "{}", errors(&output));
    assert_void(&mini.out(), "cancelled");
    assert_eq!(mini.orphans(), [""; 0]);
}

#[test]
fn a_lab_that_is_killed_while_it_builds_leaves_no_process() {
    let mini = Mini::take();
    for wait_ms in [40, 150, 400, 800] {
        // A component of its own, so that there is something to build.
        let bundle = mini.bundle(&["quick", "frail"]);
        let text = fs::read_to_string(&bundle).expect("the bundle");
        let env = format!("package = \"mini\"\nenv = {{ WAIT = \"{wait_ms}\" }}\n");
        fs::write(&bundle, text.replace("package = \"mini\"\n", &env)).expect("the bundle");
        let mut lab = mini.command(&bundle).spawn().expect("the lab");
        std::thread::sleep(Duration::from_millis(wait_ms));
        lab.kill().expect("a signal");
        lab.wait().expect("the lab");
        let until = Instant::now() + Duration::from_secs(10);
        while !mini.orphans().is_empty() {
            assert!(Instant::now() < until, "{:?} left after {wait_ms} ms", mini.orphans());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!mini.out().join("plan.json").exists(), "a plan before anything was built");
        // Not there yet, or empty: free for the next trial.
        assert_eq!(fs::read_dir(mini.out()).into_iter().flatten().count(), 0);
    }
}

#[test]
fn a_killed_lab_is_told_at_the_next_start() {
    let mini = Mini::take();
    let mut lab = mini.command(&mini.bundle(&["quick"])).spawn().expect("the lab");
    wait_for_records(&mut lab, &mini.out(), 9);
    // While it lives, another one is refused and told who it is.
    let second = mini.command(&mini.bundle(&["quick"])).output().expect("the lab");
    assert_eq!(second.status.code(), Some(1), "{}", errors(&second));
    let held = format!("is in use by another lab: process {} (`", lab.id());
    assert!(
        errors(&second).contains(&held) && errors(&second).contains(", for bundle mini; wait"),
        "{}",
        errors(&second)
    );
    lab.kill().expect("a signal");
    lab.wait().expect("the end");
    assert!(!mini.out().join("void.json").exists());
    let next = self::lab().arg("register").arg(mini.register()).output().expect("the lab");
    assert_eq!(next.status.code(), Some(0), "{}", errors(&next));
    let told = errors(&next);
    let reason = format!("is void, in run 1: the lab (process {}) ended without a word\n", lab.id());
    assert!(told.starts_with("the trial in trial (bundle mini, plan ") && told.ends_with(&reason), "{told}");
    assert!(String::from_utf8_lossy(&next.stdout).contains("1/8  void"), "{next:?}");
    let void = fs::read_to_string(mini.out().join("void.json")).expect("void.json");
    assert!(void.contains("ended without a word"), "{void}");
    let again = self::lab().arg("register").arg(mini.register()).output().expect("the lab");
    assert_eq!(errors(&again), "", "told once");
}

#[test]
fn a_changed_bundle_voids_the_trial() {
    let mini = Mini::take();
    let bundle = mini.bundle(&["quick"]);
    let mut lab = mini.command(&bundle).spawn().expect("the lab");
    wait_for_records(&mut lab, &mini.out(), 3);
    let text = fs::read_to_string(&bundle).expect("the bundle");
    fs::write(&bundle, text + "\n").expect("the bundle");
    let output = lab.wait_with_output().expect("the lab");
    assert_eq!(output.status.code(), Some(5), "{}", errors(&output));
    let void = fs::read_to_string(mini.out().join("void.json")).expect("void.json");
    assert!(void.contains("the bundle file: planned") && void.contains("before run 2"), "{void}");
}

#[test]
fn an_arm_that_does_not_build_is_told_with_its_command() {
    let mini = Mini::take();
    let bundle = mini.bundle(&["quick"]);
    let text = fs::read_to_string(&bundle).expect("the bundle");
    let text = text.replace("package = \"mini\"\n", "package = \"mini\"\nprofile = \"absent\"\n");
    fs::write(&bundle, text).expect("the bundle");
    let output = mini.command(&bundle).output().expect("the lab");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("arm base does not build: `cargo rustc -p mini"), "{told}");
    assert!(told.contains("profile `absent` is not defined"), "{told}");
    assert!(!mini.out().exists(), "a folder without a plan");
}

#[test]
fn a_trial_is_never_overwritten() {
    let mini = Mini::take();
    fs::create_dir(mini.out()).expect("a folder");
    fs::write(mini.out().join("plan.json"), "{}").expect("a file");
    let output = mini.command(&mini.bundle(&["quick"])).output().expect("the lab");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(errors(&output).contains("is not empty (it holds plan.json)"), "{}", errors(&output));
    assert_eq!(fs::read_to_string(mini.out().join("plan.json")).expect("a file"), "{}");
}

/// Lets no file of a living lab, and of what it starts from now on, grow beyond `bytes`.
fn take_room(lab: &Child, bytes: u64) {
    let limit = rlimit { rlim_cur: bytes, rlim_max: RLIM_INFINITY };
    // SAFETY: the new limit is a valid object for the time of the call; the old one is not asked for.
    let done = unsafe { prlimit(lab.id() as i32, RLIMIT_FSIZE, &limit, std::ptr::null_mut()) };
    assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
}

#[test]
fn a_trial_without_room_is_void_and_leaves_nothing() {
    let mini = Mini::take();
    // SAFETY: ignoring a signal installs no handler. Children inherit it; a full disk sends none.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.expect("a signal");
    let mut lab = mini.command(&mini.bundle(&["quick"])).spawn().expect("the lab");
    wait_for_records(&mut lab, &mini.out(), 9);
    // Enough for records and for what is to be said, not for an executable.
    take_room(&lab, 1 << 17);
    let output = lab.wait_with_output().expect("the lab");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(5), "{told}");
    assert_void(&mini.out(), "File too large");
    // Whole phases of three arms, in whole lines.
    let records = fs::read_to_string(mini.out().join("records.jsonl")).expect("records");
    assert!(records.ends_with('\n'));
    assert_eq!(protocol::lines::read(&records).expect("whole lines").len() % 3, 0);
    assert_eq!(mini.orphans(), [""; 0]);
    assert_eq!(mini.scratch_folders(), [""; 0]);
}

#[test]
fn at_most_two_draws_lie_on_the_disk() {
    let mini = Mini::take();
    let mut lab = mini.command(&mini.bundle(&["quick"])).spawn().expect("the lab");
    let begun = Instant::now();
    let mut most = 0;
    while fs::read_to_string(mini.out().join("records.jsonl")).unwrap_or_default().lines().count() < 45 {
        assert!(lab.try_wait().expect("a child").is_none(), "the lab ended before it had measured");
        assert!(begun.elapsed() < Duration::from_secs(300), "the lab does not measure");
        most = most.max(mini.draws());
        std::thread::sleep(Duration::from_millis(1));
    }
    kill(Pid::from_raw(lab.id() as i32), Signal::SIGINT).expect("a signal");
    lab.wait().expect("the lab");
    assert!((1..=2).contains(&most), "{most} draws at a time");
    assert_eq!(mini.scratch_folders(), [""; 0]);
}

#[test]
fn a_work_folder_that_cannot_be_made_is_told() {
    let mini = Mini::take();
    let occupied = mini.trials.path().join("occupied");
    fs::write(&occupied, "").expect("a file");
    let mut command = mini.command(&mini.bundle(&["quick"]));
    let output = command.env("CARGO_TARGET_DIR", &occupied).output().expect("the lab");
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(&format!("error: cannot create {}/bench-lab: ", occupied.display())), "{told}");
    assert!(!mini.out().exists(), "a folder without a plan");
}
