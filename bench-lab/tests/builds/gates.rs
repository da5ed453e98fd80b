//! `gate` on commits that it builds.

use std::fs;

use super::cpp::{COMMAND, Cpp};

const GATE: &str = "[engine]\nbundle = \"build.toml\"\n[tree]\n[size]\nbenchmark.data = { hard = 5 }\n";

/// The engine's repository with a gate file outside of it.
fn with_gate(gate: &str) -> Cpp {
    let cpp = Cpp::new();
    fs::write(cpp.folder().join("build.toml"), format!("[build]\n{COMMAND}")).expect("a file");
    fs::write(cpp.folder().join("gate.toml"), gate).expect("a file");
    cpp
}

/// The exit code and everything that was told.
fn gate(cpp: &Cpp, arguments: &[&str]) -> (Option<i32>, String) {
    let output = cpp.lab(&[&["gate"], arguments].concat());
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_commit_is_held_against_its_base_and_its_message() {
    let cpp = with_gate(GATE);
    cpp.git(&["commit", "--quiet", "--allow-empty", "-m", "Say it\n\nBench: 1000"]);
    // Constants, which the optimiser must keep.
    let large = "static const char *const MOVES[4] =";
    let more = format!("__attribute__((used)) static const char large[65536] = {{1}};\n{large}");
    cpp.branch("large", large, &more);

    let (code, told) = gate(&cpp, &["--head", "trunk", "--base", "trunk", "--strict"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("✔ held (2 held)") && told.contains("1,000 nodes"), "{told}");

    let (code, told) = gate(&cpp, &["--head", "large", "--base", "trunk"]);
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("✘ lost: size of data"), "{told}");
    // The tree is as the commit before says.
    assert!(told.contains("the last one that tells a count, says"), "{told}");

    // The files as they are.
    let (code, told) = gate(&cpp, &["--base", "large", "size"]);
    assert_eq!(code, Some(0), "{told}");

    let (code, told) = gate(&cpp, &["--base", "lagre"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("lagre is neither a file nor a commit of "), "{told}");
}

#[test]
fn engines_that_are_built_in_two_ways_are_not_compared() {
    let cpp = with_gate(GATE);
    let own = std::env::current_exe().expect("a path");
    let (code, told) = gate(&cpp, &["--head", own.to_str().expect("UTF-8"), "--base", "trunk"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("trunk is built here and") && told.contains("name two of one kind"), "{told}");
}
