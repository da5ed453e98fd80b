//! Components without proof do not come back: what is refused, and what is left of the bundle.

use std::fs;
use std::process::Output;

use super::place::{Place, bundle, without_digests};

const GAINS: [(&str, f64); 3] = [("gain", 2.0), ("none", -1.0), ("more", 3.0)];

/// A bundle `quick` of which `none` was not proven.
fn failed() -> Place {
    let place = Place::new();
    bundle(&place, "quick", &["gain", "none", "more"]);
    place.judged("trials-1", "quick", &GAINS);
    place
}

fn check(place: &Place, file: &str) -> Output {
    place.lab(&["check", file, "--register", "register.jsonl"])
}

fn errors(output: &Output) -> String {
    without_digests(&String::from_utf8_lossy(&output.stderr))
}

fn text(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path().join(name)).expect(name)
}

#[test]
fn the_bundle_is_refused_and_a_smaller_one_is_written() {
    let place = failed();
    // The lab that made the trial ended before it had noted what left the bundle.
    let listed = place.lab(&["register", "register.jsonl"]);
    assert!(errors(&listed).ends_with(": none left the bundle\n"), "{}", errors(&listed));
    let before = text(&place, "quick.toml");
    let output = check(&place, "quick.toml");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(output.stdout.is_empty(), "refused before anything else");
    insta::assert_snapshot!("refused", errors(&output));
    let id = place.open().register().trials()[0].plan.plan_id[..12].to_owned();
    insta::assert_snapshot!("smaller", text(&place, "quick-2.toml").replace(&id, "<plan>"));
    assert_eq!(text(&place, "quick.toml"), before);

    // `run` refuses the same way before it builds or makes a folder, and overwrites nothing.
    let own = text(&place, "quick-2.toml") + "# My own remark.\n";
    fs::write(place.path().join("quick-2.toml"), &own).expect("a file");
    let lines = place.lines().len();
    let output = place.lab(&["run", "quick.toml", "--register", "register.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    insta::assert_snapshot!("refused", errors(&output));
    assert_eq!(text(&place, "quick-2.toml"), own);
    assert_eq!(place.lines().len(), lines, "nothing new to register");
    assert!(!place.path().join("out").exists());
    assert_eq!(check(&place, "quick-2.toml").status.code(), Some(0), "the smaller one is good");
}

#[test]
fn it_does_not_come_back_under_another_name() {
    let place = failed();
    check(&place, "quick.toml");
    for (file, from, to, known) in [
        ("quick.toml", "name = \"none\"", "name = \"some\"", "some (define NONE when on), known as none"),
        ("quick.toml", "define = \"NONE\"", "define = \"SOME\"", "none (define SOME when on), known as none"),
        (
            "quick.toml",
            "name = \"quick\"",
            "name = \"other\"",
            "none (define NONE when on): trial trials-1, plan ",
        ),
        (
            "quick-2.toml",
            "[workload]",
            "[[component]]\nname = \"none\"\ndefine = \"NONE\"\ncosts = []\n[workload]",
            "of bundle quick-2 had no proof",
        ),
    ] {
        let whole = text(&place, file);
        fs::write(place.path().join("changed.toml"), whole.replacen(from, to, 1)).expect("a bundle");
        let output = check(&place, "changed.toml");
        assert_eq!(output.status.code(), Some(2), "{file} with {to}: {}", errors(&output));
        assert!(errors(&output).contains(known), "{}", errors(&output));
    }
    // Another bundle that it is a part of may have it.
    bundle(&place, "wider", &["gain", "none", "more", "new"]);
    assert_eq!(check(&place, "wider.toml").status.code(), Some(0));
}

#[test]
fn what_is_left_is_counted_on() {
    let place = failed();
    check(&place, "quick.toml");
    place.judged("trials-2", "quick-2", &[("gain", -1.0), ("more", 3.0)]);
    place.lab(&["register", "register.jsonl"]);
    let output = check(&place, "quick-2.toml");
    assert!(
        errors(&output).ends_with("a new candidate with a trial of its own:\n  bench-lab run quick-3.toml\n"),
        "{}",
        errors(&output)
    );
    let left = text(&place, "quick-3.toml");
    assert!(left.contains("name = \"quick-3\"") && left.contains("name = \"more\""), "{left}");
    assert!(!left.contains("name = \"gain\"") && !left.contains("name = \"none\""), "{left}");
    for kept in [
        "# On gain.\n# gain is not in this bundle: trial trials-2",
        "# On none.\n# none is not in this bundle: trial trials-1",
    ] {
        assert!(left.contains(kept), "{left}");
    }
    // A file of the author's is never taken for it.
    fs::remove_file(place.path().join("quick-3.toml")).expect("removed");
    fs::write(place.path().join("quick-3.toml"), "mine").expect("a file");
    let output = check(&place, "quick-2.toml");
    assert!(errors(&output).ends_with("bench-lab run quick-4.toml\n"), "{}", errors(&output));
    assert_eq!(text(&place, "quick-3.toml"), "mine");
}

#[test]
fn nothing_is_left_of_a_bundle_without_any_proof() {
    let place = Place::new();
    bundle(&place, "idle", &["none"]);
    place.judged("trials-1", "idle", &[("none", -1.0)]);
    place.lab(&["register", "register.jsonl"]);
    let output = check(&place, "idle.toml");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(errors(&output));
    assert!(!place.path().join("idle-2.toml").exists());
}

#[test]
fn a_smaller_bundle_that_cannot_be_written_is_told() {
    let place = failed();
    place.lab(&["register", "register.jsonl"]);
    let text = text(&place, "quick.toml").replacen(
        "define = \"NONE\"",
        "option = { name = \"None\", on = true, off = false }",
        1,
    );
    let build = text.find("[build]").expect("a section");
    let end = text.find("# On gain").expect("a comment");
    // Switched by options, nothing is built; an executable that is not there is told as ever.
    let prebuilt =
        format!("{}[build]\nkind = \"prebuilt\"\nexecutable = \"absent\"\n{}", &text[..build], &text[end..]);
    fs::write(place.path().join("quick.toml"), prebuilt).expect("a bundle");
    let output = check(&place, "quick.toml");
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("not an executable that can be measured"), "{}", errors(&output));
}
