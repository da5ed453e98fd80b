//! Every way a bundle can be wrong, with the message the author gets.

use crate::tiny::{GOOD, POSITIONS, read, read_in};

#[test]
fn the_good_bundle_is_good() {
    let bundle = read(GOOD, POSITIONS.as_bytes()).expect("a good bundle");
    let arms: Vec<String> = bundle.arms().iter().map(|arm| format!("{}: {:?}", arm.name, arm.on)).collect();
    let expected = [
        "base: [false, false]",
        "full: [true, true]",
        "without:one: [false, true]",
        "without:two: [true, false]",
    ];
    assert_eq!(arms, expected);
    assert_eq!(bundle.same_builds(), [0, 1, 2, 3]);
    assert_eq!(bundle.workload.positions.len(), 2);
    assert_eq!(bundle.workload.positions[1], "8/8/8/4k3/8/4K3/4P3/8 b - -");
    assert_eq!((bundle.measure.slice_us, bundle.measure.processes), (5000, 1));
    assert_eq!(bundle.lanes[0].options["Hash"], "16");
}

#[test]
fn every_bad_bundle_is_refused_with_its_place() {
    let cases = [
        ("unknown_key", "slice_ms = 5", "slise_ms = 5"),
        ("unknown_section", "[measure]", "[mesure]"),
        ("missing_key", "package = \"mini\"\n", ""),
        ("missing_section", "[workload]\npositions = \"work.epd\"\nnodes = 1000\n", ""),
        ("wrong_type", "nodes = 1000", "nodes = \"many\""),
        ("negative", "nodes = 1000", "nodes = -1"),
        ("syntax", "name = \"tiny\"", "name = \"tiny"),
        ("duplicate_key", "nodes = 1000", "nodes = 1000\nnodes = 2000"),
        ("component_not_a_list", "[[component]]\nname = \"one\"", "[component]\nname = \"one\""),
        ("bad_name", "name = \"tiny\"", "name = \"../tiny bundle\""),
        ("unknown_kind", "kind = \"cargo\"", "kind = \"make\""),
        ("no_manifest", "path = \"mini\"", "path = \"elsewhere\""),
        ("unknown_package", "package = \"mini\"", "package = \"mimi\""),
        ("unknown_binary", "package = \"mini\"", "package = \"mini\"\nbinary = \"minny\""),
        ("unknown_feature", "feature = \"two\"", "feature = \"twoo\""),
        ("feature_twice", "feature = \"two\"", "feature = \"one\""),
        ("name_twice", "name = \"two\"", "name = \"one\""),
        ("feature_in_base", "features = [\"always\"]", "features = [\"both\"]"),
        ("feature_implied", "feature = \"two\"", "feature = \"both\""),
        ("feature_listed_twice", "[\"always\"]", "[\"always\", \"always\"]"),
        ("costs_not_said", "costs = []\n", ""),
        ("no_positions_file", "work.epd", "wrok.epd"),
        ("no_nodes", "nodes = 1000", "nodes = 0"),
        ("identity_no_nodes", "nodes = 500", "nodes = 0"),
        ("identity_too_many", "positions = 4", "positions = 100000"),
        ("identity_mixed", "nodes = 500", "levels = [{ positions = 1, nodes = 1 }]"),
        ("identity_half", "nodes = 500\n", ""),
        ("identity_empty", "positions = 4\nnodes = 500", "levels = []"),
        ("identity_small_suite", "positions = 4\nnodes = 500", "suite = \"work.epd\""),
        ("no_core", "core = 0", "core = 1000"),
        ("option_kind", "{ Hash = 16 }", "{ Hash = [16] }"),
        ("option_file", "{ Hash = 16 }", "{ EvalFile = \"nets/main.net\" }"),
        ("slice_long", "slice_ms = 5", "slice_ms = 10.5"),
        ("slice_zero", "slice_ms = 5", "slice_ms = 0"),
        ("no_processes", "processes = 1", "processes = 0"),
        ("threshold_negative", "threshold = 1.5", "threshold = -1.5"),
        ("calibration_odd", "calibration_phases = 4", "calibration_phases = 5"),
        ("layout_part", "seed = 1", "stak = false"),
        ("layout_kind", "seed = 1", "stack = \"drawn\""),
        ("layout_tables_no_option", "seed = 1", "tables = { option = \"\", values = 9 }"),
        ("layout_tables_no_values", "seed = 1", "tables = { option = \"Table Layout\", values = 1 }"),
        ("layout_tables_kind", "seed = 1", "tables = true"),
        (
            "layout_nothing",
            "seed = 1",
            "order = false\npadding = false\nphase = false\nsegments = false\nheap = false\nstack = false\n\
             mapping = false\ncopy = false",
        ),
        ("key_of_other_kind", "profile = \"lab\"", "command = \"make\""),
        ("kind_missing", "kind = \"cargo\"\n", ""),
        ("path_missing", "path = \"mini\"\n", ""),
        ("env_name", "profile = \"lab\"", "env = { \"A=B\" = \"1\" }"),
        ("switch_of_other_kind", "feature = \"two\"", "define = \"TWO\""),
        ("lane_key", "core = 0\n", "core = 0\nbuild = { package = \"other\" }\n"),
        ("lane_feature", "core = 0\n", "core = 0\nbuild = { features = [\"allways\"] }\n"),
        ("lane_feature_of_component", "core = 0\n", "core = 0\nbuild = { features = [\"one\"] }\n"),
        (
            "lane_default",
            "name = \"main\"\ncore = 0",
            "name = \"default\"\nbuild = { profile = \"release\" }\ncore = 0",
        ),
        ("no_switch", "feature = \"two\"\n", ""),
        (
            "two_switches",
            "feature = \"two\"",
            "feature = \"two\"\noption = { name = \"X\", on = 1, off = 0 }",
        ),
        ("option_same", "feature = \"two\"", "option = { name = \"X\", on = 1, off = 1 }"),
        ("option_same_number", "feature = \"two\"", "option = { name = \"X\", on = 16, off = \"016\" }"),
        ("option_same_boolean", "feature = \"two\"", "option = { name = \"X\", on = true, off = \"True\" }"),
        ("option_half", "feature = \"two\"", "option = { name = \"X\", on = 1 }"),
        (
            "option_twice",
            "feature = \"two\"",
            "option = { name = \"Depth\", on = 1, off = 0 }\ncosts = []\n[[component]]\nname = \"three\"\n\
             option = { name = \"depth\", on = 2, off = 0 }",
        ),
        ("option_of_lane", "feature = \"two\"", "option = { name = \"hash\", on = 1, off = 2 }"),
        ("cost_slip", "costs = [\"memory\"]", "costs = [\"memry\"]"),
        ("cost_slip_of_words", "costs = [\"memory\"]", "costs = [\"startup time\"]"),
        ("cost_word", "costs = [\"memory\"]", "costs = [\"bandwidth\"]"),
        ("cost_lane", "costs = [\"memory\"]", "costs = [\"lane:mian\"]"),
        ("cost_twice", "costs = [\"memory\"]", "costs = [\"memory\", \"memory\"]"),
        ("tolerance_key", "[layout]", "[tolerance]\nmemory = 3\n[layout]"),
        ("tolerance_percent", "[layout]", "[tolerance]\nmemory_percent = -1\n[layout]"),
        ("tolerance_size", "[layout]", "[tolerance]\nexecutable_size_kib = 9223372036854775807\n[layout]"),
        ("tolerance_time", "[layout]", "[tolerance]\nstart_up_time_ms = -0.5\n[layout]"),
        ("diagnostics_empty", "[layout]", "[diagnostics]\ntogether = []\n[layout]"),
        ("diagnostics_flat", "[layout]", "[diagnostics]\ntogether = [\"one\", \"two\"]\n[layout]"),
        ("diagnostics_one", "[layout]", "[diagnostics]\ntogether = [[\"one\"]]\n[layout]"),
        ("diagnostics_unknown", "[layout]", "[diagnostics]\ntogether = [[\"one\", \"tow\"]]\n[layout]"),
        ("diagnostics_same", "[layout]", "[diagnostics]\ntogether = [[\"one\", \"one\"]]\n[layout]"),
        (
            "diagnostics_twice",
            "[layout]",
            "[diagnostics]\ntogether = [[\"one\", \"two\"], [\"two\", \"one\"]]\n[layout]",
        ),
        (
            "diagnostics_phases",
            "[layout]",
            "[diagnostics]\ntogether = [[\"one\", \"two\"]]\nphases = 13\n[layout]",
        ),
        ("several", "nodes = 1000\n\n[identity]\npositions = 4", "nodes = 0\n\n[identity]\npositions = 0"),
    ];
    for (name, from, to) in cases {
        assert!(GOOD.contains(from), "{name}: nothing to replace");
        let message = read(&GOOD.replacen(from, to, 1), POSITIONS.as_bytes()).expect_err(name);
        // How many cores there are differs between machines.
        let message = match message.split_once("may use: ") {
            Some((before, _)) => format!("{before}may use: [cores]"),
            None => message,
        };
        insta::assert_snapshot!(name, message);
    }
}

#[test]
fn what_cargo_says_of_a_manifest_is_what_was_found() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("a file");
    std::fs::create_dir(dir.path().join("mini")).expect("a folder");
    write("mini/Cargo.toml", "[package]\nname = \"mini\"\nedition = \"1066\"\n[workspace]\n");
    write("work.epd", POSITIONS);
    write("bundle.toml", GOOD);
    let message = read_in(dir.path()).expect_err("a bad manifest");
    assert!(message.starts_with("bundle.toml:5:8: cargo does not accept the manifest\n"), "{message}");
    // In cargo's own words, whatever these are today.
    let (_, told) = message.split_once("\n  found:    error: ").expect("what cargo says");
    let (found, expected) = told.split_once("\n  expected: ").expect("what would be right");
    assert!(found.contains("mini/Cargo.toml") && found.contains("1066"), "{message}");
    assert!(
        found.lines().skip(1).all(|line| line.is_empty() || line.starts_with("            ")),
        "{message}"
    );
    assert_eq!(expected, "a manifest that `cargo metadata --no-deps --offline` accepts");
}

#[test]
fn nothing_to_measure_is_refused() {
    let start = GOOD.find("[[component]]").expect("components");
    let end = GOOD.find("[workload]").expect("a workload");
    let none = format!("{}{}", &GOOD[..start], &GOOD[end..]);
    let start = none.find("[[lane]]").expect("a lane");
    let end = none.find("[measure]").expect("slots");
    let none = format!("{}{}", &none[..start], &none[end..]);
    insta::assert_snapshot!(read(&none, POSITIONS.as_bytes()).expect_err("nothing to measure"));
}

#[test]
fn every_bad_position_is_named_with_its_line() {
    let lines = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/4k3/8/4K3/4P3 w - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/9 w - - 0 1",
        "8/8/8/8/8/4K3/4P3/8 w - - 0 1",
        "8/8/8/4k3/8/4K3/8/4P3 w - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 white - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 w z - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 w - e4 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 w - - bm e4",
        "  nonsense # with a comment",
    ];
    insta::assert_snapshot!(read(GOOD, lines.join("\n").as_bytes()).expect_err("bad positions"));
}

#[test]
fn files_without_positions_or_text_are_refused() {
    insta::assert_snapshot!("positions_empty", read(GOOD, b"# nothing\n\n").expect_err("no position"));
    insta::assert_snapshot!("positions_binary", read(GOOD, b"# \xff\n").expect_err("not text"));
    let dir = tempfile::tempdir().expect("a temporary folder");
    insta::assert_snapshot!("no_bundle", read_in(dir.path()).expect_err("no bundle"));
}
