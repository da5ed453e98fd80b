//! Profile-guided builds of one source differ: warned at build, stated in the report.

use std::fs;
use std::path::Path;

use protocol::plan::FULL;
use protocol::synthetic::Spec;

use super::trial::Judged;
use crate::builds::cpp::{Cpp, Made};

/// The commands: away with the last build, build, train, build again with the profile.
const COMMANDS: [&str; 5] = [
    "rm -f engine engine.o engine.gcda",
    "make CXX=g++ CXXFLAGS='-O2 -fprofile-generate {cc_flags}' LDFLAGS=-fprofile-generate",
    "./engine < {training} > answers",
    "rm engine engine.o answers",
    "make CXX=g++ CXXFLAGS='-O2 -fprofile-use {cc_flags}' LDFLAGS='{ld_flags}'",
];
const COMPONENTS: &str = "[[component]]\nname = \"quick\"\ndefine = \"QUICK\"\ncosts = []\n\
    [[component]]\nname = \"odd\"\ndefine = \"ODD\"\ncosts = []\n";

/// A `[build]` of these commands, trained by a file in the folder.
fn build(cpp: &Cpp, commands: &[&str]) -> String {
    format!(
        "kind = \"command\"\npath = \"tree\"\nexecutable = \"engine\"\ncommand = {commands:?}\n\
         vars = {{ training = {:?} }}\n",
        training(cpp)
    )
}

fn training(cpp: &Cpp) -> std::path::PathBuf {
    cpp.folder().join("training")
}

/// What a training run searches.
const SEARCH: &str = "position startpos\ngo nodes 100000\n";

/// Trains with these commands.
fn train(cpp: &Cpp, commands: &str) {
    fs::write(training(cpp), format!("{commands}quit\n")).expect("a file");
}

fn full(made: &Made) -> &str {
    &made.sets[0].subject(FULL).planned.executable_sha256
}

/// Whether the builds are noted to be guided.
fn told_of_profile(made: &Made) -> bool {
    made.sets[0].notes().any(|note| note.starts_with("a profile-guided build"))
}

#[test]
fn two_builds_of_one_source_differ_and_the_report_says_what_that_means() {
    let cpp = Cpp::new();
    let bundle = cpp.bundle(&build(&cpp, &COMMANDS), COMPONENTS, "");
    train(&cpp, SEARCH);
    let first = full(&cpp.made(&bundle).expect("arms")).to_owned();
    train(&cpp, "");
    let made = cpp.made(&bundle).expect("arms");
    assert_ne!(full(&made), first, "the same source, trained otherwise");

    let notes = made.bundle.profile_notes();
    assert!(!told_of_profile(&made), "said once");
    let trial = Judged::new(&Spec::new(&[("quick", 2.1)], 12), |plan, _| plan.notes = notes);
    insta::assert_snapshot!(trial.table());
}

#[test]
fn it_is_said_before_anything_is_built() {
    let cpp = Cpp::new();
    train(&cpp, SEARCH);
    // The trees differ, so that nothing is measured.
    let (code, told) = cpp.run(&cpp.bundle(&build(&cpp, &COMMANDS), COMPONENTS, ""), "trial");
    assert_eq!(code, Some(4), "{told}");
    let warning =
        told.find("warning: a profile-guided build is itself a draw (`-fprofile-use`, builds `default`)");
    assert!(warning.expect(&told) < told.find("building arm 1").expect(&told), "{told}");
}

/// What a script hides shows by the profile that it leaves.
#[test]
fn a_build_that_hides_it_is_found_by_its_profile() {
    let cpp = Cpp::new();
    train(&cpp, SEARCH);
    script(&cpp.tree());
    let hidden = ["sh make.sh {training} '{cc_flags}' '{ld_flags}'"];
    let bundle = cpp.bundle(&build(&cpp, &hidden), COMPONENTS, "");
    let (code, told) = cpp.run(&bundle, "trial");
    assert_eq!(code, Some(4), "{told}");
    let warning: Vec<&str> =
        told.lines().filter(|line| line.starts_with("warning: a profile-guided")).collect();
    insta::assert_snapshot!(warning.join("\n"));
    let made = cpp.made(&bundle).expect("arms");
    let note = made.sets[0].notes().next().expect("a note");
    assert_eq!(warning, [format!("warning: {note}")], "the plan notes the same");
    assert!(told_of_profile(&made));

    let denied = build(&cpp, &hidden) + "profile_guided = false\n";
    drop(made);
    let made = cpp.made(&cpp.bundle(&denied, COMPONENTS, "")).expect("arms");
    assert!(!told_of_profile(&made), "the author knows better");
}

/// The commands as a script of the tree.
fn script(tree: &Path) {
    let script = COMMANDS.join(" &&\n").replace("{training}", "$1");
    let script = script.replace("{cc_flags}", "'\"$2\"'").replace("'{ld_flags}'", "\"$3\"");
    fs::write(tree.join("make.sh"), script).expect("a script");
}
