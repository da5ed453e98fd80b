//! `compare` and `aa` on a little engine: what is compared, what is refused, and what is told. Who wins is the machine's business.

use std::fs;
use std::process::Command;

use protocol::calibration::forecast::Aa;
use protocol::compare::{Comparison, Outcome};
use protocol::plan::PartState;

use super::cpp::{COMMAND, Cpp};

const QUICK: &str = "[[component]]\nname = \"quick\"\ndefine = \"QUICK\"\ncosts = []\n";
const SMALL: [&str; 8] = ["--seed", "5", "--resolution", "20", "--processes", "1", "--nodes", "20000"];

/// A file with no more than how the engine is built.
fn build_file(cpp: &Cpp) -> String {
    let text = format!("[build]\n{COMMAND}[identity]\npositions = 4\nnodes = 100\n");
    fs::write(cpp.folder().join("build.toml"), text).expect("a file");
    "build.toml".to_owned()
}

/// Compares; the code and what was told.
fn compare(cpp: &Cpp, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = cpp.lab(&[&["compare"], arguments].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Compares, which must give an answer; the exit code must be that of the answer.
fn compared(cpp: &Cpp, arguments: &[&str]) -> Comparison {
    let (code, out, errors) = compare(cpp, &[arguments, &SMALL, &["--json"]].concat());
    let comparison: Comparison = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{errors}"));
    let expected = match comparison.outcome {
        Outcome::Faster => 0,
        Outcome::Slower => 3,
        Outcome::NotResolved => 6,
    };
    assert_eq!(code, Some(expected), "{errors}");
    assert_eq!(comparison.values.len(), comparison.sizing.phases, "it stops where it was fixed to");
    assert_eq!(comparison.estimate.outcome(), comparison.outcome);
    comparison
}

#[test]
fn commits_are_built_apart_and_compared_under_shared_draws() {
    let cpp = Cpp::new();
    cpp.branch("feature/quick", "ROUNDS = 6", "ROUNDS = 5");
    let file = build_file(&cpp);
    let before = fs::read_to_string(cpp.tree().join("engine.cpp")).expect("the source");
    let one = compared(&cpp, &["--bundle", &file, "trunk", "feature/quick"]);
    assert!(one.a.what.starts_with("a commit ") && one.b.name == "feature/quick", "{:?}", one.b);
    assert_ne!(one.a.inputs_sha256, one.b.inputs_sha256);
    let drawn = one.layout.parts.iter().filter(|part| part.state == PartState::Drawn).count();
    assert!(drawn >= 6 && !one.is_limited(), "{:?}", one.layout);
    assert_eq!(one.identity.as_ref().map(|identity| identity.bench_nodes["default"]), Some(1000));
    assert_eq!(fs::read_to_string(cpp.tree().join("engine.cpp")).expect("the source"), before);
    assert!(!cpp.tree().join("engine").exists(), "nothing is built in the tree");

    // The files as they are differ from the commit that they were.
    cpp.change("ROUNDS = 6", "ROUNDS = 7");
    let (code, block, errors) =
        compare(&cpp, &[&["--bundle", &file, "trunk", ".", "--commit-message"][..], &SMALL].concat());
    assert!(matches!(code, Some(0 | 3 | 6)), "{errors}");
    assert!(block.starts_with("Speed-up of . over trunk: ") && block.contains("Not a verdict."), "{block}");

    let (code, _, errors) = compare(&cpp, &["--bundle", &file, "trunk", "feature/quikc"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("no arm, file or commit `feature/quikc`"), "{errors}");
    assert!(errors.contains("did you mean `feature/quick`?"), "{errors}");
    assert!(errors.contains("an arm (base, full), `.`, a file, or a branch, tag or commit"), "{errors}");
}

#[test]
fn different_trees_are_refused_unless_they_are_known() {
    let cpp = Cpp::new();
    cpp.branch("odd", "score = mark % 100", "score = mark % 99");
    let file = build_file(&cpp);
    let (code, out, errors) = compare(&cpp, &[&["--bundle", &file, "trunk", "odd"][..], &SMALL].concat());
    assert_eq!((code, out.as_str()), (Some(4), ""), "{errors}");
    assert!(errors.contains("the trees differ on ") && errors.contains("line 1"), "{errors}");
    assert!(errors.contains("trunk") && errors.contains("score cp"), "{errors}");
    assert!(errors.contains("--different-trees"), "{errors}");
    let known = compared(&cpp, &["--bundle", &file, "trunk", "odd", "--different-trees"]);
    assert_eq!(known.identity, None);
}

#[test]
fn arms_of_a_bundle_and_executables_are_compared_too() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(COMMAND, QUICK, "");
    let bundle = bundle.to_str().expect("a UTF-8 path");
    let arms = compared(&cpp, &["--bundle", bundle, "base", "full"]);
    assert_eq!((arms.a.what.as_str(), arms.processes, arms.lane.core), ("an arm of the bundle", 1, 0));

    for (name, flags) in [("old", &["-DQUICK"][..]), ("new", &[])] {
        let mut command = Command::new("g++");
        command.arg("-O1").args(flags).arg("-o").arg(cpp.folder().join(name));
        assert!(command.arg(cpp.tree().join("engine.cpp")).status().expect("g++").success());
    }
    let files = compared(&cpp, &["./old", "./new", "--core", "0"]);
    assert!(files.is_limited());
    assert_eq!(files.a.what, "an executable");
    let (_, told, errors) = compare(&cpp, &[&["old", "old", "--core", "0"][..], &SMALL].concat());
    assert!(told.starts_with("LIMITED to start-up layouts"), "{told}{errors}");
    assert!(told.contains("old (A)") && told.contains("A and B are the very same"), "{told}");

    // A capture can be relinked, an executable cannot.
    let engine = cpp.tree().join("engine.cpp");
    let engine = engine.to_str().expect("a UTF-8 path");
    let words = ["g++", "-O1", "{cc_flags}", engine, "{ld_flags}", "-o", "{out}"];
    let captured = cpp.lab(&[&["layout", "capture", "-o", "new.tar", "--"], &words[..]].concat());
    assert!(captured.status.success(), "{}", String::from_utf8_lossy(&captured.stderr));
    let (code, _, errors) = compare(&cpp, &["old", "new.tar", "--core", "0"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("only one of them can be relinked"), "{errors}");
    let captures = compared(&cpp, &["new.tar", "new.tar", "--core", "0"]);
    assert!(!captures.is_limited() && captures.a.what == "a captured link");
}

#[test]
fn a_comparison_that_would_take_too_long_is_refused_before_it() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(COMMAND, QUICK, "");
    let bundle = bundle.to_str().expect("a UTF-8 path");
    // Phases of some milliseconds are noisy on every machine.
    let tiny =
        ["--bundle", bundle, "base", "full", "--nodes", "10", "--resolution", "0.01", "--max-phases", "12"];
    let (code, out, errors) = compare(&cpp, &tiny);
    assert_eq!((code, out.as_str()), (Some(6), ""), "{errors}");
    assert!(errors.contains("more than 12") && errors.contains("--resolution"), "{errors}");
    for (arguments, said) in [
        (&["old"][..], "<B>"),
        (&["absent", "absent"], "absent is no file"),
        (&["work.epd", "work.epd"], "work.epd is neither an executable (ELF) nor a capture"),
        (&["--bundle", bundle, "base", "work.epd"], "work.epd is neither an executable (ELF) nor a capture"),
        (
            &["--bundle", bundle, "base", "without:quikc"],
            "an arm (base, full, without:quick), `.`, a file, or a",
        ),
        (&["--bundle", bundle, "base", "without:quikc"], "did you mean `without:quick`?"),
        (&["--bundle", bundle, "base", "full", "--lane", "mian"], "did you mean `main`?"),
        (&["--bundle", bundle, "base", "full", "--core", "4000"], "core 4000"),
        (&["--bundle", bundle, "base", "full", "--arm", "fulll"], "no arm `fulll`"),
        (&["--bundle", bundle, "base", "full", "--json", "--commit-message"], "cannot be used with"),
    ] {
        let (code, out, errors) = compare(&cpp, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {errors}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
    }
}

#[test]
fn an_aa_measurement_needs_no_trial() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(COMMAND, QUICK, "");
    let output = cpp.lab(&["aa", bundle.to_str().expect("a UTF-8 path"), "--json", "--seed", "3"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let aa: Aa = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {errors}"));
    let can_prove = aa.lanes.iter().all(|lane| lane.can_prove());
    assert_eq!(output.status.code(), Some(if can_prove { 0 } else { 6 }), "{errors}");
    let lane = &aa.lanes[0];
    assert_eq!((lane.calibration.phases, lane.layout.phases, lane.calibration.values.len()), (4, 4, 8));
    assert!(aa.trial_seconds > 0.0 && lane.needs.len() == 5);
    assert!(errors.contains("layouts of their own on lane main"), "{errors}");
}

#[test]
fn a_trial_that_noise_is_bound_to_break_is_not_begun() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(COMMAND, QUICK, "");
    // A few nodes: phases so short that their values scatter by many points.
    let text = fs::read_to_string(&bundle).expect("the bundle").replace("nodes = 20000", "nodes = 3");
    fs::write(&bundle, text).expect("the bundle");
    let output = cpp.lab(&["run", bundle.to_str().expect("a UTF-8 path"), "--seed", "3", "--out", "trial"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(errors.contains("is bound to fire") && errors.contains("--anyway"), "{errors}");
    assert!(!cpp.folder().join("trial").exists(), "nothing was begun");
}
