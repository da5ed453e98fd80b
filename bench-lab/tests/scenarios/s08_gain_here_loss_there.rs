//! Gain on the AVX2 lane, loss on the AVX-512 lane: fails, the lane named first.

use protocol::synthetic::Spec;

use super::trial::Judged;
use crate::fake_lab::{Lab, lane, saving};
use crate::support::cores;

#[test]
fn the_lane_that_loses_is_named_first() {
    let mut spec = Spec::new(&[("kernel", 1.9), ("prefetch", 1.2)], 8).with_lane("avx512", &[-0.7, 1.1]);
    spec.lanes[0].name = "avx2".to_owned();
    let trial = Judged::new(&spec, |_, _| {});
    assert!(!trial.verdict.proven && trial.passed("prefetch"));
    insta::assert_snapshot!(trial.table());
}

#[test]
fn a_lane_that_only_lacks_proof_is_named_too() {
    let mut spec = Spec::new(&[("kernel", 1.9)], 8).with_lane("avx512", &[0.0]);
    spec.lanes[0].name = "avx2".to_owned();
    let told = Judged::new(&spec, |_, _| {}).table();
    assert!(
        told.contains(
            "\nNOT PROVEN: On lane avx512, kernel is not proven, though it is proven on lane avx2."
        ),
        "{told}"
    );
}

/// With engines: what halves the work on one path adds half of it on the other.
#[test]
fn the_lab_says_so_of_engines() {
    let lab = Lab::new();
    let path = |name: &str| lane(name, cores()[0], name, "work=100,loss=avx512");
    let suite = "[identity]\npositions = 2\nnodes = 100\n";
    let bundle = lab.bundle(&saving(&[10, 50]), &[path("avx2"), path("avx512")], suite);
    let told = lab.run(&bundle);
    assert_eq!(told.code, Some(3), "{}", told.err);
    assert!(told.out.contains("part-b on avx512: costs speed: 8 of 8 run values below zero"), "{}", told.out);
    assert!(!told.out.contains("on avx2: costs speed"), "{}", told.out);
}
