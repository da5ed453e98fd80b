//! The tests of the lab, in one executable: it is linked once, and its tests run side by side. A new test is a file or a
//! folder beside this one, with a line here.

mod at_once;
mod bad_builds;
mod bad_bundles;
mod bad_keys;
mod bad_texts;
mod broken_trials;
mod builds;
mod committed_trial;
mod daily;
mod diagnosed_trial;
mod end_to_end;
mod fake_lab;
mod faults;
mod gates;
mod handshake;
mod identity;
mod layout;
mod mini;
mod no_room;
mod phase;
mod registers;
mod report_formats;
mod scenarios;
mod shipped_bundles;
mod simulate_command;
mod support;
mod tiny;

/// A file that no line names would be compiled by nobody.
#[test]
fn every_file_is_a_module_of_this_one() {
    let here = include_str!("all.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).expect("the tests") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "rs") || path.join("mod.rs").exists() {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let known = ["all", "memory"].contains(&&*name) || here.contains(&format!("\nmod {name};\n"));
            assert!(known, "tests/all.rs: found no `mod {name};`, expected one for {}", path.display());
        }
        assert!(!path.join("main.rs").exists(), "{}: found main.rs, expected mod.rs", path.display());
    }
}
