//! `bench-lab register`: the list of trials.

use std::fs;

use bench_lab::locks::Holder;
use bench_lab::register::RegisterFile;

use super::place::{Place, without_digests};

#[test]
fn every_trial_is_listed_with_what_became_of_it() {
    let place = Place::new();
    place.judged("trial-1", "quick", &[("gain", 2.0), ("none", -1.0)]);
    place.lab(&["register", "register.jsonl"]);
    let void = place.plan("trial-2", "quick", &[("gain", 2.0)]);
    place.start(&void, 1);
    place.void(&void);
    place.judged("trial-3", "other", &[("gain", 2.0)]);
    let output = place.lab(&["register", "register.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    let mut text = without_digests(&String::from_utf8_lossy(&output.stdout));
    for trial in place.open().register().trials() {
        text = text.replace(&trial.time, "<time>").replace(&trial.plan.plan_id[..12], "<plan>");
    }
    insta::assert_snapshot!(text);

    let output = place.lab(&["register", "register.jsonl", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let states: Vec<&str> =
        json["trials"].as_array().expect("trials").iter().filter_map(|t| t["state"].as_str()).collect();
    assert_eq!(states, ["not proven", "void", "proven"]);
    assert_eq!(json["lines"], place.lines().len());
    assert_eq!(json["trials"][0]["eliminated"], serde_json::json!(["none"]));
    assert_eq!(json["trials"][1]["void"]["reason"], "cancelled");
    assert_eq!(json["trials"][1]["attempt"], 2);
    assert_eq!(json["trials"][2]["attempt"], 2, "the same switches as the second");
    assert_eq!(json["head"].as_str().map(str::len), Some(64));
}

#[test]
fn a_register_that_is_not_there_is_told() {
    let place = Place::new();
    let output = place.lab(&["register", "absent.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        told,
        "error: there is no register absent.jsonl: `bench-lab run` begins one with its first plan\n"
    );
    assert!(!place.path().join("absent.jsonl").exists());
}

#[test]
fn a_file_that_is_no_register_is_told_without_options_that_are_not_there() {
    let place = Place::new();
    fs::write(place.path().join("good.toml"), "name = \"tiny\"\n").expect("a file");
    let output = place.lab(&["register", "good.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: the register good.toml, line 1: not JSON (expected ident at column 2); expected an entry of the register; \
         nothing is added to it: restore it from a copy, or name another file\n"
    );
    // Nobody, not even root, can create anything there.
    let told = place.lab(&["register", "/proc/self/stat"]).stderr;
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(told.starts_with("only read: cannot lock the register /proc/self/stat by "), "{told}");
    assert!(told.contains("; name a file in a folder that you may write to\n"), "{told}");
    assert!(told.contains("expected an entry at column ") && !told.contains("--register"), "{told}");
    super::place::bundle(&place, "quick", &["gain"]);
    let told = place.lab(&["check", "quick.toml", "--register", "good.toml"]).stderr;
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(told.ends_with("or name another one with --register\n"), "{told}");
}

#[test]
fn a_register_in_use_is_only_read() {
    let place = Place::new();
    let open = place.plan("trial-1", "quick", &[("gain", 2.0)]);
    let _held = RegisterFile::open(&place.register(), &Holder::this("bundle quick")).expect("nobody else");
    let output = place.lab(&["register", "register.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let own = format!(
        "only read: the register register.jsonl is in use by another lab: process {} (`",
        std::process::id()
    );
    assert!(
        told.starts_with(&own)
            && told.contains(", for bundle quick; wait until it has ended, or name another file"),
        "{told}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("0/8  running"), "{output:?}");
    assert_eq!(place.lines().len(), 1, "a trial that may run is not ended");
    assert!(!open.folder.join("void.json").exists());
    let refused = place.lab(&["run", "absent.toml", "--register", "register.jsonl"]);
    assert_eq!(refused.status.code(), Some(2), "a bad bundle is told first");
    assert_eq!(fs::read_dir(place.path()).expect("the folder").count(), 3, "register, lock, trial");
}
