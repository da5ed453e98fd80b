//! A disk that is full under the register: the register stays as it was, the trial is what its folder says, and the
//! remedy is told once.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output};

use bench_lab::locks::Holder;
use bench_lab::register::{RegisterFile, mend};
use nix::libc;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use protocol::PHASES;
use protocol::register::{Event, Lab, Planned, Register, State, Void};

use super::bundle::{self, Ill};
use super::pauses::pause;

/// Records of one run.
const OF_RUN: usize = PHASES * 3;

/// What helps.
const REMEDY: &str = "; make room there, or name a folder on another disk with --register";

/// A register that is larger than any other file of a trial, so that a limit on files is a limit on it alone.
fn filled(ill: &Ill) -> PathBuf {
    let path = ill.path("results/register.jsonl");
    let engine = fs::metadata(ill.path("engine")).expect("the engine").len() as usize;
    let plan_id = "0".repeat(64);
    let plan = Planned {
        plan_id: plan_id.clone(),
        bundle: "other".into(),
        bundle_sha256: "1".repeat(64),
        components: Vec::new(),
        attempt: 1,
        folder: "../other".into(),
        lab: Lab { pid: 1, boot_id: "boot".into() },
    };
    let void = Void { plan_id, reason: "x".repeat(engine + (1 << 20)), place: "run 1".into() };
    let (mut file, _) = RegisterFile::open(&path, &Holder::this("a test")).expect("none yet");
    for event in [Event::Plan(plan), Event::Void(void)] {
        file.append(event).expect("a line");
    }
    path
}

/// A lab for which a file that is too large is no more than a write that is refused, as on a full disk.
fn unsignalled(mut command: Command) -> Command {
    // SAFETY: ignoring a signal is one system call, which may be made between fork and exec.
    unsafe {
        command.pre_exec(|| Ok(signal(Signal::SIGXFSZ, SigHandler::SigIgn).map(|_| ())?));
    }
    command
}

/// A lab whose files may not grow beyond so many bytes.
fn limited(command: Command, bytes: u64) -> Output {
    let mut command = unsignalled(command);
    let (_, hard) = getrlimit(Resource::RLIMIT_FSIZE).expect("a limit");
    // SAFETY: setting a limit is one system call, which may be made between fork and exec.
    unsafe {
        command.pre_exec(move || Ok(setrlimit(Resource::RLIMIT_FSIZE, bytes, hard)?));
    }
    command.output().expect("the lab")
}

/// The same for one that is at work.
fn limit(lab: &Child, bytes: u64) {
    let (_, hard) = getrlimit(Resource::RLIMIT_FSIZE).expect("a limit");
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: hard };
    let pid = lab.id().cast_signed();
    // SAFETY: the limit is read from a place that lives, and no former limit is asked for.
    let set = unsafe { libc::prlimit(pid, libc::RLIMIT_FSIZE, &limit, std::ptr::null_mut()) };
    assert_eq!(set, 0, "{}", std::io::Error::last_os_error());
}

fn size(path: &PathBuf) -> u64 {
    fs::metadata(path).expect("a file").len()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The one message that ended a command.
fn message(output: &Output) -> String {
    let told = errors(output);
    assert_eq!(told.matches("error: ").count(), 1, "{told}");
    assert_eq!(told.matches(REMEDY).count(), 1, "{told}");
    let (_, message) = told.split_once("error: ").expect("a message");
    message.trim_end().to_owned()
}

#[test]
fn a_plan_that_cannot_be_registered_is_withdrawn() {
    let ill = Ill::new("nothing");
    let register = filled(&ill);
    let before = fs::read(&register).expect("the register");
    let run = ill.lab(&["run", "bundle.toml", "--anyway", "--out", "trial", "--seed", "7"]);
    let output = limited(run, size(&register) + 100);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let told = message(&output);
    assert!(told.starts_with("cannot write to the register ") && told.ends_with(REMEDY), "{told}");
    assert!(fs::read(&register).expect("the register") == before, "the register was changed");
    assert!(!ill.out().exists(), "a plan that nobody knows");
    assert_eq!((ill.processes(), ill.litter()), (vec![], vec![]));
}

#[test]
fn a_run_that_cannot_be_registered_makes_the_trial_void() {
    let ill = Ill::new("nothing");
    let path = filled(&ill);
    let run = ill.lab(&["run", "bundle.toml", "--anyway", "--out", "trial", "--seed", "7"]);
    let mut lab = unsignalled(run).spawn().expect("the lab");
    ill.wait_for_records(&mut lab, 3);
    limit(&lab, size(&path) + 20);
    let output = lab.wait_with_output().expect("the lab");
    assert_eq!(output.status.code(), Some(5), "{}", errors(&output));
    let whole = Register::read(&fs::read(&path).expect("the register")).expect("whole lines");
    let trial = &whole.trials()[1];
    assert_eq!(trial.state, State::Running, "there was no room to say more");
    let told = message(&output);
    let place = format!("void, before run {}: cannot write to the register ", trial.runs + 1);
    assert!(told.starts_with(&place), "{told}");
    let rest = "\nthe register has no line of that yet: the next lab that uses it adds one\n\
                nothing was computed; a new trial needs a new plan";
    assert!(told.ends_with(rest), "{told}");
    assert_eq!(bundle::records(&ill.out()).lines().count(), trial.runs * OF_RUN, "whole runs");
    assert!(ill.out().join("void.json").exists() && !ill.out().join("verdict.json").exists());
    assert_eq!((ill.processes(), ill.litter()), (vec![], vec![]));

    // With room again the register hears of it, and everything fits.
    let (mut file, torn) = RegisterFile::open(&path, &Holder::this("a test")).expect("the register");
    assert_eq!(torn, None);
    let mended = mend(&mut file).expect("room");
    drop(file);
    assert_eq!(mended.len(), 1);
    assert!(mended[0].contains(": cannot write to the register "), "{}", mended[0]);
    let verify = ill.lab(&["verify", "trial", "--register", "results/register.jsonl"]).output();
    let verified = verify.expect("the lab");
    assert_eq!(verified.status.code(), Some(5), "{}", errors(&verified));
    assert!(String::from_utf8_lossy(&verified.stdout).contains("lines holds; the plan is in line 3"));
}

#[test]
fn a_pause_that_cannot_be_ended_goes_on() {
    let ill = Ill::new("nothing");
    let register = filled(&ill);
    pause(&ill);
    let rest = ill.out().join("pause.json");
    let read = || [&register, &rest].map(|path| fs::read(path).expect("a file"));
    let before = read();
    let output = limited(ill.lab(&["resume", "trial"]), size(&register) + 20);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let told = message(&output);
    assert!(told.starts_with("cannot write to the register ") && told.ends_with(REMEDY), "{told}");
    assert!(read() == before, "the trial does not rest as it did");
    assert!(!ill.out().join("void.json").exists());

    // With room again it ends.
    let mut lab = ill.lab(&["resume", "trial"]).spawn().expect("the lab");
    ill.wait_for_records(&mut lab, OF_RUN + 3);
    lab.kill().expect("killed");
    lab.wait().expect("the lab");
}
