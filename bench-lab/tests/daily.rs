//! Daily commands that need no engine: a user's own numbers, and the machine's state.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use bench_lab::doctor::{Report, Status};
use protocol::compare::numbers::Judged;

fn lab(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the lab");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A lab that refuses its arguments does not read.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("an end")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_users_numbers_are_judged_with_the_exit_code_of_the_answer() {
    let pairs = |gain: f64| -> String {
        (0..8)
            .map(|run| format!("{} {}\n", 1000 + 7 * (run % 3), 1000.0 * gain + f64::from(7 * (run % 2))))
            .collect()
    };
    for (gain, code, said) in [(1.05, 0, "FASTER"), (0.95, 3, "SLOWER"), (1.0, 6, "NOT RESOLVED")] {
        let output = lab(&["compare", "--values", "-"], &pairs(gain));
        let told = text(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{told}{}", text(&output.stderr));
        assert!(told.contains(said) && told.contains("Not a verdict"), "{told}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("nps.txt");
    fs::write(&file, pairs(1.05)).expect("a file");
    let file = file.to_str().expect("a UTF-8 path");
    let judged = |arguments: &[&str]| -> Judged {
        let output = lab(&[&["compare", "--values", file, "--json"], arguments].concat(), "");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    assert!(judged(&[]).paired && !judged(&["--unpaired"]).paired);
    assert!(judged(&["--resolution", "0.1"]).needed > judged(&[]).needed);
    let block = text(&lab(&["compare", "--values", file, "--commit-message"], "").stdout);
    assert!(block.starts_with("Speed-up: +") && block.contains("8 pairs of runs"), "{block}");
}

#[test]
fn bad_numbers_are_refused_with_their_line() {
    for (input, said) in [
        ("1000 1010\n1000\n", "-: line 2: found `1000`, expected two numbers"),
        ("1,000,000 1,010,000\n", "line 1: found `1,000,000 1,010,000`"),
        ("", "0 values, expected at least 2"),
        ("A 1 2 3\n", "0 values of B, expected at least 2"),
    ] {
        let output = lab(&["compare", "--values", "-"], input);
        let errors = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{errors}");
        assert!(errors.contains(said), "{errors}");
    }
    let absent = lab(&["compare", "--values", "absent.txt"], "");
    assert_eq!(absent.status.code(), Some(1));
    assert!(text(&absent.stderr).contains("cannot read absent.txt"));
}

#[test]
fn the_doctor_looks_at_everything_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a UTF-8 path");
    let output = lab(&["doctor", "--json", "--seconds", "1", "--folder", path], "");
    let report: Report = serde_json::from_slice(&output.stdout).expect("JSON");
    let prevents = report.status == Status::Prevents;
    assert_eq!(output.status.code(), Some(if prevents { 6 } else { 0 }), "{}", text(&output.stderr));
    let looked: Vec<&str> = report.findings.iter().map(|finding| finding.what.as_str()).collect();
    insta::assert_snapshot!("doctor_looks_at", looked.join("\n"));
    for finding in &report.findings {
        let disturbs = finding.status >= Status::Disturbs;
        assert_eq!((finding.cost.is_some(), finding.mend.is_some()), (disturbs, disturbs), "{finding:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "litter");
    let table = lab(&["doctor", "--seconds", "1", "--folder", path], "");
    assert!(text(&table.stdout).contains("address randomisation"), "{}", text(&table.stdout));
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let absent = folder.path().join("absent");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    for (path, said) in [(&absent, "absent is not there"), (&file, "file is no folder")] {
        let path = path.to_str().expect("a UTF-8 path");
        let output = lab(&["doctor", "--seconds", "1", "--folder", path], "");
        let table = text(&output.stdout);
        assert_eq!(output.status.code(), Some(6), "{table}");
        assert!(table.contains(said) && table.contains("name a folder that is there: --folder"), "{table}");
    }
}

#[test]
fn a_core_that_is_not_there_is_refused() {
    let output = lab(&["doctor", "--core", "4000"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("core 4000 is not among those"), "{}", text(&output.stderr));
}
