//! A bundle of two where one part costs speed: that part is not proven and said to be negative; the rest goes on as a
//! new candidate.

use bench_lab::bundle::Bundle;
use protocol::synthetic::Spec;

use super::trial::Judged;
use crate::fake_lab::{Lab, lane, saving};
use crate::support::cores;

const SUITE: &str = "[identity]\npositions = 2\nnodes = 100\n";

#[test]
fn the_costly_part_is_named_and_the_other_is_proven() {
    let trial = Judged::new(&Spec::new(&[("prefetch", 2.6), ("big-table", -0.6)], 4), |_, _| {});
    assert!(trial.passed("prefetch") && !trial.passed("big-table") && !trial.verdict.proven);
    insta::assert_snapshot!(trial.table());
}

#[test]
fn a_bundle_that_is_slower_than_base_is_said_to_be() {
    let told = Judged::new(&Spec::new(&[("big-table", -0.9)], 4), |_, _| {}).table();
    assert!(told.contains("whole bundle on main: costs speed: 8 of 8 run values below zero"), "{told}");
    assert!(told.contains("base is faster"), "{told}");
}

/// With engines: one part halves the work, the other doubles it. No noise turns that round.
#[test]
fn the_lab_says_so_of_engines() {
    let lab = Lab::new();
    let bundle = lab.bundle(&saving(&[50, -100]), &[lane("main", cores()[0], "avx2", "work=100")], SUITE);
    let told = lab.run(&bundle);
    assert_eq!(told.code, Some(3), "{}", told.err);
    let costs = told.out.lines().find(|line| line.contains("part-b on main: costs speed"));
    let costs = costs.unwrap_or_else(|| panic!("{}", told.out));
    assert!(costs.contains("8 of 8 run values below zero") && costs.contains("faster without it"), "{costs}");
    assert!(!told.out.contains("part-a on main: costs speed"), "{}", told.out);

    // The rest goes on: here alone, or not at all where noise has taken the other part's proof.
    let gone = told.out.lines().find(|line| line.contains("may not come back")).expect(&told.out);
    assert!(gone.contains("part-b"), "{gone}");
    if !gone.contains("part-a") {
        let candidate = Bundle::read(&lab.file("fake-2.toml")).expect("the new candidate");
        let names: Vec<&str> = candidate.components.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((candidate.name.as_str(), names), ("fake-2", vec!["part-a"]));
    }
    let again = lab.run(&bundle);
    assert_eq!(again.code, Some(2), "{}", again.err);
    assert!(again.error().contains("part-b"), "{}", again.error());
}
