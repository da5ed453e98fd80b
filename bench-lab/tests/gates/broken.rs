//! Engines, files and surroundings that are not as they should be.

use super::lab::{GATE, Repository};

#[test]
fn an_engine_that_dies_or_says_nothing_voids_the_tree() {
    let repository = Repository::new("[engine]\nexecutable = \"engine\"\n[tree]\n");
    repository.engine("engine", "bench-dies");
    repository.gate(&[]).ends_with(5).says("∅ void").says("exit status 3").says("told to die");
    repository.gate(&["--update-baseline"]).ends_with(5).complains("nothing was recorded");
    assert!(!repository.path("results").exists());
    repository.engine("engine", "no-bench");
    repository.gate(&[]).ends_with(5).says("says nothing").says("`bench = […]` in `[tree]`");
}

#[test]
fn an_engine_that_hangs_is_ended() {
    let repository = Repository::new("[engine]\nexecutable = \"engine\"\nseconds = 1\n[tree]\n");
    repository.engine("engine", "bench-hangs");
    repository.gate(&[]).ends_with(5).says("hangs at `bench`").says("within 1.0 s");
}

#[test]
fn an_engine_that_never_gets_ready_voids_what_is_measured_and_nothing_else() {
    let gate = "[engine]\nexecutable = \"engine\"\nseconds = 1\n[size]\nhard = 50\nstarts = 9\n";
    let repository = Repository::new(gate);
    repository.engine("base", "");
    for script in ["never-uciok", "never-ready"] {
        repository.engine("engine", script);
        let told = repository.gate(&["--base", "base"]).ends_with(5);
        let states: Vec<bool> = told
            .out
            .lines()
            .filter(|line| line.starts_with("size"))
            .map(|line| line.contains("void"))
            .collect();
        assert_eq!(states, [false, false, false, true, true], "{}", told.out);
    }
}

#[test]
fn an_option_that_the_engine_does_not_have_is_wrong_usage() {
    let gate = "[engine]\nexecutable = \"engine\"\noptions = { Hahs = 16 }\n[size]\nhard = 50\nstarts = 9\n";
    let repository = Repository::new(gate);
    repository.engine("base", "");
    repository.gate(&["--base", "base"]).ends_with(2).complains("Hahs").complains("Hash");
}

#[test]
fn a_gate_file_that_is_missing_or_malformed_is_wrong_usage() {
    let repository = Repository::new("[engine\n");
    repository.gate(&[]).ends_with(2).complains("gate.toml:1:8: unclosed table");
    repository.gate(&["--file", "other.toml"]).ends_with(2).complains("other.toml: cannot be read");
}

#[test]
fn an_engine_that_is_missing_or_none_is_wrong_usage() {
    let repository = Repository::new(GATE);
    std::fs::remove_file(repository.path("engine")).expect("removed");
    repository.gate(&[]).ends_with(2).complains("the engine of gate.toml cannot be used");
    repository.write("engine", "#!/bin/sh\n");
    repository.gate(&[]).ends_with(2).complains("a script; the engine itself is wanted");
    repository.engine("engine", "");
    repository.gate(&["--base", "v1.0"]).ends_with(2).complains("v1.0 is no file").complains("`bundle = …`");
}

#[test]
fn a_baseline_that_is_malformed_is_told_and_can_be_replaced() {
    let repository = Repository::new(GATE);
    repository.gate(&["--update-baseline"]).ends_with(0);
    repository.write("results/baseline/tree.json", "{\n  \"format\": 1.5\n}\n");
    repository.gate(&[]).ends_with(2).complains("results/baseline/tree.json:2:").complains("not a baseline");
    repository.gate(&["--update-baseline"]).ends_with(0);
    repository.gate(&[]).ends_with(0).says("held");
}

#[test]
fn a_question_that_the_file_does_not_ask_is_wrong_usage() {
    let repository = Repository::new(GATE);
    let told = repository.gate(&["speed"]).ends_with(2);
    told.complains("gate.toml does not ask `speed`: it asks tree, size; a table `[speed]` asks it");
}
