//! +2.1 % from seven runs: what can and cannot be concluded, and how many phases it would take.

use std::fs;
use std::process::{Command, Output};

/// Nodes per second of both, run by run, in turn.
const RUNS: &str = "\
# before  after
1702000 1747400
1688000 1770000
1731000 1712000
1695000 1727400
1718000 1799000
1744000 1709000
1676000 1721200
";

fn compare(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("runs.txt");
    fs::write(&file, RUNS).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.args(["compare", "--values"]).arg(file).args(arguments).output().expect("the lab")
}

fn told(arguments: &[&str]) -> String {
    let output = compare(arguments);
    // Neither yes nor no.
    assert_eq!(output.status.code(), Some(6), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn nothing_follows_of_the_sign_and_it_is_said_what_would_resolve_it() {
    let told = told(&[]);
    assert!(told.contains("Speed-up of B over A: +2.10 %"), "{told}");
    insta::assert_snapshot!(told);
}

#[test]
fn a_commit_message_says_no_more() {
    insta::assert_snapshot!(told(&["--commit-message"]));
}
