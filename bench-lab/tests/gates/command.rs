//! What the command prints and leaves.

use super::lab::{GATE, Repository};

#[test]
fn only_what_is_asked_is_answered() {
    let repository = Repository::with_commit(GATE, "Begin\n\nBench: 4242");
    repository.gate(&["--update-baseline"]).ends_with(0);
    let told = repository.gate(&["size"]).ends_with(0);
    assert!(!told.out.contains("tree"), "{}", told.out);
    let told = repository.gate(&["tree", "size"]).ends_with(0).says("✔ held (2 held)");
    assert!(told.err.contains("counting the nodes"), "{}", told.err);
}

#[test]
fn baselines_may_lie_elsewhere() {
    let repository = Repository::new(GATE);
    repository.gate(&["--baseline", "kept", "--update-baseline"]).ends_with(0).says("kept/tree.json");
    repository.gate(&["--baseline", "kept", "--strict"]).ends_with(0);
    repository.gate(&["--strict"]).ends_with(6);
}

#[test]
fn every_form_is_written() {
    let repository = Repository::with_commit(GATE, "Begin\n\nBench: 1");
    repository.gate(&["--out", "out"]).ends_with(4);
    for (name, part) in [
        ("gate.json", "\"exit\": 4"),
        ("comment.md", "<!-- bench-lab gate: gate.toml -->\n### ✘ lost"),
        ("junit.xml", "<failure message="),
        ("values.csv", "tree,bench,head,1,nodes,4242"),
        ("badge.svg", "aria-label=\"gate: lost\""),
    ] {
        let text = repository.read(&format!("out/{name}"));
        assert!(text.contains(part), "{name}: {text}");
    }
    let told = repository.gate(&["--json"]).ends_with(4);
    assert_eq!(told.out, repository.read("out/gate.json"));
    // Replaced, not written over: a reader of the old report has all of it.
    std::fs::hard_link(repository.path("out/gate.json"), repository.path("read")).expect("a second name");
    repository.engine("engine", "bench=1");
    repository.gate(&["--out", "out"]).ends_with(0);
    assert_eq!(told.out, repository.read("read"));
    assert_ne!(told.out, repository.read("out/gate.json"));
    let left = std::fs::read_dir(repository.path("out")).expect("a folder").count();
    assert_eq!(left, 5, "litter");
}

#[test]
fn a_folder_that_cannot_be_made_is_told_with_what_helps() {
    let repository = Repository::new(GATE);
    let told = repository.gate(&["--out", "engine/out"]).ends_with(1);
    told.complains("cannot create engine/out: name another folder with --out");
    let told = repository.gate(&["--update-baseline", "--baseline", "engine/kept"]).ends_with(1);
    told.complains("cannot create engine/kept: name another folder with --baseline");
}

#[test]
fn a_runner_gets_annotations_and_a_summary() {
    let repository = Repository::with_commit(GATE, "Begin\n\nBench: 1");
    let summary = repository.path("summary.md");
    let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary.to_str().expect("UTF-8"))];
    repository
        .gate_with(&[], &variables)
        .ends_with(4)
        .says("\n::error file=gate.toml,title=gate%3A tree lost::tree of bench");
    let first = repository.read("summary.md");
    assert!(first.starts_with("### ✘ lost"), "{first}");
    let told = repository.gate_with(&["--json"], &variables).ends_with(4).complains("::error file=gate.toml");
    assert!(serde_json::from_str::<serde_json::Value>(&told.out).is_ok(), "{}", told.out);
    assert!(repository.read("summary.md").len() > first.len(), "the second one is appended");
    // Elsewhere neither.
    let told = repository.gate(&[]).ends_with(4);
    assert!(!told.out.contains("::error") && !told.err.contains("::error"), "{}{}", told.out, told.err);
}
