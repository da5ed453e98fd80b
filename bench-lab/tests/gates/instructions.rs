//! Instructions counted by a real valgrind, of engines that do more and less.
//!
//! Where it is missing these tests say so and do nothing, but in CI, where it has to be, they fail.

use bench_lab::gate::instructions::workload;
use serde_json::Value;

use super::lab::Repository;

const GATE: &str = "\
[engine]
executable = \"engine\"
seconds = 300

[instructions]
soft = 0.1
hard = 0.3
workload.work = { nodes = 1000 }
";

/// False where nothing can be counted.
fn can_count() -> bool {
    if workload::valgrind().is_some() {
        return true;
    }
    let is_ci = std::env::var("CI").is_ok_and(|ci| !["", "0", "false"].contains(&ci.as_str()));
    assert!(!is_ci, "no valgrind: in CI instructions have to be counted (Debian: apt-get install valgrind)");
    eprintln!("skipped: no valgrind");
    false
}

fn with_engine(gate: &str, script: &str) -> Repository {
    let repository = Repository::new(gate);
    repository.engine("engine", script);
    repository
}

#[test]
fn an_engine_that_does_more_is_found_out_with_the_function_that_grew() {
    if !can_count() {
        return;
    }
    let repository = with_engine(GATE, "work=40");
    repository.gate(&[]).ends_with(0).says("there is no baseline");
    repository.gate(&["--update-baseline"]).ends_with(0).says("instructions.json");
    let recorded: Value =
        serde_json::from_str(&repository.read("results/baseline/instructions.json")).expect("JSON");
    let work = &recorded["benchmarks"]["work"];
    let parts = work["parts"].as_object().expect("functions");
    let sum: u64 = parts.values().filter_map(Value::as_u64).sum();
    assert_eq!(Some(sum), work["value"].as_u64());
    let facts = recorded["facts"].as_object().expect("facts");
    for fact in ["compiler", "processor", "target", "valgrind", "workload work"] {
        assert!(facts.contains_key(fact), "{fact}: {facts:?}");
    }
    assert!(facts["processor"].as_str().is_some_and(|processor| !processor.contains("512")), "{facts:?}");

    repository.gate(&["--strict"]).ends_with(0).says("held");
    repository.engine("engine", "work=41");
    repository.gate(&["--out", "out"]).ends_with(3).says("lost");
    let report: Value = serde_json::from_str(&repository.read("out/gate.json")).expect("JSON");
    let detail = report["details"].as_array().and_then(|details| details.first()).expect("functions");
    let title = detail["title"].as_str().expect("a title");
    assert!(
        title.starts_with("instructions of work: +") && title.ends_with("functions that grew"),
        "{title}"
    );
    // Unoptimised, what the standard library does for it stands there too.
    let functions = detail["rows"].as_array().expect("rows");
    let is_own = |row: &Value| row[0].as_str().is_some_and(|name| name.contains("fake_engine"));
    assert!(functions.iter().any(is_own), "{detail}");
    repository.engine("engine", "work=39");
    repository.gate(&[]).ends_with(0).says("held");
}

#[test]
fn another_workload_is_no_loss() {
    if !can_count() {
        return;
    }
    let repository = with_engine(GATE, "work=2");
    repository.gate(&["--update-baseline"]).ends_with(0);
    repository.write("gate.toml", &GATE.replace("nodes = 1000", "nodes = 2000"));
    repository.gate(&[]).ends_with(0).says("workload work was `1000 nodes of ");
    repository.gate(&["--strict"]).ends_with(6);
}

#[test]
fn a_base_is_counted_like_the_head() {
    if !can_count() {
        return;
    }
    let repository = with_engine(GATE, "work=40");
    repository.engine("same", "work=40");
    repository.engine("less", "work=39");
    repository.gate(&["--base", "same", "--strict"]).ends_with(0).says("held");
    repository.gate(&["--base", "less"]).ends_with(3).says("lost");
}

#[test]
fn what_breaks_off_is_void_and_not_recorded() {
    if !can_count() {
        return;
    }
    let repository = with_engine(GATE, "work=2,die=2");
    repository.gate(&[]).ends_with(5).says("told to die");
    let told = repository.gate(&["--update-baseline"]);
    assert_ne!(told.code, Some(0), "{}", told.out);
    assert!(!repository.path("results/baseline/instructions.json").exists());
}

#[test]
fn a_bench_is_counted_too_and_only_within_a_function_if_it_is_named() {
    if !can_count() {
        return;
    }
    let bench = GATE.replace("{ nodes = 1000 }", "{ arguments = [\"bench\"], within = \"main\" }");
    let repository = with_engine(&bench, "");
    repository.gate(&["--update-baseline"]).ends_with(0);
    let within: Value =
        serde_json::from_str(&repository.read("results/baseline/instructions.json")).expect("JSON");
    repository.write("gate.toml", &bench.replace(", within = \"main\"", ""));
    repository.gate(&["--update-baseline"]).ends_with(0);
    let all: Value =
        serde_json::from_str(&repository.read("results/baseline/instructions.json")).expect("JSON");
    let value = |recorded: &Value| recorded["benchmarks"]["work"]["value"].as_u64().expect("a number");
    assert!(value(&within) < value(&all), "{} within, {} in all", value(&within), value(&all));
    repository.write("gate.toml", &bench.replace("within = \"main\"", "within = \"nothing_is_called_so\""));
    repository.gate(&[]).ends_with(5).says("no instruction was counted within `nothing_is_called_so`");
}

#[test]
fn benchmarks_that_leave_no_summary_are_not_passed_over() {
    if !can_count() {
        return;
    }
    let gate = GATE.replace("workload.work = { nodes = 1000 }", "command = \"true\"");
    with_engine(&gate, "").gate(&[]).ends_with(1).complains("the command has left no summary");
    let gate = gate.replace("\"true\"", "\"echo no such bench; false\"");
    with_engine(&gate, "").gate(&[]).ends_with(1).complains("no such bench");
}
