//! Arms built by commands: from the bundle to executables with captured links, and one whole trial.

use std::collections::BTreeMap;
use std::fs;

use super::cpp::{COMMAND, Cpp, Made};
use bench_lab::bundle::Bundle;
use bench_lab::draws::Drawn;
use bench_lab::measure::Gate;
use protocol::plan::{FULL, without};
use protocol::{Plan, Verdict};

const DEFINE: &str = "[[component]]\nname = \"quick\"\ndefine = \"QUICK\"\ncosts = []\n";
const PATCH: &str = "[[component]]\nname = \"short\"\npatch = \"short-table.diff\"\ncosts = []\n";
const OPTION: &str =
    "[[component]]\nname = \"unslow\"\noption = { name = \"Slow\", on = false, off = true }\ncosts = []\n";

#[test]
fn every_switch_makes_arms_of_its_own() {
    let cpp = Cpp::new();
    cpp.branch("shorter", "table[state & 1023]", "table[state & 31]");
    let git = "[[component]]\nname = \"shorter\"\ngit = \"shorter\"\ncosts = []\n";
    let bundle = cpp.bundle(COMMAND, &[DEFINE, git, OPTION].concat(), "");
    let made = cpp.made(&bundle).expect("arms");
    let Made { bundle, sets, yard } = &made;
    assert_eq!(bundle.same_builds(), [0, 1, 2, 3, 1], "an option needs no build");
    let set = &sets[0];
    assert_eq!((set.subjects.len(), set.arms.len()), (4, 5));
    let commands: Vec<&str> = set
        .planned()
        .arms
        .iter()
        .map(|arm| arm.command.as_str())
        .map(|c| {
            assert!(c.contains("{ld_flags}") && c.contains("CXX=g++"), "{c}");
            if c.contains("-DQUICK") { "quick" } else { "slow" }
        })
        .collect();
    assert_eq!(commands, ["slow", "quick", "slow", "quick", "quick"]);
    let option = |value: &str| BTreeMap::from([("Slow".to_string(), value.to_string())]);
    let options: Vec<_> = set.arms.iter().map(|arm| arm.options.clone()).collect();
    assert_eq!(options, ["true", "false", "false", "false", "true"].map(option));
    let switches: Vec<String> = bundle.components.iter().map(|c| c.switch.to_string()).collect();
    assert!(
        switches[0] == "define QUICK when on" && switches[1].starts_with("git shorter ("),
        "{switches:?}"
    );
    assert!(bundle.components[1].switch.note().expect("a note").contains("its changes since commit "));

    // All arms under one draw: what they have in common lies at one address, and all search the same tree.
    let drawn = Drawn::arms(set, 5, &[1], yard, &Gate::new()).expect("a draw");
    assert_eq!(drawn.relinks().0, 4);
    for arm in 0..set.arms.len() {
        let record = drawn.record(arm, 1);
        let (same, common) = record.shared_total();
        assert!(same == common && common > 10, "arm {arm}: {same} of {common}");
        assert!(record.moved_functions.0 > 0 && record.moved_data.0 > 0);
        assert_eq!(drawn.unscattered(arm).moved, 0, "{:?}", drawn.unscattered(arm));
    }
    let proof = made.same_tree(&drawn.images).expect("the same tree");
    assert_eq!(proof.bench_nodes["default"], 1000);
    assert!(!cpp.tree().join("engine").exists(), "nothing is built in the user's tree");
}

#[test]
fn patches_are_applied_and_taken_back() {
    let cpp = Cpp::new();
    let plain = cpp.made(&cpp.bundle(COMMAND, &[DEFINE, PATCH].concat(), "")).expect("arms");
    let inputs = |made: &Made| -> Vec<String> {
        made.sets[0].planned().arms.iter().map(|arm| arm.inputs_sha256.clone()).collect()
    };
    let applied = inputs(&plain);
    let mut distinct = applied.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 4);
    drop(plain);

    // The other way round: the tree has the patch, and arms without it take it back.
    cpp.change("table[state & 1023]", "table[state & 15]");
    let in_tree = PATCH.replace("\"short-table.diff\"", "{ file = \"short-table.diff\", in_tree = true }");
    let back = cpp.made(&cpp.bundle(COMMAND, &[DEFINE, &in_tree].concat(), "")).expect("arms");
    assert_eq!(inputs(&back), applied, "the same source in every arm");
    drop(back);

    // Taken from a commit, the source is without it again.
    let commit = COMMAND.replace("path = \"tree\"\n", "path = \"tree\"\ngit = \"trunk\"\n");
    let taken = cpp.made(&cpp.bundle(&commit, &[DEFINE, PATCH].concat(), "")).expect("arms");
    assert_eq!(inputs(&taken), applied);
    let note = taken.bundle.source_note().expect("a note");
    assert!(note.starts_with("the source is commit "), "{note}");
    drop(taken);

    let told = cpp.made(&cpp.bundle(COMMAND, &[DEFINE, PATCH].concat(), "")).expect_err("applied twice");
    assert!(
        told.starts_with("short-table.diff:3:1: the patch of component short does not apply in arm full"),
        "{told}"
    );
    assert!(
        told.contains("other lines in engine.cpp around line 4") && told.contains("`in_tree = true`"),
        "{told}"
    );
}

#[test]
fn flags_that_are_lost_are_asked_for() {
    let cpp = Cpp::new();
    let build = COMMAND.replace("{cc_flags}'", "{cc_flags} -fno-function-sections'");
    let bundle = cpp.bundle(&build, DEFINE, "");
    let told = cpp.made(&bundle).expect_err("functions that share a section");
    let whose = ["base", "full"].map(|arm| format!("the link of arm {arm} can't be repeated: "));
    assert!(whose.iter().any(|whose| told.starts_with(whose)), "{told}");
    let question = " (does `{cc_flags}` reach every compilation?)";
    assert!(told.contains(" functions share a section with others ") && told.ends_with(question), "{told}");
    let bundle = bundle.to_str().expect("a UTF-8 path");
    let lab = |arguments: &[&str]| {
        let output = cpp.lab(&[&["layout"], arguments, &["--bundle", bundle]].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("error: the link of arm full can't be repeated: "), "{told}");
        assert!(told.trim_end().ends_with(question), "{told}");
    };
    lab(&["capture", "-o", "full.tar", "--arm", "full"]);
    lab(&["sweep", "-o", "swept", "--arm", "full"]);
}

#[test]
fn a_build_is_reused_and_follows_its_source() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(COMMAND, DEFINE, "");
    let digest = |made: &Made| made.sets[0].subject(FULL).planned.executable_sha256.clone();
    let first = digest(&cpp.made(&bundle).expect("arms"));
    let objects = cpp.kept("engine.o");
    assert_eq!(objects.len(), 2, "base and full; without the only component is base");
    let times = || -> Vec<_> {
        objects
            .iter()
            .map(|file| fs::metadata(file).expect("an object").modified().expect("a time"))
            .collect()
    };
    let before = times();
    assert_eq!(digest(&cpp.made(&bundle).expect("arms")), first);
    assert_eq!(times(), before, "nothing is compiled again");
    cpp.change("static const int ROUNDS = 4;", "static const int ROUNDS = 3;");
    assert_ne!(digest(&cpp.made(&bundle).expect("arms")), first);
    // Another recipe has copies of its own, and those of the old one go.
    cpp.made(&cpp.bundle(&COMMAND.replace("-O1", "-O2"), DEFINE, "")).expect("arms");
    assert_eq!(cpp.kept("engine.o").len(), 2);
    assert!(objects.iter().all(|object| !object.exists()));
}

#[test]
fn lanes_can_have_compilers_and_flags_of_their_own() {
    let cpp = Cpp::new();
    let lanes = "[[lane]]\nname = \"clang\"\ncore = 0\nbuild.vars = { compiler = \"clang++\" }\n\
                 [[lane]]\nname = \"again\"\ncore = 0\nbuild.vars.compiler = \"g++\"\n\
                 [[lane]]\nname = \"level\"\ncore = 0\nbuild.vars.level = \"-O2\"\n";
    let made = cpp.made(&cpp.bundle(COMMAND, DEFINE, lanes)).expect("arms");
    let names: Vec<&str> = made.sets.iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["default", "clang", "level"], "the same build is one set");
    assert_eq!(made.bundle.lanes.iter().map(|lane| lane.build).collect::<Vec<_>>(), [0, 1, 0, 2]);
    let mut inputs: Vec<String> =
        made.sets.iter().map(|set| set.subject(FULL).planned.inputs_sha256.clone()).collect();
    inputs.sort();
    inputs.dedup();
    assert_eq!(inputs.len(), 3);
    assert!(made.sets[1].planned().arms[0].command.contains("CXX=clang++"));
}

#[test]
fn builds_that_come_to_nothing_are_told_with_the_remedy() {
    let cpp = Cpp::new();
    let told =
        |build: &str, components: &str| cpp.made(&cpp.bundle(build, components, "")).expect_err("no arms");
    let idle = told(COMMAND, &DEFINE.replace("QUICK", "QUIKC"));
    assert!(idle.contains("the switch of component quick has no effect"), "{idle}");
    assert!(
        idle.contains("made from the very same on lane main") && idle.contains("define QUIKC when on"),
        "{idle}"
    );
    let deaf = told(&COMMAND.replace("LDFLAGS=", "FLAGS="), DEFINE);
    assert!(deaf.contains("left no record of its last link") && deaf.contains("{ld_flags}"), "{deaf}");
    let lost = told(&COMMAND.replace("\"engine\"", "\"egnine\""), DEFINE);
    assert!(lost.contains("left no executable at egnine in its tree"), "{lost}");
    let failed = told(&COMMAND.replace("-O1", "-O1 -DROUNDS=x("), DEFINE);
    assert!(failed.contains("arm base does not build: `make") && failed.contains("engine.cpp"), "{failed}");
    assert!(failed.contains("ended with exit code 2"), "{failed}");
    let lumped =
        told(&COMMAND.replace("CXXFLAGS='{level} {cc_flags}'", "CXXFLAGS='{level}' X='{cc_flags}'"), DEFINE);
    assert!(lumped.contains("-ffunction-sections"), "{lumped}");
}

#[test]
fn a_tiny_trial_of_a_foreign_engine() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(COMMAND, &[DEFINE, PATCH].concat(), "");
    let (code, told) = cpp.run(&bundle, "trial");
    assert!(code == Some(0) || code == Some(3), "{code:?}: {told}");
    let read = |name: &str| fs::read_to_string(cpp.folder().join("trial").join(name)).expect(name);
    let plan: Plan = serde_json::from_str(&read("plan.json")).expect("a plan");
    plan.check().expect("a plan that agrees with itself");
    assert_eq!(plan.components[1].switch, "patch short-table.diff");
    assert!(plan.notes.iter().any(|note| note.starts_with("component short: short-table.diff: SHA-256 ")));
    assert!(!plan.layout.is_limited());
    let verdict: Verdict = serde_json::from_str(&read("verdict.json")).expect("a verdict");
    assert!(!verdict.limited);
    let records = protocol::lines::read(&read("records.jsonl")).expect("records");
    assert_eq!(records.len(), protocol::RUNS * protocol::PHASES * plan.arms.len());
    assert!(records.iter().all(|record| record.draw.shared_total().0 == record.draw.shared_total().1));
    assert!(records.iter().any(|record| record.draw.heap_offset > 0));
    assert_eq!(plan.arms[without(1)].name, "without:short");
    assert!(Bundle::read(&bundle).is_ok());
}

#[test]
fn static_data_that_no_draw_scatters_is_told_before_anything_is_measured() {
    let cpp = Cpp::new();
    let component = |name: &str, define: &str| DEFINE.replace("quick", name).replace("QUICK", define);
    // The trees differ too, so that the lab ends before it calibrates.
    let components = [component("loose", "LOOSE"), component("odd", "ODD")].concat();
    let (code, told) = cpp.run(&cpp.bundle(COMMAND, &components, ""), "trial");
    assert_eq!(code, Some(4), "{told}");
    assert!(
        told.contains("warning: component loose will be unproven on lane main: it changes the place of "),
        "{told}"
    );
    assert!(told.contains("loose_bytes") && !told.contains("component odd will be"), "{told}");
    assert!(told.contains("the trees differ on"), "{told}");
}

#[test]
fn a_cancelled_build_leaves_no_process() {
    let cpp = Cpp::new();
    let command = "command = \"touch started; sh -c 'sleep 300; : {cc_flags} {ld_flags}'; :\"\n";
    let build = format!("kind = \"command\"\npath = \"tree\"\nexecutable = \"engine\"\n{command}");
    let bundle = cpp.bundle(&build, DEFINE, "");
    let cancel = bench_lab::Cancel::new();
    let told = std::thread::scope(|scope| {
        let building = scope.spawn(|| cpp.made_until(&bundle, &cancel));
        while cpp.kept("started").is_empty() {
            assert!(!building.is_finished(), "the build ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        cancel.cancel();
        building.join().expect("a thread").expect_err("cancelled")
    });
    assert_eq!(told, "interrupted while building");
    let own = cpp.folder().to_str().expect("a UTF-8 path").to_string();
    let commands = fs::read_dir("/proc").expect("processes").flatten();
    let commands = commands.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let left: Vec<String> = commands.map(|line| String::from_utf8_lossy(&line).into_owned()).collect();
    assert!(!left.iter().any(|line| line.contains(&own)), "{left:?}");
}
