//! A trial of built arms through a pause: what it needs to draw layouts waits with it, and nothing is built again.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use protocol::{PHASES, ProcessRecord, RUNS, lines};

use super::cpp::{COMMAND, Cpp};

/// Two components, which the diagnostics leave out together.
const COMPONENTS: &str = "[[component]]\nname = \"quick\"\ndefine = \"QUICK\"\ncosts = []\n\
    [[component]]\nname = \"short\"\npatch = \"short-table.diff\"\ncosts = []\n\
    [diagnostics]\ntogether = [[\"quick\", \"short\"]]\nphases = 1\n";

/// The executables that an arm had in a run.
fn executables<'a>(records: &'a [ProcessRecord], run: usize, arm: &str) -> BTreeSet<&'a str> {
    let own = records.iter().filter(|record| record.run == run && record.arm == arm);
    own.map(|record| record.draw.executable_sha256.as_str()).collect()
}

#[test]
fn captured_links_wait_while_a_trial_is_paused() {
    let cpp = Cpp::new();
    cpp.bundle(COMMAND, COMPONENTS, "");
    let fixed = ["--anyway", "--seed", "7", "--register", "register.jsonl", "--out", "trial"];
    let mut run = cpp.command(&[&["run", "bundle.toml"], &fixed[..]].concat());
    let mut lab = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the lab");
    let trial = cpp.folder().join("trial");
    let begun = Instant::now();
    while fs::metadata(trial.join("records.jsonl")).map_or(0, |file| file.len()) == 0 {
        assert!(lab.try_wait().expect("a child").is_none(), "the lab ended before it had measured");
        assert!(begun.elapsed() < Duration::from_secs(600), "the lab does not measure");
        std::thread::sleep(Duration::from_millis(2));
    }
    let asked = cpp.lab(&["pause", "trial"]);
    assert_eq!(asked.status.code(), Some(0), "{asked:?}");
    let output = lab.wait_with_output().expect("the lab");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(7), "{told}");
    assert!(told.contains("building arm 1 of 4: base"), "{told}");
    let paused = fs::read_to_string(trial.join("pause.json")).expect("pause.json");
    let paused: serde_json::Value = serde_json::from_str(&paused).expect("JSON");
    let before = paused["after_run"].as_u64().expect("a run") as usize;

    // Whoever built an arm now would be told so.
    fs::write(cpp.tree().join("engine.cpp"), "#error built again\n").expect("a file");
    let output = cpp.lab(&["resume", "trial"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 3)), "{told}");
    assert!(!told.contains("building arm"), "{told}");

    let read = |name: &str| {
        let text = fs::read_to_string(trial.join(name)).expect(name);
        lines::read(&text).expect("records")
    };
    let records = read("records.jsonl");
    assert_eq!(records.len(), RUNS * PHASES * 4);
    for arm in ["base", "full", "without:quick", "without:short"] {
        let [before, after] = [before, before + 1].map(|run| executables(&records, run, arm));
        assert_eq!((before.len(), after.len()), (PHASES, PHASES), "{arm}: a layout for every phase");
        assert!(before.is_disjoint(&after), "{arm}: layouts of before the pause");
    }
    assert!(records.iter().all(|record| record.draw.moved_functions.0 > 0), "something was relinked");
    // The arms of the diagnostics have waited too.
    let diagnosed = read("diagnostics.jsonl");
    assert_eq!(diagnosed.len(), RUNS * 3);
    assert_eq!(executables(&diagnosed, 1, "without:quick+short").len(), 1);
    let verified = cpp.lab(&["verify", "trial", "--register", "register.jsonl"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    // Nothing waits any more.
    let kept = paused["kept"].as_str().expect("a path");
    assert!(!fs::exists(kept).expect("a path"), "{kept} is left");
}
