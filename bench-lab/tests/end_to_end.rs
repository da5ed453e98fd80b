//! A whole trial of the real engine, with a tiny workload: every stage, every file, every command on it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use protocol::register::Register;
use protocol::{PHASES, Plan, ProcessRecord, RUNS, Verdict, canonical, lines};

/// Names of the arms of a bundle with one component.
const ARMS: [&str; 3] = ["base", "full", "without:eval-cache"];

fn lab(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.args(arguments).arg(folder).env("BENCH_LAB_LOCKS", folder.parent().expect("a folder"));
    command.output().expect("the lab")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A bundle with one of the engine's components, small enough for a test.
fn bundle(folder: &Path) -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = workspace.canonicalize().expect("the workspace");
    fs::write(
        folder.join("work.epd"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4\n",
    )
    .expect("positions");
    let path = folder.join("tiny.toml");
    let text = format!(
        "name = \"tiny\"\n[build]\nkind = \"cargo\"\npath = {workspace:?}\npackage = \"engine\"\nprofile = \"lab\"\n\
         [[component]]\nname = \"eval-cache\"\nfeature = \"eval-cache\"\ncosts = [\"memory\"]\n\
         [workload]\npositions = \"work.epd\"\nnodes = 1000\n[identity]\npositions = 6\nnodes = 500\n\
         [[lane]]\nname = \"main\"\ncore = 0\noptions = {{ Hash = 1 }}\n\
         [measure]\nprocesses = 1\nslice_ms = 1\ncalibration_phases = 4\n"
    );
    fs::write(&path, text).expect("a bundle");
    path
}

#[test]
fn a_tiny_trial_of_the_real_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let bundle = bundle(folder.path());
    let trial = folder.path().join("trial");
    let bundle_name = bundle.to_str().expect("a UTF-8 path");
    let register = folder.path().join("register.jsonl");
    let register = register.to_str().expect("a UTF-8 path");
    let run = lab(&["run", bundle_name, "--anyway", "--seed", "11", "--register", register, "--out"], &trial);
    let told = text(&run.stderr);
    let code = run.status.code();
    // What is proven depends on the machine; that it is judged does not.
    assert!(code == Some(0) || code == Some(3), "{code:?}: {told}");

    let plan_bytes = fs::read(trial.join("plan.json")).expect("plan.json");
    let plan: Plan = serde_json::from_slice(&plan_bytes).expect("a plan");
    plan.check().expect("a plan that agrees with itself");
    assert_eq!(canonical::to_bytes(&plan).expect("JSON"), plan_bytes, "the plan is canonical");
    assert!(fs::metadata(trial.join("plan.json")).expect("plan.json").permissions().readonly());
    assert_eq!(plan.arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>(), ARMS);
    assert_eq!(plan.layout.seed, 11);
    assert!(plan.identity.bench_nodes["default"] > 0);

    let records_text = fs::read_to_string(trial.join("records.jsonl")).expect("records.jsonl");
    let records = lines::read(&records_text).expect("records");
    assert_eq!(records.len(), RUNS * PHASES * ARMS.len());
    same_work_in_fresh_layouts(&records);

    let verdict_text = fs::read_to_string(trial.join("verdict.json")).expect("verdict.json");
    let verdict: Verdict = serde_json::from_str(&verdict_text).expect("a verdict");
    assert_eq!(verdict.plan_id, canonical::plan_id(&plan).expect("an id"));
    assert_eq!(verdict.records_sha256, canonical::sha256_hex(records_text.as_bytes()));
    assert_eq!(code, Some(if verdict.proven { 0 } else { 3 }));
    assert!(!trial.join("void.json").exists());
    assert!(text(&run.stdout).contains("eval-cache"), "{}", text(&run.stdout));
    assert!(text(&run.stdout).contains("% of"), "{}", text(&run.stdout));
    let timing: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(trial.join("timing.json")).expect("timing.json"))
            .expect("JSON");
    assert_eq!(timing["draws"], RUNS * PHASES);
    assert!(told.contains("run 1, phase 1, lane main"), "{told}");

    registered(Path::new(register), &plan, &verdict);
    let verified = lab(&["verify", "--register", register], &trial);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stderr));
    assert!(
        text(&verified.stdout).contains("the plan is in line 1, attempt 1"),
        "{}",
        text(&verified.stdout)
    );
    // What failed may not come back, and what passed may.
    let check = lab(&["check", "--register", register], &bundle);
    assert_eq!(
        check.status.code(),
        Some(if verdict.components[0].passed { 0 } else { 2 }),
        "{}",
        text(&check.stderr)
    );

    let again = lab(&["verdict"], &trial);
    assert_eq!(again.status.code(), code, "{}", text(&again.stderr));
    assert!(text(&again.stdout).contains("the stored verdict is the same"));

    let page = fs::read(trial.join("report.html")).expect("report.html");
    assert!(String::from_utf8_lossy(&page).contains("Where the time went"));
    fs::remove_file(trial.join("report.html")).expect("removed");
    let redrawn = lab(&["report"], &trial);
    assert_eq!(redrawn.status.code(), Some(0), "{}", text(&redrawn.stderr));
    assert!(fs::read(trial.join("report.html")).expect("report.html") == page, "the same page again");

    let tampered = verdict_text.replacen("\"positive\": ", "\"positive\": 1", 1);
    fs::write(trial.join("verdict.json"), tampered).expect("verdict.json");
    let doubted = lab(&["verdict"], &trial);
    assert_eq!(doubted.status.code(), Some(1));
    let place = "components[0].lanes[0].positive: stored 1";
    assert!(text(&doubted.stderr).contains(place), "{}", text(&doubted.stderr));

    let record = records_text.lines().next().expect("a record");
    fs::write(trial.join("records.jsonl"), records_text.replacen(&format!("{record}\n"), "", 1))
        .expect("records");
    let cut = lab(&["verdict"], &trial);
    assert_eq!(cut.status.code(), Some(1), "{}", text(&cut.stderr));
    let first = "error: records.jsonl, line 1: found run 1, phase 1, ";
    assert!(text(&cut.stderr).starts_with(first), "{}", text(&cut.stderr));
}

/// Plan, eight runs, verdict, and what left the bundle.
fn registered(register: &Path, plan: &Plan, verdict: &Verdict) {
    let known = Register::read(&fs::read(register).expect("a register")).expect("a chain that holds");
    let names: Vec<&str> = known.entries().iter().map(|entry| entry.event.name()).collect();
    let mut expected = vec!["plan"];
    expected.extend(["start"; RUNS]);
    expected.push("verdict");
    if !verdict.components[0].passed {
        expected.push("elimination");
    }
    assert_eq!(names, expected);
    let trial = &known.trials()[0];
    assert_eq!(trial.plan.folder, "trial", "seen from the register");
    assert_eq!((trial.plan.attempt, plan.attempt), (1, Some(1)));
    assert_eq!(trial.state.words(), if verdict.proven { "proven" } else { "not proven" });
    let left: Vec<String> = fs::read_dir(register.parent().expect("a folder"))
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".lock"))
        .collect();
    assert_eq!(left, [""; 0], "locks are gone");
}

/// All arms search the same nodes, each phase under a layout of its own that they share.
fn same_work_in_fresh_layouts(records: &[ProcessRecord]) {
    let mut seeds = BTreeMap::new();
    for record in records {
        assert_eq!(record.nodes, records[0].nodes);
        assert!(record.cpu_ns > 0 && record.wall_ns > 0);
        assert!(record.draw.moved_functions.0 * 100 >= record.draw.moved_functions.1 * 95);
        assert!(record.draw.moved_data.0 * 100 >= record.draw.moved_data.1 * 95);
        let quarters = record.draw.line_phases.expect("counted");
        assert_eq!(quarters.iter().sum::<usize>(), record.draw.moved_functions.1);
        let (same, common) = record.draw.shared_total();
        assert!(common > 0);
        assert_eq!(same, common, "common units lie at the same addresses");
        let phase = (record.run, record.phase);
        assert_eq!(*seeds.entry(phase).or_insert(record.draw.seed), record.draw.seed);
    }
    let mut distinct: Vec<u64> = seeds.into_values().collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), RUNS * PHASES, "every phase has a draw of its own");
}
