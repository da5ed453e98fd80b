//! The register's file: whole lines on the disk or none, under a lock.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use bench_lab::locks::Holder;
use bench_lab::register::{RegisterError, RegisterFile, read};
use protocol::register::{Event, RegisterFault, State};

use super::place::Place;

#[test]
fn a_line_that_was_cut_off_is_taken_away_and_told() {
    let place = Place::new();
    let trial = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    let whole = fs::read(place.register()).expect("a register");
    let torn = b"{\"event\":{\"start\":\0\0\0";
    OpenOptions::new()
        .append(true)
        .open(place.register())
        .and_then(|mut file| file.write_all(torn))
        .expect("torn");
    let (register, is_torn) = read(&place.register()).expect("readable");
    assert!(is_torn && register.entries().len() == 1);
    let (file, told) = RegisterFile::open(&place.register(), &Holder::this("a test")).expect("mended");
    let told = told.expect("told");
    assert!(told.ends_with("its 21 bytes were taken away, and line 2 says so"), "{told}");
    assert!(matches!(&file.register().entries()[1].event, Event::Torn(torn) if torn.bytes == 21));
    assert_eq!(file.register().trial(&trial.id()).map(|trial| trial.state.clone()), Some(State::Running));
    drop(file);
    assert!(fs::read(place.register()).expect("a register").starts_with(&whole));
    let (_, told) = RegisterFile::open(&place.register(), &Holder::this("a test")).expect("whole");
    assert_eq!(told, None);
}

#[test]
fn nothing_is_added_to_what_does_not_fit() {
    let place = Place::new();
    place.plan("trial-1", "quick", &[("gain", 2.0)]);
    let text = fs::read_to_string(place.register()).expect("a register").replace("trial-1", "trial-2");
    fs::write(place.register(), &text).expect("a register");
    let error = RegisterFile::open(&place.register(), &Holder::this("a test")).expect_err("changed");
    assert!(matches!(error, RegisterError::Broken { fault: RegisterFault::Changed { line: 1, .. }, .. }));
    let told = error.to_string();
    assert!(
        told.contains(", line 1: its contents have SHA-256 ") && told.contains("nothing is added to it"),
        "{told}"
    );
    let output = place.lab(&["register", "register.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_to_string(place.register()).expect("a register"), text);
}

#[test]
fn a_register_touched_by_others_is_not_written_to() {
    let place = Place::new();
    let trial = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    let mut file = place.open();
    OpenOptions::new()
        .append(true)
        .open(place.register())
        .and_then(|mut file| file.write_all(b"x\n"))
        .expect("written");
    let start = protocol::register::Start { plan_id: trial.id(), run: 1 };
    let error = file.append(Event::Start(start)).expect_err("touched");
    assert!(matches!(error, RegisterError::Touched { .. }), "{error}");
    assert!(fs::read(place.register()).expect("a register").ends_with(b"x\n"));
}

#[test]
fn a_register_that_is_never_written_to_leaves_nothing() {
    let place = Place::new();
    let path = place.path().join("results/register.jsonl");
    let file = RegisterFile::open(&path, &Holder::this("a test")).expect("a register").0;
    assert!(path.parent().expect("a folder").join("register.jsonl.lock").exists());
    drop(file);
    assert_eq!(fs::read_dir(place.path()).expect("the folder").count(), 0);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_with_the_remedy() {
    // Nobody, not even root, can create anything there.
    let error = RegisterFile::open("/proc/self/register.jsonl".as_ref(), &Holder::this("a test"))
        .expect_err("no room");
    let told = error.to_string();
    assert!(told.starts_with("cannot lock the register /proc/self/register.jsonl by "), "{told}");
    assert!(told.ends_with("name a register in a folder that you may write to with --register"), "{told}");
    let place = Place::new();
    fs::write(place.path().join("file"), "").expect("a file");
    let output = place.lab(&["register", "file/register.jsonl"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_lock_dies_with_its_process() {
    let place = Place::new();
    place.plan("trial-1", "quick", &[("gain", 2.0)]);
    // Another process that holds the lock and is killed.
    let mut command = Command::new("flock");
    command.arg("--no-fork").arg(place.path().join("register.jsonl.lock"));
    command.args(["sh", "-c", "echo held; exec sleep 1000"]).stdout(Stdio::piped());
    let mut holder = command.spawn().expect("flock");
    let mut line = String::new();
    BufReader::new(holder.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "held\n");
    let open = || RegisterFile::open(&place.register(), &Holder::this("a test"));
    let told = open().expect_err("held").to_string();
    assert!(told.contains("is in use by another lab: it did not say who it is; wait until"), "{told}");
    holder.kill().expect("a signal");
    holder.wait().expect("the end");
    open().expect("free again");
}

#[test]
fn cores_are_locked_across_registers() {
    let place = Place::new();
    super::place::bundle(&place, "quick", &["gain"]);
    let lock = place.path().join("bench-lab-core-0.lock");
    let text = serde_json::to_string(&Holder::this("bundle slow")).expect("JSON");
    fs::write(&lock, text).expect("a file");
    let file = fs::File::open(&lock).expect("a file");
    file.lock().expect("a lock");
    let output = place.lab(&["run", "quick.toml", "--register", "mine.jsonl", "--out", "out"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    let own = format!("error: core 0 is in use by another lab: process {} (`", std::process::id());
    assert!(told.starts_with(&own), "{told}");
    assert!(
        told.ends_with(", for bundle slow; wait until it has ended, or give the lane another core\n"),
        "{told}"
    );
    assert!(!place.path().join("out").exists() && !place.path().join("mine.jsonl").exists());
    drop(file);
}
