//! The plain table and the Markdown comment, word for word.

use protocol::synthetic::Spec;
use reports::{markdown, table};

use super::sample::Sample;

/// Without the plan's id, which changes with every field of a plan.
fn comment(sample: &Sample) -> String {
    markdown(&sample.trial()).replace(&sample.plan_id, "PLAN")
}

#[test]
fn table_of_a_mixed_trial() {
    insta::assert_snapshot!(table(&Sample::mixed().trial()));
}

#[test]
fn table_of_a_proven_trial() {
    insta::assert_snapshot!(table(&Sample::proven().trial()));
}

#[test]
fn markdown_of_a_mixed_trial() {
    insta::assert_snapshot!(comment(&Sample::mixed()));
}

#[test]
fn markdown_of_a_proven_trial() {
    insta::assert_snapshot!(comment(&Sample::proven()));
}

#[test]
fn table_of_a_limited_trial() {
    insta::assert_snapshot!(table(&Sample::limited().trial()));
}

#[test]
fn table_of_a_trial_with_two_build_sets() {
    insta::assert_snapshot!(table(&Sample::two_builds().trial()));
}

#[test]
fn markdown_of_a_limited_trial() {
    insta::assert_snapshot!(comment(&Sample::limited()));
}

#[test]
fn markdown_of_a_trial_with_two_build_sets() {
    insta::assert_snapshot!(comment(&Sample::two_builds()));
}

#[test]
fn table_of_a_locked_trial() {
    insta::assert_snapshot!(table(&Sample::locked().trial()));
}

#[test]
fn markdown_of_a_locked_trial() {
    insta::assert_snapshot!(comment(&Sample::locked()));
}

#[test]
fn table_of_a_trial_with_overlapping_components() {
    insta::assert_snapshot!(table(&Sample::overlapping().trial()));
}

#[test]
fn markdown_of_a_trial_with_overlapping_components() {
    insta::assert_snapshot!(comment(&Sample::overlapping()));
}

/// The longest comment that the large hosts of code take.
const LONGEST: usize = 65_536;

#[test]
fn a_comment_on_a_large_bundle_can_be_posted() {
    let names: Vec<String> = (1..=16).map(|number| format!("component-with-a-long-name-{number}")).collect();
    let components: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 0.1)).collect();
    let mut spec = Spec::new(&components, 17);
    for lane in ["scalar", "avx2", "avx512"] {
        spec = spec.with_lane(lane, &[-0.5; 16]);
    }
    spec.noise = 1.2;
    let comment = comment(&Sample::new(&spec, |_, _| {}));
    assert!(comment.len() < LONGEST, "{} bytes", comment.len());
    assert_eq!(comment.matches("\n|---").count(), 1, "one table");
    assert_eq!(comment.matches("<details>").count(), 1, "one folded section");
}

#[test]
fn one_component_is_spoken_of_in_the_singular() {
    for (gain, said) in
        [(0.0, "The one component was not proven on lane main"), (3.0, "The one component is faster")]
    {
        let sample = Sample::new(&Spec::new(&[("alone", gain)], 5), |_, _| {});
        assert!(table(&sample.trial()).contains(said), "{}", table(&sample.trial()));
    }
}

#[test]
fn names_steer_neither_terminal_nor_markdown() {
    let spec = Spec::new(&[("a|b\u{1b}[31m<i>", 2.0)], 5);
    let sample = Sample::new(&spec, |_, _| {});
    assert!(!table(&sample.trial()).contains('\u{1b}'));
    let comment = markdown(&sample.trial());
    let row = comment.lines().find(|line| line.contains("b ")).unwrap();
    assert!(row.starts_with("| a\\|b \\[31m&lt;i&gt; |"), "{row}");
    assert!(!comment.contains("<i>"));
}
