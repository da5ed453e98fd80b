//! Every key of every table: of the wrong type, misspelt, twice, missing. Whatever is wrong is told with line, column, what was found
//! and what was expected; what is misspelt, with the nearest key.

use crate::tiny::{GOOD, POSITIONS, read};

/// Every key of the good bundle as it stands there, with a value of another type.
const WRONG: [(&str, &str); 26] = [
    ("name = \"tiny\"", "name = 7"),
    ("kind = \"cargo\"", "kind = [\"cargo\"]"),
    ("path = \"mini\"", "path = true"),
    ("package = \"mini\"", "package = { name = \"mini\" }"),
    ("profile = \"lab\"", "profile = 3"),
    ("features = [\"always\"]", "features = \"always\""),
    ("[\"always\"]", "[7]"),
    ("name = \"one\"", "name = []"),
    ("feature = \"one\"", "feature = [\"one\"]"),
    ("costs = [\"memory\"]", "costs = \"memory\""),
    ("positions = \"work.epd\"", "positions = [\"work.epd\"]"),
    ("nodes = 1000", "nodes = 1000.0"),
    ("positions = 4", "positions = \"4\""),
    ("nodes = 500", "nodes = [500]"),
    ("name = \"main\"", "name = 1979-05-27"),
    ("core = 0", "core = \"0\""),
    ("core = 0", "core = -1"),
    ("core = 0", "core = 0.0"),
    ("options = { Hash = 16 }", "options = \"Hash=16\""),
    ("Hash = 16", "Hash = { value = 16 }"),
    ("processes = 1", "processes = true"),
    ("slice_ms = 5", "slice_ms = \"5\""),
    ("threshold = 1.5", "threshold = \"1.5 %\""),
    ("calibration_phases = 4", "calibration_phases = 4.5"),
    ("seed = 1", "seed = \"one\""),
    ("seed = 1", "seed = -1"),
];

/// Keys that the good bundle does not have, with a value of another type.
const WRONG_TOO: [(&str, &str); 19] = [
    ("profile = \"lab\"", "binary = 1"),
    ("profile = \"lab\"", "git = 1"),
    ("profile = \"lab\"", "fetch = 1"),
    ("profile = \"lab\"", "target_cpu = 64"),
    ("profile = \"lab\"", "env = [\"A=1\"]"),
    ("profile = \"lab\"", "env = { A = 1 }"),
    ("profile = \"lab\"", "profile_guided = \"no\""),
    ("feature = \"two\"", "option = \"Cache\""),
    ("feature = \"two\"", "option = { name = 1, on = 1, off = 0 }"),
    ("feature = \"two\"", "git = 1"),
    ("feature = \"two\"", "executable = 1"),
    ("positions = 4\nnodes = 500", "levels = 3"),
    ("positions = 4\nnodes = 500", "levels = [3]"),
    ("positions = 4\nnodes = 500", "suite = 3"),
    ("positions = 4", "bench = \"bench\"\npositions = 4"),
    ("positions = 4", "paths = \"scalar\"\npositions = 4"),
    ("core = 0", "build = \"fast\"\ncore = 0"),
    ("processes = 1", "lanes_at_once = 2"),
    ("seed = 1", "tables = { option = 1, values = 9 }"),
];

/// Misspelt keys of every table.
const MISSPELT: [(&str, &str); 14] = [
    ("name = \"tiny\"", "nane = \"tiny\""),
    ("[build]", "[biuld]"),
    ("[[component]]", "[[components]]"),
    ("[workload]", "[work-load]"),
    ("[[lane]]", "[[lanes]]"),
    ("package = \"mini\"", "packge = \"mini\""),
    ("feature = \"one\"", "featrue = \"one\""),
    ("costs = []", "cost = []"),
    ("nodes = 1000", "node = 1000"),
    ("nodes = 500", "nodse = 500"),
    ("options = { Hash", "option = { Hash"),
    ("threshold = 1.5", "treshold = 1.5"),
    ("seed = 1", "tables = { option = \"T\", value = 9 }"),
    ("feature = \"two\"", "option = { name = \"X\", on = 1, of = 0 }"),
];

/// Keys and tables that stand twice.
const TWICE: [(&str, &str); 8] = [
    ("name = \"tiny\"", "name = \"tiny\"\nname = \"again\""),
    ("package = \"mini\"", "package = \"mini\"\npackage = \"mini\""),
    ("feature = \"one\"", "feature = \"one\"\nfeature = \"two\""),
    ("nodes = 500", "nodes = 500\nnodes = 600"),
    ("{ Hash = 16 }", "{ Hash = 16, Hash = 32 }"),
    ("seed = 1", "seed = 1\nseed = 2"),
    ("[layout]", "[measure]"),
    ("[[lane]]", "[lane]\nname = \"other\"\n[[lane]]"),
];

/// Keys that must be there.
const MISSING: [&str; 9] = [
    "name = \"tiny\"\n",
    "[[component]]\nname = \"one\"\n",
    "positions = \"work.epd\"\n",
    "nodes = 1000\n",
    "name = \"main\"\n",
    "core = 0\n",
    "kind = \"cargo\"\n",
    "path = \"mini\"\n",
    "package = \"mini\"\n",
];

/// Every change with what is told; each message has all that a message must have.
fn table(changes: &[(&str, &str)]) -> String {
    let told = |(from, to): &(&str, &str)| {
        assert!(GOOD.contains(from), "{from}: nothing to replace");
        let message = read(&GOOD.replacen(from, to, 1), POSITIONS.as_bytes()).expect_err(to);
        assert!(is_placed(&message), "no line and column: {message}");
        for part in ["\n  found:    ", "\n  expected: "] {
            assert!(message.contains(part), "{part} is missing: {message}");
        }
        let change = if to.is_empty() { format!("without {}", from.trim()) } else { (*to).to_owned() };
        format!("--- {}\n{message}\n", change.replace('\n', " ↵ "))
    };
    changes.iter().map(told).collect()
}

/// Whether it begins with file, line and column.
fn is_placed(message: &str) -> bool {
    let mut parts = message.split(':');
    parts.next() == Some("bundle.toml")
        && parts.by_ref().take(2).filter(|part| part.parse::<usize>().is_ok()).count() == 2
}

#[test]
fn every_key_of_the_wrong_type() {
    insta::assert_snapshot!(table(&WRONG));
}

#[test]
fn every_further_key_of_the_wrong_type() {
    insta::assert_snapshot!(table(&WRONG_TOO));
}

#[test]
fn every_table_with_a_misspelt_key() {
    let told = table(&MISSPELT);
    let nearest = told.matches("did you mean `").count();
    assert_eq!(nearest, MISSPELT.len(), "{told}");
    insta::assert_snapshot!(told);
}

#[test]
fn keys_and_tables_that_stand_twice() {
    insta::assert_snapshot!(table(&TWICE));
}

#[test]
fn keys_that_are_missing() {
    insta::assert_snapshot!(table(&MISSING.map(|key| (key, ""))));
}
