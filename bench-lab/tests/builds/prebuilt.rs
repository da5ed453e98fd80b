//! Executables that are there: a whole trial, whose verdict is limited.

use std::fs;

use super::cpp::{COMMAND, Cpp};
use protocol::plan::PartState;
use protocol::{Plan, Verdict};

#[test]
fn a_tiny_trial_of_prebuilt_executables_is_limited() {
    let cpp = Cpp::new();
    // Two executables as somebody else would have built them: one PIE, the other static.
    for (name, flags) in [("base", &["-static"][..]), ("full", &["-DQUICK"])] {
        let mut command = std::process::Command::new("g++");
        command
            .args(["-O1", "-o"])
            .arg(cpp.folder().join(name))
            .args(flags)
            .arg(cpp.tree().join("engine.cpp"));
        assert!(command.status().expect("g++").success());
    }
    let build = "kind = \"prebuilt\"\nbase = \"base\"\nfull = \"full\"\n[[component]]\nname = \"quick\"\n\
                 executable = \"base\"\ncosts = []\n";
    let bundle = cpp.bundle(build, "", "");
    let (code, told) = cpp.run(&bundle, "trial");
    assert!(code == Some(0) || code == Some(3), "{code:?}: {told}");
    assert!(told.to_lowercase().contains("limited"), "{told}");
    let check =
        std::process::Command::new(env!("CARGO_BIN_EXE_bench-lab")).arg("check").arg(&bundle).output();
    let check = String::from_utf8(check.expect("the lab").stdout).expect("UTF-8");
    assert!(check.contains("the verdict will be limited") && check.contains("prebuilt: base "), "{check}");
    let read = |name: &str| fs::read_to_string(cpp.folder().join("trial").join(name)).expect(name);
    let plan: Plan = serde_json::from_str(&read("plan.json")).expect("a plan");
    assert!(plan.layout.is_limited());
    let states: Vec<(&str, PartState)> =
        plan.layout.parts.iter().map(|part| (part.part.as_str(), part.state)).collect();
    let (no, drawn) = (PartState::NotScattered, PartState::Drawn);
    let expected = [
        ("order", no),
        ("padding", no),
        ("phase", no),
        ("segments", no),
        ("heap", no),
        ("stack", drawn),
        ("mapping", drawn),
        ("tables", no),
        ("copy", drawn),
    ];
    assert_eq!(states, expected);
    let arms = &plan.builds[0].arms;
    assert_eq!(arms[0].executable_sha256, arms[2].executable_sha256, "base lacks the only component");
    assert_ne!(arms[0].executable_sha256, arms[1].executable_sha256);
    assert_eq!(arms[1].inputs_sha256, arms[1].executable_sha256);
    assert!(arms[1].command.starts_with("prebuilt: full"), "{}", arms[1].command);
    let records = protocol::lines::read(&read("records.jsonl")).expect("records");
    assert!(
        records.iter().all(|record| record.draw.moved_functions == (0, 0) && record.draw.shared.is_empty())
    );
    assert!(records.iter().all(|record| record.draw.line_phases.is_none()), "nothing was read");
    assert!(records.iter().any(|record| record.draw.stack_offset > 0));
    let verdict: Verdict = serde_json::from_str(&read("verdict.json")).expect("a verdict");
    assert!(verdict.limited);

    // The same file for both says nothing about a component, nor does a copy of it.
    fs::copy(cpp.folder().join("base"), cpp.folder().join("twin")).expect("a copy");
    for (full, said) in [
        ("base", "the component is in its executable"),
        ("twin", "the switch of component quick has no effect"),
    ] {
        let same = build.replace("full = \"full\"", &format!("full = {full:?}"));
        let told = cpp.made(&cpp.bundle(&same, "", "")).expect_err("no difference");
        assert!(told.contains(said), "{full}: {told}");
    }
    let linked = cpp.made(&cpp.bundle(
        COMMAND,
        "[[component]]\nname = \"quick\"\ndefine = \"QUICK\"\ncosts = []\n",
        "",
    ));
    assert!(linked.expect("arms").sets[0].subjects.iter().all(|subject| subject.capture().is_some()));
}
