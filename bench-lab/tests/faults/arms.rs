//! Arms that fall ill in the middle of a trial: each is one message, a void trial, and no process left.

use std::fs;

use super::bundle::{self, Ill};

/// What the lab says of arms that fall ill in this way, with the paths and numbers of this run left out.
fn told_of(illness: &str) -> String {
    let ill = Ill::new(illness);
    let mut lab = ill.run();
    ill.wait_for_records(&mut lab, 6);
    ill.fall();
    let output = lab.wait_with_output().expect("the lab");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{told}");
    let error = told.split("error: ").nth(1).expect("an error");

    let void = fs::read_to_string(ill.out().join("void.json")).expect("void.json");
    let void: serde_json::Value = serde_json::from_str(&void).expect("JSON");
    let (place, reason) =
        (void["place"].as_str().expect("a place"), void["reason"].as_str().expect("a reason"));
    assert_eq!(
        error,
        format!("void, {place}: {reason}\nnothing was computed; a new trial needs a new plan\n"),
        "one message"
    );
    assert!(place.starts_with("run 1, phase ") && place.ends_with(", lane main"), "{place}");
    for absent in ["verdict.json", "report.html", "timing.json"] {
        assert!(!ill.out().join(absent).exists(), "{absent} in a void trial");
    }
    let records = bundle::records(&ill.out());
    assert_eq!(protocol::lines::read(&records).expect("whole lines").len() % 3, 0, "whole phases");
    assert_eq!(ill.processes(), [""; 0]);
    assert_eq!(ill.litter(), [""; 0]);
    // The child of the daemon's parent is seen before or after it has turned into its program.
    settled(&reason.replace("(setsid,", "(sleep,"))
}

/// A message without what differs from run to run: numbers of phases, processes and files, and paths.
fn settled(reason: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in reason.split(' ') {
        let bare = word.trim_end_matches([',', ':', ';', ')']);
        let varies = match words.last().map(String::as_str) {
            Some("phase" | "process" | "was" | "then" | "within") => bare.parse::<f64>().is_ok(),
            // Whichever is copied first.
            Some("arm") => word.ends_with(':'),
            _ => bare.starts_with('/'),
        };
        match varies {
            true => words.push(format!("…{}", &word[bare.len()..])),
            false => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

macro_rules! illnesses {
    ($($name:ident: $illness:literal => $expected:literal)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(told_of($illness), @$expected);
        }
    )* };
}

illnesses! {
    an_arm_that_hangs: "hang" => "arm full hangs in search 1 (run 1, phase …, lane main, process …): no `bestmove` within … s"
    an_arm_that_dies: "die" => "arm full died in search 1 (run 1, phase …, lane main, process …): exit status 3; its last words: ill engine: told to die"
    an_arm_that_breaks_down: "abort" => "arm full died in search 1 (run 1, phase …, lane main, process …): signal SIGABRT"
    an_arm_that_dies_at_its_start: "die-at-start" => "arm full died at `isready` (run 1, phase …, lane main, process …): exit status 4; its last words: ill engine: told to die at its start"
    an_arm_that_closes_its_output: "close" => "arm full died in search 1 (run 1, phase …, lane main, process …): closed its output but lives"
    an_arm_that_prints_garbage: "garbage" => "arm full in search 1 (run 1, phase …, lane main, process …): 10001 lines without `bestmove`; the last was `�� bestmove`"
    an_arm_that_prints_a_line_without_end: "endless-line" => "arm full in search 1 (run 1, phase …, lane main, process …): wrote more than 16 MB to standard output; the last was `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`"
    an_arm_that_prints_answers_without_end: "endless-info" => "arm full in search 1 (run 1, phase …, lane main, process …): wrote more than 16 MB to standard output; the last was `info depth 1 score cp 0 nodes 1`"
    an_arm_that_complains_without_end: "endless-errors" => "arm full in search 1 (run 1, phase …, lane main, process …): wrote more than 16 MB to standard error; the last was `warning: something is wrong`"
    an_arm_that_searches_another_tree_once: "nodes" => "node counts differ in search 1 (run 1, phase …, lane main, process …) on rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1: full searched 20001, expected 20000 as earlier phases"
    an_arm_that_replaces_its_executable: "swap" => "arm full in search 2 (run 1, phase …, lane main, process …): its executable … changed: its inode was …, then …; an arm must leave its executable alone and run nothing else"
    an_arm_that_writes_to_what_it_was_copied_from: "taint" => "arm …: cannot copy … into …: it changed since it was hashed: its inode was …, then …"
    an_arm_that_runs_something_else: "exec" => "arm full at `go depth 1` (run 1, phase …, lane main, process …): it runs … now instead of …; an arm must leave its executable alone and run nothing else"
    an_arm_that_does_not_end: "deaf" => "arm full at `quit` (run 1, phase …, lane main, process …): is still there 10 s after it was told to quit"
    an_arm_with_a_child_that_stays: "child" => "arm full in search 2 (run 1, phase …, lane main, process …): started processes of its own that are still there (sleep, process …); their work would not be counted: an arm must be one process"
    an_arm_with_a_daemon: "daemon" => "arm base or full or without:cure in search 2 (run 1, phase …, lane main, process …): started processes of its own that are still there (sleep, process …); their work would not be counted: an arm must be one process"
}
