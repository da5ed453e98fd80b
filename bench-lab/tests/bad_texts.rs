//! Bundles that are bad as files and texts: no text at all, other encodings, control characters, numbers beyond every bound.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::tiny::{GOOD, POSITIONS, read, read_in};

/// What is told of a file with these bytes.
fn told_of(bytes: &[u8]) -> String {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::write(dir.path().join("bundle.toml"), bytes).expect("a file");
    read_in(dir.path()).expect_err("bad bytes")
}

fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}: nothing to replace");
    GOOD.replacen(from, to, 1)
}

#[test]
fn files_that_are_no_bundle() {
    insta::assert_snapshot!("file_empty", told_of(b""));
    insta::assert_snapshot!("file_blank", told_of(b"\n\n   \n"));
    insta::assert_snapshot!("file_of_prose", told_of(b"Dear lab,\nmy engine is faster now.\n"));
    insta::assert_snapshot!("file_json", told_of(b"{ \"name\": \"tiny\" }\n"));
    insta::assert_snapshot!("file_latin_1", told_of(b"name = \"tiny\"\n# gr\xf6\xdfer\n"));
    insta::assert_snapshot!("file_utf_16", told_of(b"\xff\xfen\0a\0m\0e\0"));
    insta::assert_snapshot!("file_cut_utf_8", told_of(b"name = \"\xc3"));
    insta::assert_snapshot!("file_nul", told_of(b"name = \"ti\0ny\"\n"));
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(dir.path().join("bundle.toml")).expect("a folder");
    insta::assert_snapshot!("file_folder", read_in(dir.path()).expect_err("a folder"));
}

#[test]
fn files_that_cannot_be_read() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    symlink("nowhere.toml", dir.path().join("bundle.toml")).expect("a link");
    insta::assert_snapshot!("file_dangling", read_in(dir.path()).expect_err("a dangling link"));
    fs::remove_file(dir.path().join("bundle.toml")).expect("removed");
    symlink("bundle.toml", dir.path().join("bundle.toml")).expect("a link");
    insta::assert_snapshot!("file_of_links", read_in(dir.path()).expect_err("a circle of links"));
    fs::remove_file(dir.path().join("bundle.toml")).expect("removed");
    fs::write(dir.path().join("bundle.toml"), GOOD).expect("a file");
    fs::set_permissions(dir.path().join("bundle.toml"), fs::Permissions::from_mode(0o000))
        .expect("permissions");
    // Nothing is closed to the superuser, who then misses what lies around the bundle.
    let told = read_in(dir.path()).expect_err("a closed file");
    let is_closed = fs::File::open(dir.path().join("bundle.toml")).is_err();
    assert_eq!(told.contains("Permission denied"), is_closed, "{told}");
}

#[test]
fn marks_and_line_ends_of_other_systems_do_no_harm() {
    let plain = read(GOOD, POSITIONS.as_bytes()).expect("a good bundle");
    let marked = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let bundle = read(&marked(GOOD), marked(POSITIONS).as_bytes()).expect("a good bundle all the same");
    assert_eq!(bundle.workload.positions, plain.workload.positions);
    assert_eq!(bundle.name, plain.name);
    // Places are right there too.
    let told =
        read(&marked(&changed("nodes = 500", "nodse = 500")), POSITIONS.as_bytes()).expect_err("a key");
    insta::assert_snapshot!("crlf_unknown_key", told);
    let told = read(GOOD, marked("8/8/8/4k3/8/4K3/4P3/8 w - -\nnonsense\n").as_bytes()).expect_err("no FEN");
    insta::assert_snapshot!("crlf_position", told);
}

#[test]
fn characters_that_steer_a_terminal_or_an_engine() {
    let told = |from: &str, to: &str| read(&changed(from, to), POSITIONS.as_bytes()).expect_err(to);
    insta::assert_snapshot!("control_raw", told("name = \"tiny\"", "name = \"ti\u{1b}[31mny\""));
    insta::assert_snapshot!("control_in_name", told("name = \"tiny\"", "name = \"ti\\u001b[31mny\""));
    insta::assert_snapshot!("control_in_lane", told("name = \"main\"", "name = \"main\\n\""));
    insta::assert_snapshot!("control_in_option", told("Hash = 16", "Hash = \"16\\nquit\""));
    insta::assert_snapshot!("option_no_name", told("Hash = 16", "\"\" = 16"));
    insta::assert_snapshot!("option_with_value", told("Hash = 16", "\"Hash value 16\" = 16"));
    insta::assert_snapshot!("option_two_blanks", told("Hash = 16", "\"Clear  Hash\" = \"\""));
    let switch = "option = { name = \"X\\n\", on = \"a\", off = \"b\\u0000\" }";
    insta::assert_snapshot!("control_in_switch", told("feature = \"two\"", switch));
    insta::assert_snapshot!("nul_in_env", told("profile = \"lab\"", "env = { A = \"\\u0000\" }"));
    insta::assert_snapshot!(
        "nul_in_bench",
        told("positions = 4", "bench = [\"be\\u0000nch\"]\npositions = 4")
    );
    let positions = "8/8/8/4k3/8/4K3/4P3/8 w - - \u{1b}[2J\n";
    insta::assert_snapshot!(
        "control_in_position",
        read(GOOD, positions.as_bytes()).expect_err("a bad clock")
    );
}

#[test]
fn numbers_beyond_every_bound() {
    let told = |from: &str, to: &str| read(&changed(from, to), POSITIONS.as_bytes()).expect_err(to);
    for (name, from, to) in [
        ("huge_nodes", "nodes = 1000", "nodes = 99999999999999999999"),
        ("many_nodes", "nodes = 1000", "nodes = 9223372036854775807"),
        ("many_identity_nodes", "nodes = 500", "nodes = 1000000001"),
        ("huge_processes", "processes = 1", "processes = 9223372036854775807"),
        ("infinite_slice", "slice_ms = 5", "slice_ms = inf"),
        ("no_slice", "slice_ms = 5", "slice_ms = nan"),
        ("infinite_threshold", "threshold = 1.5", "threshold = inf"),
        ("no_threshold", "threshold = 1.5", "threshold = nan"),
        ("huge_float", "threshold = 1.5", "threshold = 1e999999"),
        ("huge_calibration", "calibration_phases = 4", "calibration_phases = 100000"),
        ("huge_values", "seed = 1", "tables = { option = \"T\", values = 4294967296 }"),
        ("half_number", "seed = 1", "seed = 0x"),
        ("grouped_number", "nodes = 1000", "nodes = 1,000"),
        ("german_number", "threshold = 1.5", "threshold = 1,5"),
        ("bare_word", "kind = \"cargo\"", "kind = cargo"),
        ("open_list", "features = [\"always\"]", "features = [\"always\""),
        ("open_table", "[measure]", "[measure"),
        ("no_value", "nodes = 1000", "nodes ="),
        ("curly_quotes", "name = \"tiny\"", "name = “tiny”"),
    ] {
        insta::assert_snapshot!(name, told(from, to));
    }
    let long = format!("name = \"{}\"", "a".repeat(65));
    insta::assert_snapshot!("long_name", told("name = \"tiny\"", &long));
}

#[test]
fn lanes_at_once_need_cores_of_their_own() {
    let at_once = GOOD.replace("slice_ms = 5", "slice_ms = 5\nlanes_at_once = true");
    insta::assert_snapshot!("at_once_one", read(&at_once, POSITIONS.as_bytes()).expect_err("one lane"));
    let two = at_once.replace("[measure]", "[[lane]]\nname = \"other\"\ncore = 0\n\n[measure]");
    insta::assert_snapshot!("at_once_same_core", read(&two, POSITIONS.as_bytes()).expect_err("one core"));
}

#[test]
fn paths_of_the_same_tree_proof_are_checked() {
    for (name, paths) in [
        ("paths_empty", "[{}]"),
        ("paths_kind", "[{ SIMD = [1] }]"),
        ("paths_file", "[{ EvalFile = \"x.net\" }]"),
    ] {
        let bundle = changed("positions = 4", &format!("paths = {paths}\npositions = 4"));
        insta::assert_snapshot!(name, read(&bundle, POSITIONS.as_bytes()).expect_err(name));
    }
}
