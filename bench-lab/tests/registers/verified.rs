//! `bench-lab verify`: what forgers do, and what is found first.

use std::fs;

use protocol::ProcessRecord;
use protocol::register::{Entry, Event};

use super::place::{Place, Trial, without_digests};

/// A registered trial of which one component is not proven, and the place it lies in.
fn trial() -> (Place, Trial) {
    let place = Place::new();
    let trial = place.judged("trial", "quick", &[("gain", 2.0), ("idle", -1.0)]);
    // The lab brings the elimination to the register.
    assert_eq!(place.lab(&["register", "register.jsonl"]).status.code(), Some(0));
    (place, trial)
}

fn verify(place: &Place) -> (Option<i32>, String) {
    let output = place.lab(&["verify", "trial", "--register", "register.jsonl"]);
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), without_digests(&String::from_utf8_lossy(&told)))
}

/// What is told of a forgery; everything else fits.
fn found(place: &Place) -> String {
    let (code, told) = verify(place);
    assert_eq!(code, Some(1), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

/// The record of a process.
fn record<'a>(trial: &'a mut Trial, run: usize, phase: usize, arm: &str) -> &'a mut ProcessRecord {
    let is = |record: &&mut ProcessRecord| record.run == run && record.phase == phase && record.arm == arm;
    trial.records.iter_mut().find(is).expect("a record")
}

/// Makes a search of a record faster, sums included.
fn hurry(trial: &mut Trial) {
    let record = record(trial, 4, 5, "full");
    record.searches[2].cpu_ns -= 100_000;
    record.cpu_ns -= 100_000;
}

#[test]
fn a_whole_trial_fits() {
    let (place, _trial) = trial();
    let (code, told) = verify(&place);
    assert_eq!(code, Some(0), "{told}");
    insta::assert_snapshot!(told);
    // Found without being named where the register is that of the repository.
    fs::create_dir(place.path().join(".git")).expect("a folder");
    fs::create_dir(place.path().join("results")).expect("a folder");
    fs::rename(place.register(), place.path().join("results/register.jsonl")).expect("moved");
    let output = place.lab(&["verify", "trial"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        told.contains(
            "results/register.jsonl: the chain of 11 lines holds; the plan is in line 1, attempt 1"
        ),
        "{told}"
    );
}

#[test]
fn a_trial_from_before_the_register_fits_with_a_note() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/quickstart");
    let place = Place::new();
    let told = |output: &std::process::Output| String::from_utf8_lossy(&output.stdout).into_owned();
    place.judged("trial", "other", &[("gain", 2.0)]);
    for arguments in [&["verify", folder][..], &["verify", folder, "--register", "register.jsonl"]] {
        let output = place.lab(arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = told(&output);
        assert!(
            text.contains("\nnote: this trial was checked without a register, so nobody knows"),
            "{text}"
        );
        assert!(text.contains("report.html    as these files give it"), "{text}");
        assert!(text.contains("\neverything fits: "), "{text}");
    }
}

#[test]
fn a_trial_without_its_register_is_told() {
    let (place, _trial) = trial();
    fs::remove_file(place.register()).expect("removed");
    let output = place.lab(&["verify", "trial"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("there is no register ") && text.contains("with --register"), "{text}");
    let output = place.lab(&["verify", "trial", "--register", "absent.jsonl"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: cannot read absent.jsonl: No such file")
    );
}

#[test]
fn a_digit_of_a_sum() {
    let (place, mut trial) = trial();
    record(&mut trial, 2, 7, "base").cpu_ns += 1;
    trial.write_records();
    insta::assert_snapshot!(found(&place));
}

#[test]
fn a_digit_that_no_sum_shows() {
    let (place, mut trial) = trial();
    hurry(&mut trial);
    trial.write_records();
    insta::assert_snapshot!(found(&place));
}

#[test]
fn a_digit_that_changes_no_value() {
    let (place, mut trial) = trial();
    record(&mut trial, 2, 7, "base").wall_ns += 1;
    trial.write_records();
    insta::assert_snapshot!(found(&place));
}

#[test]
fn a_digit_with_all_hashes_mended_but_the_register() {
    let (place, mut trial) = trial();
    hurry(&mut trial);
    trial.write_records();
    trial.write_verdict();
    insta::assert_snapshot!(found(&place));
}

#[test]
fn a_digit_of_the_node_count() {
    let (place, mut trial) = trial();
    let record = record(&mut trial, 1, 2, "full");
    record.searches[0].nodes += 1;
    record.nodes += 1;
    trial.write_records();
    insta::assert_snapshot!(found(&place));
}

#[test]
fn a_slot_removed() {
    let (place, mut trial) = trial();
    record(&mut trial, 8, 12, "without:idle").slots.count -= 1;
    trial.write_records();
    insta::assert_snapshot!("slot_count", found(&place));
    let slots = &mut record(&mut trial, 8, 12, "without:idle").slots;
    // Whole rounds of the plan, so that the count fits again.
    slots.first += 4;
    trial.write_records();
    insta::assert_snapshot!("slot_begin", found(&place));
}

#[test]
fn a_process_removed_or_put_in_twice() {
    let (place, mut trial) = trial();
    let removed = trial.records.remove(100);
    trial.write_records();
    insta::assert_snapshot!("process_removed", found(&place));
    trial.records.insert(100, removed.clone());
    trial.records.push(removed);
    trial.write_records();
    insta::assert_snapshot!("process_twice", found(&place));
    trial.records.truncate(500);
    trial.write_records();
    insta::assert_snapshot!("process_cut", found(&place));
}

#[test]
fn a_line_cut_off() {
    let (place, trial) = trial();
    let text = trial.records_text();
    fs::write(trial.folder.join("records.jsonl"), &text[..text.len() - 20]).expect("a file");
    insta::assert_snapshot!(found(&place));
}

#[test]
fn a_run_reordered() {
    let (place, mut trial) = trial();
    // The lines of two runs change places.
    let each = trial.records.len() / protocol::RUNS;
    trial.records[each..3 * each].rotate_left(each);
    trial.write_records();
    insta::assert_snapshot!("run_lines", found(&place));
    // And they are renumbered.
    for record in &mut trial.records[each..3 * each] {
        record.run = 5 - record.run;
    }
    trial.write_records();
    insta::assert_snapshot!("run_renumbered", found(&place));
}

#[test]
fn a_plan_edited() {
    let (place, mut trial) = trial();
    let whole = trial.plan.clone();
    trial.plan.measure.threshold_percent = 1.0;
    trial.write_plan();
    insta::assert_snapshot!("plan_threshold", found(&place));
    // The verdict is made anew, and the folder is the registered one.
    trial.write_verdict();
    insta::assert_snapshot!("plan_with_its_verdict", found(&place));
    trial.plan = whole.clone();
    trial.plan.runs[3].lanes[0][6].rows.swap(0, 1);
    trial.write_plan();
    insta::assert_snapshot!("plan_rows", found(&place));
    trial.plan = whole.clone();
    trial.plan.runs[3].lanes[0][6].rows[2].pop();
    trial.write_plan();
    insta::assert_snapshot!("plan_slot", found(&place));
    trial.plan = whole;
    trial.write_plan();
    let file = trial.folder.join("plan.json");
    let text = fs::read_to_string(&file).expect("a plan");
    fs::write(&file, text.replacen('{', "{ ", 1)).expect("a file");
    insta::assert_snapshot!("plan_pretty", found(&place));
}

#[test]
fn a_verdict_edited() {
    let (place, trial) = trial();
    let file = trial.folder.join("verdict.json");
    let text = fs::read_to_string(&file).expect("a verdict");
    // Lines move with every field that a verdict gets: told by what stands there.
    let told = |edited: &str| {
        fs::write(&file, edited).expect("a file");
        let mut lines = text.lines().zip(edited.lines());
        let line = lines.position(|(whole, edited)| whole != edited).unwrap_or(text.lines().count()) + 1;
        let told = found(&place);
        assert!(told.contains(&format!("verdict.json, line {line}: ")), "{told}");
        told.replace(&format!("line {line}: "), "line <line>: ")
    };
    insta::assert_snapshot!(
        "verdict_proven",
        told(&text.replacen("\"proven\": false", "\"proven\": true", 1))
    );
    insta::assert_snapshot!(
        "verdict_positive",
        told(&text.replacen("\"positive\": 8", "\"positive\": 7", 1))
    );
    insta::assert_snapshot!("verdict_more", told(&format!("{text}\n")));
    fs::remove_file(&file).expect("removed");
    insta::assert_snapshot!("verdict_none", found(&place));
}

#[test]
fn a_register_line_edited_removed_or_moved() {
    let (place, _trial) = trial();
    let lines = place.lines();
    let mut edited = lines.clone();
    edited[0] = edited[0].replacen("\"attempt\":1", "\"attempt\":2", 1);
    place.write_lines(&edited);
    insta::assert_snapshot!("register_edited", found(&place));
    edited = lines.clone();
    edited.remove(4);
    place.write_lines(&edited);
    insta::assert_snapshot!("register_removed", found(&place));
    edited = lines.clone();
    edited.swap(4, 6);
    place.write_lines(&edited);
    insta::assert_snapshot!("register_moved", found(&place));
    place.write_lines(&lines[..9]);
    insta::assert_snapshot!("register_end_cut_off", found(&place));
    place.write_lines(&lines[..10]);
    insta::assert_snapshot!("register_elimination_cut_off", found(&place));
}

/// The lines of a register with one event changed and its own hash mended, and with every hash after it if `all`.
fn mended(lines: &[String], at: usize, all: bool, change: impl FnOnce(&mut Event)) -> Vec<String> {
    let mut entries: Vec<Entry> =
        lines.iter().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    change(&mut entries[at].event);
    let mut changed: Vec<String> = lines.to_vec();
    for index in at..if all { lines.len() } else { at + 1 } {
        let before = if index == 0 {
            entries[0].previous.clone()
        } else {
            protocol::canonical::sha256_hex(changed[index - 1].as_bytes())
        };
        let Entry { n, time, event, .. } = entries[index].clone();
        let line = Entry::new(n, time, event, before).and_then(|entry| entry.line()).expect("a line");
        changed[index] = String::from_utf8(line).expect("UTF-8");
    }
    changed
}

#[test]
fn a_register_line_edited_with_its_hash_mended() {
    let (place, trial) = trial();
    let lines = place.lines();
    let proven = |event: &mut Event| {
        let Event::Verdict(judged) = event else { panic!("{event:?}") };
        judged.verdict_sha256 = "0".repeat(64);
    };
    place.write_lines(&mended(&lines, 9, false, proven));
    insta::assert_snapshot!("mended_chain", found(&place));
    place.write_lines(&mended(&lines, 9, true, proven));
    insta::assert_snapshot!("mended_whole_chain", found(&place));
    let other = |event: &mut Event| {
        let Event::Plan(plan) = event else { panic!("{event:?}") };
        plan.components[1].switch = "feature other".to_owned();
    };
    place.write_lines(&mended(&lines, 0, true, other));
    insta::assert_snapshot!("mended_components", found(&place));
    // A register that does not know the trial at all, though its plan says that it is an attempt.
    let elsewhere = Place::new();
    elsewhere.judged("another", "other", &[("x", 1.0)]);
    fs::copy(elsewhere.register(), place.register()).expect("a copy");
    insta::assert_snapshot!("mended_another_register", found(&place));
    assert!(trial.folder.exists());
}

#[test]
fn a_void_trial_is_told_to_be_void() {
    let place = Place::new();
    let trial = place.plan("trial", "quick", &[("gain", 2.0)]);
    let void = format!(
        "{{\"plan_id\":\"{}\",\"reason\":\"cancelled\",\"place\":\"run 1\",\"time\":\"now\"}}",
        trial.id()
    );
    fs::write(trial.folder.join("void.json"), void).expect("a file");
    let told = found(&place);
    assert!(
        told.ends_with("found the trial of line 1 running, expected it void as void.json says\n"),
        "{told}"
    );
    place.void(&trial);
    let (code, told) = verify(&place);
    assert_eq!(code, Some(5), "{told}");
    assert!(
        told.contains("this trial is void, so there is nothing to compute: cancelled\n  run 1 (now)"),
        "{told}"
    );
}

#[test]
fn a_page_from_elsewhere_is_noted() {
    let (place, trial) = trial();
    fs::write(trial.folder.join("report.html"), "<p>Proven!</p>").expect("a file");
    let (code, told) = verify(&place);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains(
            "note: report.html is not the page that this lab draws from these files; `bench-lab report trial`"
        ),
        "{told}"
    );
}
