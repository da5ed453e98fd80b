//! The bundles in the repository, and the commands that need no trial.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench-lab")).args(arguments).output().expect("the lab")
}

fn shipped(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bundles").join(name);
    path.to_str().expect("a UTF-8 path").to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_quick_start_is_good() {
    let check = lab(&["check", &shipped("quickstart.toml"), "--register", "absent.jsonl"]);
    assert_eq!(check.status.code(), Some(0), "{}", text(&check.stderr));
    insta::assert_snapshot!(text(&check.stdout));
}

#[test]
fn the_teacher_lacks_nothing_but_its_net() {
    let check = lab(&["check", &shipped("teacher.toml"), "--register", "absent.jsonl"]);
    // The net is made by two commands and may be there.
    if check.status.code() != Some(0) {
        let told = text(&check.stderr);
        assert_eq!(check.status.code(), Some(2), "{told}");
        assert!(told.contains("the option's file is missing"), "{told}");
        assert_eq!(told.matches("expected:").count(), 1, "{told}");
    }
}

#[test]
fn the_bundles_of_the_experiments_are_good() {
    for name in ["null", "handicap-025", "handicap-050", "handicap-100", "handicap-200", "handicap-whole"] {
        let check = lab(&["check", &shipped(&format!("truth/{name}.toml"))]);
        assert_eq!(check.status.code(), Some(0), "{name}: {}", text(&check.stderr));
    }
}

#[test]
fn usage_is_told_apart_from_errors() {
    assert_eq!(lab(&["walk"]).status.code(), Some(2));
    assert_eq!(lab(&["run", "absent.toml"]).status.code(), Some(2));
    assert_eq!(lab(&["--version"]).status.code(), Some(0));
    let help = text(&lab(&["--help"]).stdout);
    assert!(help.contains("5  void") && help.contains("bench-lab run bundles/quickstart.toml"), "{help}");
    for command in ["run", "check", "register", "verdict", "report", "simulate"] {
        let help = text(&lab(&[command, "--help"]).stdout);
        assert!(help.contains("Example"), "{help}");
    }
}

#[test]
fn a_folder_that_is_no_trial_is_named() {
    for command in ["verdict", "report"] {
        let output = lab(&[command, "absent"]);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stderr);
        assert_eq!(told, "error: absent/plan.json: not there: this is not the folder of a trial\n");
    }
}

#[test]
fn a_trial_folder_that_cannot_be_made_is_told_once() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let out = file.path().join("trial");
    let own = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.arg("run").arg(shipped("quickstart.toml")).arg("--out").arg(&out);
    command.arg("--register").arg(own.path().join("register.jsonl")).env("BENCH_LAB_LOCKS", own.path());
    let output = command.output().expect("the lab");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("error: cannot create") && told.contains("Not a directory"), "{told}");
}
