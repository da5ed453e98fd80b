//! A bundle is clearly faster, each of its parts below resolution: bundle proven, components not, with what it would take
//! to resolve them.

use protocol::synthetic::Spec;

use super::trial::Judged;

#[test]
fn the_bundle_is_proven_and_the_parts_are_told_what_they_take() {
    let parts = [("inline", 0.02), ("likely", 0.03), ("table", 0.02), ("unroll", 0.04)];
    let spec = Spec { noise: 0.05, jitter: 1.3, threshold_percent: 0.5, ..Spec::new(&parts, 5) };
    let trial = Judged::new(&spec, |_, records| {
        // They are worth more together than alone: base lacks what they share.
        for record in records.iter_mut().filter(|record| record.arm == "base") {
            for search in &mut record.searches {
                search.cpu_ns += search.cpu_ns / 80;
            }
            record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
        }
    });
    assert!(trial.verdict.bundle.passed && !trial.verdict.proven);
    assert!(trial.verdict.components.iter().all(|component| !component.passed), "{}", trial.table());
    insta::assert_snapshot!(trial.table());
}
