//! The question for size and start-up, asked of real executables.

use super::lab::Repository;

const SIZE: &str =
    "[engine]\nexecutable = \"engine\"\nseconds = 60\n[size]\nsoft = 1\nhard = 5\nstarts = 9\n";
const FILE: &str = "[engine]\nexecutable = \"engine\"\n[size]\nbenchmark.executable = { soft = 1, hard = 5 }\nbenchmark.text = { hard = 0 }\n";

#[test]
fn a_file_is_held_against_the_baseline() {
    let repository = Repository::new(FILE);
    let size = std::fs::metadata(repository.path("engine")).expect("a file").len() as usize;
    repository.gate(&[]).ends_with(0).says("there is no baseline");
    repository.gate(&["--update-baseline"]).ends_with(0);
    let recorded = repository.read("results/baseline/size.json");
    assert!(recorded.contains(&format!("\"value\": {size}\n")) && recorded.contains("rustc"), "{recorded}");
    repository.gate(&["--strict"]).ends_with(0).says("✔ held (2 held)");
    repository.grow("engine", size * 2 / 100);
    repository.gate(&["--strict"]).ends_with(0).says("lost (warning)").says("✔ held (1 held, 1 lost)");
    repository.grow("engine", size * 4 / 100);
    repository.gate(&[]).ends_with(3).says("✘ lost: size of executable +6.0");
}

#[test]
fn another_compiler_is_not_the_commits_doing() {
    let repository = Repository::new(FILE);
    repository.gate(&["--update-baseline"]).ends_with(0);
    let recorded = repository.read("results/baseline/size.json");
    repository.write("results/baseline/size.json", &recorded.replace("rustc version", "rustc version 0."));
    repository.grow("engine", 10_000_000);
    repository.gate(&[]).ends_with(0).says("cannot say").says("the difference is not the commit's");
}

#[test]
fn both_sides_are_measured_in_turn() {
    let repository = Repository::new(SIZE);
    repository.engine("base", "");
    let told = repository.gate(&["--base", "base", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&told.out).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    let names: Vec<&str> = rows.iter().map(|row| row["benchmark"].as_str().expect("a name")).collect();
    assert_eq!(names, ["data", "executable", "text", "memory", "start-up"]);
    for row in &rows[3..] {
        assert!(row["interval"].is_array() && row["base"].is_number() && row["head"].is_number(), "{row}");
    }
    assert_eq!(report["values"].as_array().expect("values").len(), 2 * 3 * 9);
    // Time and memory are never recorded.
    repository.gate(&["--update-baseline"]).ends_with(0);
    let recorded = repository.read("results/baseline/size.json");
    assert!(!recorded.contains("start-up") && !recorded.contains("memory"), "{recorded}");
}

#[test]
fn without_a_base_nothing_is_said_of_what_only_this_machine_can_tell() {
    let repository = Repository::new(SIZE);
    repository.gate(&["--update-baseline"]).ends_with(0);
    repository.gate(&[]).ends_with(0).says("no base: it is only compared with a base on the same machine");
    repository.gate(&["--strict"]).ends_with(6);
}

#[test]
fn a_start_that_is_much_slower_and_takes_much_more_memory_is_lost() {
    let repository = Repository::new(SIZE);
    repository.engine("base", "slow=20");
    repository.engine("engine", "slow=200,memory=64");
    let told = repository.gate(&["--base", "base"]).ends_with(3);
    let lost =
        |benchmark: &str| told.out.lines().any(|line| line.contains(benchmark) && line.contains("✘ lost"));
    assert!(lost("memory") && lost("start-up"), "{}", told.out);
}
