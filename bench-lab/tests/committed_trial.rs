//! The finished trial in the repository: its verdict follows from its records, and its page from both.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The committed files, copied so that no test can change them.
fn copied() -> (tempfile::TempDir, PathBuf) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/quickstart");
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["plan.json", "records.jsonl", "verdict.json", "timing.json", "report.html"] {
        fs::copy(from.join(name), folder.path().join(name)).expect(name);
    }
    let path = folder.path().to_path_buf();
    (folder, path)
}

fn lab(command: &str, folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench-lab")).arg(command).arg(folder).output().expect("the lab")
}

#[test]
fn the_verdict_follows_from_the_records() {
    let (_guard, folder) = copied();
    let stored: protocol::Verdict =
        serde_json::from_slice(&fs::read(folder.join("verdict.json")).expect("a verdict")).expect("JSON");
    let output = lab("verdict", &folder);
    let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("the stored verdict is the same"), "{told}");
    assert_eq!(output.status.code(), Some(if stored.proven { 0 } else { 3 }), "{told}");
}

#[test]
fn the_page_can_be_redrawn() {
    let (_guard, folder) = copied();
    let page = fs::read(folder.join("report.html")).expect("a page");
    fs::remove_file(folder.join("report.html")).expect("removable");
    assert_eq!(lab("report", &folder).status.code(), Some(0));
    assert!(fs::read(folder.join("report.html")).expect("a page again") == page, "the page differs");
}

#[test]
fn one_digit_is_noticed() {
    let (_guard, folder) = copied();
    let records = fs::read_to_string(folder.join("records.jsonl")).expect("records");
    let line = records.lines().nth(7).expect("a line");
    let total = line.split("\"cpu_ns\":").nth(1).and_then(|rest| rest.split(',').next()).expect("a time");
    let digit = if total.ends_with('0') { '1' } else { '0' };
    let changed = line.replacen(total, &format!("{}{digit}", &total[..total.len() - 1]), 1);
    assert_ne!(line, changed);
    fs::write(folder.join("records.jsonl"), records.replacen(line, &changed, 1)).expect("writable");
    let output = lab("verdict", &folder);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with("error: records.jsonl, line 8: "), "{told}");
    assert!(told.contains("the sum of its searches"), "{told}");
}
