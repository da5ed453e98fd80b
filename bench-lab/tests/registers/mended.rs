//! Labs that ended without a word: told at the next start, once.

use std::fs;

use bench_lab::folder::{self, Folder};
use protocol::RUNS;
use protocol::register::{Event, Pause, State};

use super::place::{Place, without_digests};

fn told(place: &Place) -> String {
    let output = place.lab(&["register", "register.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = without_digests(&String::from_utf8_lossy(&output.stderr));
    told.replace(&format!("process {}", std::process::id()), "process <pid>")
}

/// The words before and behind a plan's id.
fn parts<'a>(told: &'a str, between: &str) -> Option<(&'a str, &'a str)> {
    let (before, rest) = told.split_once(between)?;
    Some((before, rest.get(12..)?))
}

#[test]
fn a_trial_without_its_lab_becomes_void() {
    let place = Place::new();
    let trial = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    place.start(&trial, 3);
    let told_once = told(&place);
    assert_eq!(
        parts(&told_once, "plan "),
        Some((
            "the trial in trial-1 (bundle quick, ",
            ") is void, in run 3: the lab (process <pid>) ended without a word, and the machine was started anew since\n"
        )),
        "{told_once}"
    );
    let void = fs::read_to_string(trial.folder.join("void.json")).expect("void.json");
    let void: serde_json::Value = serde_json::from_str(&void).expect("JSON");
    assert_eq!(
        (void["place"].as_str(), void["plan_id"].as_str()),
        (Some("in run 3"), Some(trial.id().as_str()))
    );
    let register = place.open();
    assert!(matches!(&register.register().trials()[0].state, State::Void(void) if void.place == "in run 3"));
    drop(register);
    assert_eq!(told(&place), "", "told once");
    assert_eq!(place.lines().len(), 5);
}

#[test]
fn what_the_lab_could_still_say_is_kept() {
    let place = Place::new();
    let trial = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    let void = format!(
        "{{\"plan_id\":\"{}\",\"reason\":\"no room\",\"place\":\"run 1, phase 2\",\"time\":\"then\"}}",
        trial.id()
    );
    fs::write(trial.folder.join("void.json"), &void).expect("a file");
    assert!(told(&place).ends_with(" is void, run 1, phase 2: no room\n"));
    assert_eq!(fs::read_to_string(trial.folder.join("void.json")).expect("a file"), void);
}

#[test]
fn a_folder_that_is_gone_or_another_trials_is_left_alone() {
    let place = Place::new();
    let gone = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    fs::remove_dir_all(&gone.folder).expect("removed");
    let other = place.plan("trial-2", "quick", &[("gain", 2.0)]);
    fs::write(other.folder.join("plan.json"), "{}").expect("a file");
    let told = told(&place);
    assert_eq!(told.matches("; its folder is not there any more\n").count(), 2, "{told}");
    assert!(!other.folder.join("void.json").exists());
    assert_eq!(place.open().register().open().count(), 0);
}

#[test]
fn a_rest_lasts_until_the_next_boot() {
    let place = Place::new();
    let mut trial = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    // The synthetic machine has a boot of its own: that of another day.
    let pause = Event::Pause(Pause { plan_id: trial.id(), after_run: 0 });
    place.open().append(pause).expect("a line");
    assert!(
        told(&place).contains(") is void, after run 0: the machine was started anew while the trial rested")
    );
    trial.plan.machine.boot_id =
        fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("a boot").trim().into();
    trial.plan.attempt = Some(2);
    trial.write_plan();
    let event = bench_lab::register::planned(&trial.plan, &trial.id(), &place.register(), &trial.folder);
    let mut register = place.open();
    register.append(Event::Plan(event)).expect("a line");
    register.append(Event::Pause(Pause { plan_id: trial.id(), after_run: 0 })).expect("a line");
    drop(register);
    assert_eq!(told(&place), "", "it may go on");
    assert_eq!(place.open().register().open().count(), 1);
    // Unless its folder knows better.
    let void = folder::Void {
        plan_id: trial.id(),
        reason: "records.jsonl: planned a, found b".into(),
        place: "after run 0".into(),
        time: "now".into(),
    };
    Folder::open(&trial.folder).and_then(|folder| folder.write_void(&void)).expect("a file");
    let noted = told(&place);
    assert!(noted.contains(") is void, after run 0: records.jsonl: planned a, found b\n"), "{noted}");
    assert_eq!(place.open().register().open().count(), 0);
}

#[test]
fn a_verdict_that_was_registered_is_written_again() {
    let place = Place::new();
    let trial = place.judged("trial-1", "quick", &[("gain", 2.0), ("none", -1.0)]);
    let file = trial.folder.join("verdict.json");
    let text = fs::read_to_string(&file).expect("a verdict");
    fs::remove_file(&file).expect("removed");
    let first = told(&place);
    assert!(
        first.contains(
            "its lab ended before verdict.json was written; it follows from the records and is there now\n"
        ),
        "{first}"
    );
    assert!(first.ends_with("): none left the bundle\n"), "{first}");
    assert_eq!(fs::read_to_string(&file).expect("a verdict again"), text);
    assert_eq!(place.lines().len(), 1 + RUNS + 2);
    assert_eq!(told(&place), "");

    // Records that give another verdict are not taken for it.
    fs::remove_file(&file).expect("removed");
    let records = trial.records_text().replacen("\"wall_ns\":", "\"wall_ns\":1", 1);
    fs::write(trial.folder.join("records.jsonl"), records).expect("a file");
    assert!(told(&place).contains("the records do not give the verdict in the register"));
    assert!(!file.exists());
}
