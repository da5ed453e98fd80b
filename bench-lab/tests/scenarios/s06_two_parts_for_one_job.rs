//! Two parts that do the same work twice over: each left out alone shows nothing; the joint removal in the diagnostics
//! shows the gain.

use protocol::synthetic::{self, Spec};
use protocol::{judge, plan_id};

#[test]
fn left_out_together_they_show_what_they_are_worth() {
    let spec = Spec { noise: 0.3, ..Spec::new(&[("cache-a", 0.0), ("cache-b", 0.0), ("prefetch", 1.4)], 16) };
    let (mut plan, mut records) = synthetic::trial(&spec).expect("the spec makes a trial");
    let groups: [(&[&str], f64); 1] = [(&["cache-a", "cache-b"], 3.2)];
    let diagnostics = synthetic::diagnostics(&spec, &mut plan, &groups, 3).expect("sound groups");
    // Base has neither of the two.
    for record in records.iter_mut().filter(|record| record.arm == "base") {
        for search in &mut record.searches {
            search.cpu_ns += search.cpu_ns * 32 / 1_000;
        }
        record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
    }
    let verdict = judge(&plan, &records, &"5".repeat(64)).expect("the records are complete");
    let passed: Vec<bool> = verdict.components.iter().map(|component| component.passed).collect();
    assert_eq!(passed, [false, false, true]);
    let plan_id = plan_id(&plan).expect("an id");
    let diagnostics = Some(diagnostics.as_slice());
    let trial = reports::Trial {
        plan: &plan,
        plan_id: &plan_id,
        records: &records,
        verdict: &verdict,
        timing: None,
        diagnostics,
    };
    insta::assert_snapshot!(reports::table(&trial));
}
