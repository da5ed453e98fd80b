//! `bench-lab verdict` and `bench-lab report` on records that are not what they were.

use std::fs;

use super::place::{Place, Trial};

/// A trial of a place of its own, with this done to its records.
fn forged(forge: impl FnOnce(&mut Trial)) -> Place {
    let place = Place::new();
    let mut trial = place.judged("trial", "quick", &[("gain", 2.0)]);
    fs::write(trial.folder.join("report.html"), PAGE).expect("a file");
    forge(&mut trial);
    trial.write_records();
    place
}

/// The message of a command that must end with exit code 1 and leave the page alone.
fn refused(place: &Place, command: &str) -> String {
    let output = place.lab(&[command, "trial"]);
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(fs::read_to_string(place.path().join("trial/report.html")).expect("a page"), PAGE);
    told
}

/// What every page has, without which no report overwrites it.
const PAGE: &str = "<title>as it was · leave-one-out trial</title>";

const LOOK: &str = "\nno report was made; `bench-lab verify trial` looks closer\n";

#[test]
fn a_wrong_sum_is_told_with_its_line() {
    let place = forged(|trial| trial.records[99].cpu_ns += 1);
    let line = "error: records.jsonl, line 100: run ";
    let told = refused(&place, "verdict");
    assert!(told.starts_with(line) && told.contains("processor time (ns)"), "{told}");
    let told = refused(&place, "report");
    assert!(told.starts_with(line) && told.ends_with(LOOK), "{told}");
    // Who looks closer finds the same.
    assert!(refused(&place, "verify").starts_with(line));
}

#[test]
fn a_record_that_is_gone_is_told_with_the_line_it_should_be_in() {
    let place = forged(|trial| drop(trial.records.remove(99)));
    for command in ["verdict", "report", "verify"] {
        let told = refused(&place, command);
        assert!(told.starts_with("error: records.jsonl, line 100: found run "), "{told}");
        assert!(told.contains(", expected run "), "{told}");
    }
}

#[test]
fn a_page_whose_verdict_does_not_follow_is_not_drawn() {
    let place = forged(|trial| {
        let record = &mut trial.records[99];
        record.searches[2].cpu_ns -= 100_000;
        record.cpu_ns -= 100_000;
    });
    let line = "error: the stored verdict is not what the records give:\n  ";
    let told = refused(&place, "verdict");
    assert!(told.starts_with(line) && told.contains("records_sha256: stored "), "{told}");
    let told = refused(&place, "report");
    assert!(told.starts_with(line) && told.ends_with(LOOK), "{told}");
}

#[test]
fn a_page_that_follows_is_drawn() {
    let place = forged(|_| ());
    assert_eq!(place.lab(&["report", "trial"]).status.code(), Some(0));
    assert_ne!(fs::read_to_string(place.path().join("trial/report.html")).expect("a page"), PAGE);
}
