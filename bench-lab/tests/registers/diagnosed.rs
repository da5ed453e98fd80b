//! `bench-lab verify` on the records of diagnostics: what forgers do to them, and what is found first.

use std::fs;

use protocol::ProcessRecord;
use protocol::register::Event;

use super::place::{Place, Trial, without_digests};

/// Records of a phase: three arms, two processes each.
const OF_PHASE: usize = 6;

/// A registered trial with its diagnostics, and the place it lies in.
fn trial() -> (Place, Trial) {
    let place = Place::new();
    let trial = place.diagnosed("trial", &[("one", 2.0), ("other", 2.0)], |_| ());
    (place, trial)
}

fn verify(place: &Place) -> (Option<i32>, String) {
    let output = place.lab(&["verify", "trial", "--register", "register.jsonl"]);
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), without_digests(&String::from_utf8_lossy(&told)))
}

/// The line on the diagnostics of a trial in which everything fits.
fn fits(place: &Place) -> String {
    let (code, told) = verify(place);
    assert_eq!(code, Some(0), "{told}");
    told.lines().find(|line| line.starts_with("diagnostics ")).expect("a line on them").to_owned()
}

/// What is told of records that `change` has had its way with; everything else fits.
fn found(change: impl FnOnce(&mut Vec<ProcessRecord>)) -> String {
    let (place, mut trial) = trial();
    change(&mut trial.diagnostics);
    trial.write_diagnostics();
    told(&place)
}

fn told(place: &Place) -> String {
    let (code, told) = verify(place);
    assert_eq!(code, Some(1), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

#[test]
fn whole_diagnostics_fit() {
    let (place, trial) = trial();
    assert_eq!(trial.diagnostics.len(), 8 * 2 * OF_PHASE);
    insta::assert_snapshot!(fits(&place));
}

#[test]
fn a_digit_of_a_sum_a_tree_a_draw_or_a_slot() {
    insta::assert_snapshot!("sum", found(|records| records[40].cpu_ns += 1));
    let tree = |records: &mut Vec<ProcessRecord>| {
        records[41].searches[2].nodes += 1;
        records[41].nodes += 1;
    };
    insta::assert_snapshot!("tree", found(tree));
    insta::assert_snapshot!("draw", found(|records| records[42].draw.seed ^= 1));
    insta::assert_snapshot!("slots", found(|records| records[43].slots.count -= 1));
}

#[test]
fn a_process_that_begins_in_a_later_slot() {
    let (place, mut trial) = trial();
    let fixed = trial.plan.diagnostics.as_ref().expect("diagnostics");
    let record = &mut trial.diagnostics[43];
    let arm = fixed.arms().iter().position(|arm| *arm == record.arm).expect("an arm");
    let slots = &fixed.runs[record.run - 1].lanes[0][record.phase - 1];
    // The span and the count fit each other.
    record.slots.first = slots.nth_slot(arm, 1).expect("a slot");
    record.slots.count -= 1;
    trial.write_diagnostics();
    insta::assert_snapshot!(told(&place));
}

#[test]
fn a_digit_that_nothing_else_shows() {
    insta::assert_snapshot!(found(|records| records[40].wall_ns += 1));
}

#[test]
fn lines_removed_put_in_twice_or_moved() {
    insta::assert_snapshot!("removed", found(|records| drop(records.remove(50))));
    insta::assert_snapshot!("last_removed", found(|records| drop(records.pop())));
    let twice = |records: &mut Vec<ProcessRecord>| records.insert(50, records[49].clone());
    insta::assert_snapshot!("twice", found(twice));
    insta::assert_snapshot!("more", found(|records| records.push(records[0].clone())));
    insta::assert_snapshot!("swapped", found(|records| records.swap(50, 51)));
    let phases = |records: &mut Vec<ProcessRecord>| records[..2 * OF_PHASE].rotate_left(OF_PHASE);
    insta::assert_snapshot!("phases_swapped", found(phases));
    // As if they had broken off: the register knows better.
    let cut = |records: &mut Vec<ProcessRecord>| records.truncate(5 * OF_PHASE);
    insta::assert_snapshot!("last_phases_removed", found(cut));
}

#[test]
fn a_file_cut_off_removed_or_put_in() {
    let (place, trial) = trial();
    let file = trial.folder.join("diagnostics.jsonl");
    let text = fs::read_to_string(&file).expect("records");
    fs::write(&file, &text[..text.len() - 20]).expect("a file");
    insta::assert_snapshot!("cut_off", told(&place));
    fs::remove_file(&file).expect("removed");
    insta::assert_snapshot!("file_removed", told(&place));
    let place = Place::new();
    let trial = place.judged("trial", "plain", &[("one", 2.0), ("other", 2.0)]);
    fs::write(trial.folder.join("diagnostics.jsonl"), text).expect("a file");
    insta::assert_snapshot!("file_put_in", told(&place));
}

#[test]
fn diagnostics_that_broke_off_fit_as_far_as_they_go() {
    let place = Place::new();
    let gains = [("one", 2.0), ("other", 2.0)];
    let mut trial = place.diagnosed("trial", &gains, |records| records.truncate(5 * OF_PHASE));
    insta::assert_snapshot!(fits(&place));
    trial.diagnostics[12].cpu_ns += 1;
    trial.write_diagnostics();
    assert!(told(&place).starts_with("error: diagnostics.jsonl, line 13: "), "{}", told(&place));
}

#[test]
fn diagnostics_that_nobody_vouches_for_are_told() {
    let (place, trial) = trial();
    let lines = place.lines();
    let is_theirs = |line: &String| line.contains(r#""event":{"diagnostics":"#);
    assert!(is_theirs(lines.last().expect("a line")));
    place.write_lines(&lines[..lines.len() - 1]);
    assert!(fits(&place).ends_with("the register has no line of them"), "{}", fits(&place));
    fs::remove_file(trial.folder.join("diagnostics.jsonl")).expect("removed");
    assert_eq!(fits(&place), "diagnostics    not there: they were not measured");
}

#[test]
fn they_are_noted_once_and_after_the_verdict() {
    let (place, trial) = trial();
    let noted = |id: String| {
        let records_sha256 = "0".repeat(64);
        Event::Diagnostics(protocol::register::Diagnosed { plan_id: id, records_sha256 })
    };
    let twice = place.open().append(noted(trial.id())).expect_err("noted twice").to_string();
    assert!(twice.contains("line 12: found the diagnostics of plan "), "{twice}");
    assert!(twice.contains("expected nothing more of the trial in line 1, which is judged"), "{twice}");
    let early = place.plan("early", "another", &[("x", 1.0)]);
    let early = place.open().append(noted(early.id())).expect_err("not judged").to_string();
    assert!(early.contains("expected of the trial in line 12, the start of run 1"), "{early}");
}
