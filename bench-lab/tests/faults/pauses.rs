//! Pauses between two runs, and what must not have changed when they end.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use bench_lab::locks::Holder;
use bench_lab::register::RegisterFile;
use nix::pty::openpty;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use protocol::register::{Event, Lab, Resume};
use protocol::{PHASES, RUNS};

use super::bundle::{self, Ill};

/// Records of one run.
const OF_RUN: usize = PHASES * 3;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(path: &Path) -> serde_json::Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

fn signal(lab: &Child, signal: Signal) {
    kill(Pid::from_raw(lab.id().cast_signed()), signal).expect("a signal");
}

fn ask(ill: &Ill, command: &str, trial: &Path) -> Output {
    ill.lab(&[command]).arg(trial).output().expect("the lab")
}

/// A trial that was asked, in its first run, to pause; and what the lab at work said in the end.
fn paused() -> (Ill, String) {
    let ill = Ill::new("nothing");
    let told = pause(&ill);
    (ill, told)
}

/// Begins a trial and pauses it after its first run; what the lab at work said in the end.
pub fn pause(ill: &Ill) -> String {
    let mut lab = ill.run();
    ill.wait_for_records(&mut lab, 3);
    let asked = ask(ill, "pause", &ill.out());
    let told = text(&asked.stdout);
    assert_eq!(asked.status.code(), Some(0), "{}", text(&asked.stderr));
    assert!(told.starts_with("pausing after run 1 of 8, in about "), "{told}");
    let output = lab.wait_with_output().expect("the lab");
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The folder in which a paused trial's arms wait.
fn kept(trial: &Path) -> PathBuf {
    json(&trial.join("pause.json"))["kept"].as_str().expect("a path").into()
}

#[test]
fn a_paused_trial_goes_on_to_its_verdict() {
    let (ill, told) = paused();
    let out = ill.out();
    let kept = kept(&out);
    assert!(
        told.starts_with("paused after run 1 of 8, ") && told.contains("bench-lab resume trial\n"),
        "{told}"
    );
    assert!(told.ends_with(&format!("what that needs waits in {}\n", kept.display())), "{told}");
    let before = bundle::records(&out);
    assert_eq!(before.lines().count(), OF_RUN, "the run to its end and nothing of the next");
    assert_eq!(ill.processes(), [""; 0]);
    assert_eq!(ill.litter(), [kept.file_name().expect("a name").to_str().expect("UTF-8")]);
    for absent in ["verdict.json", "void.json", "timing.json", "pause-wanted"] {
        assert!(!out.join(absent).exists(), "{absent} in a paused trial");
    }
    let again = ask(&ill, "pause", &out);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(
        text(&again.stderr),
        format!("error: no lab is at work on {}: it is paused after run 1 already\n", out.display())
    );

    // Another trial of the bundle may run meanwhile, and says that one waits.
    let mut other = ill.lab(&["run", "bundle.toml", "--anyway", "--out", "other"]).spawn().expect("the lab");
    while bundle::records(&ill.path("other")).is_empty() {
        assert!(other.try_wait().expect("a child").is_none(), "the lab ended");
        std::thread::yield_now();
    }
    signal(&other, Signal::SIGTERM);
    let other = other.wait_with_output().expect("the lab");
    assert_eq!(other.status.code(), Some(5));
    assert!(
        text(&other.stderr).contains("a paused trial waits: bench-lab resume "),
        "{}",
        text(&other.stderr)
    );

    // Twice.
    let mut lab = ill.lab(&["resume", "trial"]).spawn().expect("the lab");
    ill.wait_for_records(&mut lab, OF_RUN + 3);
    assert!(!out.join("pause.json").exists(), "paused and at work");
    let busy = ask(&ill, "resume", &out);
    assert_eq!(busy.status.code(), Some(2), "{}", text(&busy.stderr));
    assert!(text(&busy.stderr).contains("a lab is at work on "), "{}", text(&busy.stderr));
    assert_eq!(ask(&ill, "pause", &out).status.code(), Some(0));
    let second = lab.wait_with_output().expect("the lab");
    assert_eq!(second.status.code(), Some(7), "{}", text(&second.stderr));
    assert!(text(&second.stderr).contains("going on after run 1, paused since "), "{}", text(&second.stderr));

    let last = ask(&ill, "resume", &out);
    let told = text(&last.stderr);
    assert!(matches!(last.status.code(), Some(0 | 3)), "{told}");
    assert!(told.contains("run 3, phase 1, lane main (0 of 72 done)"), "{told}");
    let records = bundle::records(&out);
    assert_eq!(records.lines().count(), RUNS * OF_RUN);
    assert!(records.starts_with(&before), "records were rewritten");
    let timing = json(&out.join("timing.json"));
    assert_eq!(timing["draws"], RUNS * PHASES);
    let after: Vec<_> =
        timing["pauses"].as_array().expect("pauses").iter().map(|p| &p["after_run"]).collect();
    assert_eq!(after, [1, 2]);
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("Paused after run 1, from ") && page.contains("Paused after run 2, from "));
    assert!(text(&ask(&ill, "verdict", &out).stdout).contains("the stored verdict is the same"));
    assert_eq!(ill.litter(), [""; 0]);
    let done = ask(&ill, "resume", &out);
    assert_eq!(done.status.code(), Some(2));
    assert!(
        text(&done.stderr).ends_with("has its verdict: there is nothing to resume\n"),
        "{}",
        text(&done.stderr)
    );
}

#[test]
fn ctrl_c_on_a_terminal_pauses_and_once_more_voids() {
    let ill = Ill::new("nothing");
    // Nobody reads the other end until the lab has ended: it writes less than a terminal holds.
    let start = |words: &[&str]| {
        let terminal = openpty(None, None).expect("a terminal");
        let lab = ill.lab(words).stderr(Stdio::from(terminal.slave)).spawn().expect("the lab");
        (lab, File::from(terminal.master))
    };
    let said = |mut terminal: File| {
        let mut said = Vec::new();
        // It ends with an error when nobody has the other end any more.
        let _ = terminal.read_to_end(&mut said);
        text(&said)
    };
    let (mut lab, terminal) = start(&["run", "bundle.toml", "--anyway", "--out", "trial"]);
    let reader = std::thread::spawn(move || said(terminal));
    ill.wait_for_records(&mut lab, 3);
    signal(&lab, Signal::SIGINT);
    assert_eq!(lab.wait().expect("the lab").code(), Some(7));
    let told = reader.join().expect("no panic");
    assert!(told.contains("pausing after run 1 of 8, in about "), "{told}");
    assert!(told.contains("; Ctrl-C again makes the trial void"), "{told}");
    assert_eq!(bundle::records(&ill.out()).lines().count(), OF_RUN);

    let (mut lab, terminal) = start(&["resume", "trial"]);
    let reader = std::thread::spawn(move || said(terminal));
    ill.wait_for_records(&mut lab, OF_RUN + 3);
    signal(&lab, Signal::SIGINT);
    std::thread::sleep(std::time::Duration::from_millis(50));
    signal(&lab, Signal::SIGINT);
    assert_eq!(lab.wait().expect("the lab").code(), Some(5));
    let told = reader.join().expect("no panic");
    assert!(told.contains("pausing after run 2 of 8"), "{told}");
    let void = json(&ill.out().join("void.json"));
    assert_eq!(void["reason"], "cancelled");
    assert!(void["place"].as_str().expect("a place").starts_with("run 2, phase "), "{void}");
    assert_eq!(ill.processes(), [""; 0]);
    assert_eq!(ill.litter(), [""; 0], "what a void trial would need to go on");
}

#[test]
fn a_pause_that_cannot_be_kept_is_none() {
    let ill = Ill::new("nothing");
    let mut lab = ill.run();
    ill.wait_for_records(&mut lab, 3);
    // Something is in the place where its arms would wait.
    let plan = fs::read(ill.out().join("plan.json")).expect("the plan");
    let id = protocol::canonical::sha256_hex(&plan);
    let yard =
        fs::read_dir(ill.path("caches/bench-lab")).expect("a folder").next().expect("one").expect("one");
    fs::write(yard.path().join(format!("paused-{}", &id[..16])), "").expect("a file");
    assert_eq!(ask(&ill, "pause", &ill.out()).status.code(), Some(0));
    ill.wait_for_records(&mut lab, OF_RUN + 3);
    signal(&lab, Signal::SIGTERM);
    let told = text(&lab.wait_with_output().expect("the lab").stderr);
    assert!(told.contains("no pause after run 1, the trial goes on: cannot write "), "{told}");
    assert!(!ill.out().join("pause.json").exists());
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let to = to.join(entry.file_name());
        if !to.exists() {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

/// What `resume` says after `change` to a copy of a paused trial, which is void then.
fn void_after(ill: &Ill, number: usize, change: impl FnOnce(&Path)) -> String {
    let copy = ill.path(&format!("copy-{number}"));
    copy_files(&ill.out(), &copy);
    // Each is the only one that its register knows.
    let (known, own) = (ill.path("results/register.jsonl"), copy.join("register.jsonl"));
    fs::copy(&known, &own).expect("the register");
    let pause = fs::read_to_string(copy.join("pause.json")).expect("pause.json");
    let known = known.canonicalize().expect("the register");
    let pause = pause.replace(known.to_str().expect("UTF-8"), own.to_str().expect("UTF-8"));
    fs::write(copy.join("pause.json"), pause).expect("pause.json");
    // All copies wait with the same arms, which go with each that is void.
    let (kept, spare) = (kept(&copy), ill.path("spare"));
    if !spare.exists() {
        copy_files(&kept, &spare);
    }
    copy_files(&spare, &kept);
    change(&copy);
    let output = ask(ill, "resume", &copy);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    let void = json(&copy.join("void.json"));
    let reason = void["reason"].as_str().expect("a reason").to_owned();
    assert_eq!(
        text(&output.stderr).lines().find(|line| line.starts_with("error: ")).map(str::to_owned),
        Some(format!(
            "error: void, {}: {}",
            void["place"].as_str().expect("a place"),
            reason.lines().next().expect("a line")
        ))
    );
    assert!(!copy.join("pause.json").exists() && !copy.join("verdict.json").exists());
    let again = ask(ill, "resume", &copy);
    assert_eq!(again.status.code(), Some(5), "void for ever");
    reason
}

#[test]
fn a_pause_ends_only_where_everything_is_as_it_was() {
    let (ill, _) = paused();
    let replace = |path: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(path).expect("a file");
        assert!(text.contains(from), "{from} in {}", path.display());
        let mut permissions = fs::metadata(path).expect("a file").permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o644);
        fs::set_permissions(path, permissions).expect("permissions");
        fs::write(path, text.replacen(from, to, 1)).expect("written");
    };
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("a boot id").trim().to_owned();
    let reason = void_after(&ill, 1, |trial| replace(&trial.join("pause.json"), &boot, "another"));
    assert_eq!(
        reason,
        format!("the machine was started anew since the pause; its boot id: planned another, found {boot}")
    );

    let reason = void_after(&ill, 2, |trial| replace(&trial.join("plan.json"), "\"seed\":7", "\"seed\":8"));
    assert!(reason.starts_with("plan.json: planned ") && reason.contains(", found "), "{reason}");

    let reason =
        void_after(&ill, 3, |trial| replace(&trial.join("records.jsonl"), "\"nodes\":", "\"nodes\":1"));
    assert!(reason.starts_with("records.jsonl: planned ") && reason.contains(", found "), "{reason}");

    let reason = void_after(&ill, 4, |trial| fs::remove_file(trial.join("pause.json")).expect("removed"));
    assert_eq!(reason, "the trial is not paused: its lab ended without a word");

    let bundle = ill.path("bundle.toml");
    let text = fs::read_to_string(&bundle).expect("the bundle");
    let reason = void_after(&ill, 5, |_| fs::write(&bundle, format!("{text}\n")).expect("written"));
    assert!(reason.starts_with("the bundle file: planned ") && reason.contains(", found "), "{reason}");
    fs::write(&bundle, text).expect("written");

    let work = ill.path("work.epd");
    let text = fs::read_to_string(&work).expect("positions");
    let reason = void_after(&ill, 6, |_| replace(&work, "4k3", "3k4"));
    assert!(reason.starts_with("not as planned:\n  the workload, "), "{reason}");
    fs::write(&work, text).expect("written");

    let engine = kept(&ill.out()).join("default.base.built");
    let add = |_: &Path| {
        let mut file = fs::OpenOptions::new().append(true).open(&engine).expect("an executable");
        std::io::Write::write_all(&mut file, b"!").expect("written");
    };
    let reason = void_after(&ill, 7, add);
    assert!(
        reason.contains("the executable of arm full: planned ") && reason.contains(", found "),
        "{reason}"
    );

    let reason = void_after(&ill, 8, |_| fs::remove_file(&engine).expect("removed"));
    let gone = "what arm base needs to go on is gone: there is no ";
    assert_eq!(reason, format!("{gone}{}", engine.display()));
}

#[test]
fn a_lab_that_is_killed_after_a_pause_cannot_be_resumed() {
    let (ill, _) = paused();
    let mut lab = ill.lab(&["resume", "trial"]).spawn().expect("the lab");
    ill.wait_for_records(&mut lab, OF_RUN + 3);
    lab.kill().expect("killed");
    lab.wait_with_output().expect("the lab");
    ill.wait_until_alone();
    let output = ask(&ill, "resume", &ill.out());
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("its lab ended without a word"), "{}", text(&output.stderr));
    assert!(ill.out().join("void.json").exists());
}

#[test]
fn a_lab_that_is_killed_as_it_goes_on_cannot_be_resumed() {
    let (ill, _) = paused();
    // It got as far as the register.
    let register = ill.path("results/register.jsonl");
    let (mut file, _) = RegisterFile::open(&register, &Holder::this("a test")).expect("the register");
    let plan_id = json(&ill.out().join("pause.json"))["plan_id"].as_str().expect("an id").to_owned();
    let lab = Lab { pid: 1, boot_id: "boot".into() };
    file.append(Event::Resume(Resume { plan_id, lab })).expect("a line");
    drop(file);
    let output = ask(&ill, "resume", &ill.out());
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("its lab ended without a word"), "{}", text(&output.stderr));
    assert!(ill.out().join("void.json").exists() && !ill.out().join("pause.json").exists());
}
