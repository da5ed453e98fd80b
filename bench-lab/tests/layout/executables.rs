//! Draw and show: the same bytes again, what moved, what arms share, and what cannot be shown.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::common::{all_keys, assert_clean, own, refused, source, told};

#[test]
fn same_seed_same_bytes_and_arms_share_their_units() {
    let own = own();
    let folder = own.path();
    let text = told(&["draw", "plain.tar", "quick.tar", "--seed", "7", "-o", "one"], folder);
    let all = text.lines().find(|line| line.trim_start().starts_with("all ")).expect("a sum");
    assert!(all.contains("(100.0 %)"), "{text}");
    told(&["draw", "plain.tar", "quick.tar", "--seed", "7", "-o", "two/"], folder);
    told(&["draw", "plain.tar", "quick.tar", "--seed", "8", "-o", "one"], folder);
    let read = |name: &str| fs::read(folder.join(name)).expect(name);
    for name in ["plain-7", "quick-7", "plain-7.layout.json", "quick-7.layout.json"] {
        assert!(read(&format!("one/{name}")) == read(&format!("two/{name}")), "{name}");
    }
    assert!(read("one/plain-7") != read("one/plain-8"));
    // Another draw of one capture alone gives the same order, but a file of the user's choice.
    told(&["draw", "plain.tar", "--seed", "7", "-o", "alone", "--without", "heap"], folder);
    let file: Value = serde_json::from_slice(&read("alone.layout.json")).expect("JSON");
    assert_eq!((&file["heap_offset"], &file["parts"]["heap"]), (&Value::from(0), &Value::from(false)));
    ["one", "two", ""].iter().for_each(|sub| assert_clean(&folder.join(sub)));

    let moved = told(&["show", "one/plain-7", "one/plain-8", "--json"], folder);
    let moved: Value = serde_json::from_str(&moved).expect("JSON");
    let all = &moved["comparison"]["all"];
    let (common, elsewhere) = (all["common"].as_u64(), all["moved"].as_u64());
    assert!(elsewhere.expect("a count") * 100 >= common.expect("a count") * 95, "{all}");
    let shared = told(&["show", "one/plain-7", "one/quick-7", "--json"], folder);
    let shared: Value = serde_json::from_str(&shared).expect("JSON");
    let all = &shared["comparison"]["all"];
    assert_eq!(all["same"], all["common"], "{all}");
    assert_eq!(shared["comparison"]["by"], "layout-file");
}

#[test]
fn keys_of_the_files_stay() {
    let own = own();
    told(&["draw", "counter.tar", "--seed", "3"], own.path());
    let file = fs::read_to_string(own.path().join("counter-3.layout.json")).expect("a layout file");
    insta::assert_snapshot!("layout_file_keys", all_keys(&file));
    insta::assert_snapshot!("show_keys", all_keys(&told(&["show", "counter-3", "--json"], own.path())));
    told(&["draw", "counter.tar", "--seed", "4"], own.path());
    let pair = told(&["show", "counter-3", "counter-4", "--json", "--units", "main"], own.path());
    let pair: Value = serde_json::from_str(&pair).expect("JSON");
    insta::assert_snapshot!("comparison_keys", all_keys(&pair["comparison"].to_string()));
}

#[test]
fn drawn_and_plain_executables_are_shown() {
    let own = own();
    let folder = own.path();
    told(&["draw", "counter.tar", "--seed", "3"], folder);
    let text = told(&["show", "counter-3"], folder);
    for needed in ["drawn with seed 3", "by its layout file", "byte 0 to 15", "the largest units", ".text"] {
        assert!(text.contains(needed), "{needed}: {text}");
    }
    assert!(!text.contains(") without "), "everything was drawn: {text}");
    told(&["draw", "counter.tar", "--seed", "3", "--without", "heap", "-o", "fixed"], folder);
    let fixed = told(&["show", "fixed"], folder);
    assert!(fixed.contains(") without heap; "), "{fixed}");
    let listed = told(&["show", "counter-3", "--units", "MAIN"], folder);
    assert!(listed.contains("main") && listed.contains("0x"), "{listed}");

    // Built by other means and never captured.
    let engine = source("layout/engine.cpp");
    let built = Command::new("g++").args(["-O2", &engine, "-o", "plain"]).current_dir(folder).status();
    assert!(built.expect("a compiler").success());
    let text = told(&["show", "plain"], folder);
    assert!(text.contains("by its symbol table") && text.contains("of no named unit"), "{text}");
    let text = told(&["show", "plain", "counter-3", "--units", "main"], folder);
    assert!(!text.contains("layout file") && text.contains("moved by"), "{text}");

    let text = told(&["show", "counter-3", "--json"], folder);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let phases = value["executable"]["line_phases"].as_array().expect("counts");
    let sum: u64 = phases.iter().filter_map(Value::as_u64).sum();
    assert_eq!(Some(sum), value["executable"]["functions"].as_u64());
}

#[test]
fn what_cannot_be_shown_is_told_with_its_remedy() {
    let own = own();
    let folder = own.path();
    told(&["draw", "counter.tar", "--seed", "3"], folder);
    let stripped =
        Command::new("strip").args(["-s", "-o", "stripped", "counter-3"]).current_dir(folder).status();
    assert!(stripped.expect("strip").success());
    assert!(refused(&["show", "stripped"], folder, 1).contains("link it without -s"));
    let mut bytes = fs::read(folder.join("counter-3")).expect("an executable");
    bytes[18] = 183;
    fs::write(folder.join("foreign"), &bytes).expect("written");
    assert!(refused(&["show", "foreign"], folder, 1).contains("ARM"));
    assert!(refused(&["show", "work.epd"], folder, 1).contains("no 64-bit ELF file"));
    assert!(refused(&["show", "missing"], folder, 1).contains("missing"));
    // A layout file beside another executable.
    told(&["draw", "counter.tar", "--seed", "4", "-o", "counter-4"], folder);
    fs::copy(folder.join("counter-4"), folder.join("counter-3")).expect("copied");
    assert!(refused(&["show", "counter-3"], folder, 1).contains("describes another executable"));
}
