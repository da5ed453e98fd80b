//! Trials that were never run: one with every kind of finding, one that is proven.

use protocol::record::Counters;
use protocol::synthetic::{self, Spec};
use protocol::{Plan, ProcessRecord, Verdict, judge, plan_id};
use reports::Trial;

/// Everything a [`Trial`] borrows.
pub struct Sample {
    pub plan: Plan,
    pub plan_id: String,
    pub records: Vec<ProcessRecord>,
    pub verdict: Verdict,
}

impl Sample {
    /// Judges a synthetic trial after `change` has had its way with plan and records.
    pub fn new(spec: &Spec, change: impl FnOnce(&mut Plan, &mut [ProcessRecord])) -> Self {
        let (mut plan, mut records) = synthetic::trial(spec).expect("the spec makes a trial");
        change(&mut plan, &mut records);
        let plan_id = plan_id(&plan).expect("the plan is canonical");
        let verdict = judge(&plan, &records, &"5".repeat(64)).expect("the records are complete");
        Self { plan, plan_id, records, verdict }
    }

    /// Two components that pass, one that gains nothing, one with a single phase far away.
    pub fn mixed() -> Self {
        let spec =
            Spec::new(&[("threats-i8", 2.4), ("eval-cache", 1.1), ("acc512", 0.02), ("prefetch", 1.3)], 7);
        Self::new(&spec, |plan, records| {
            plan.bundle = "teacher-small".to_owned();
            plan.layout.scheme = "shared-slots/1".to_owned();
            plan.components[1].costs = vec!["512 KiB of memory for each thread".to_owned()];
            slow_down(records, "without:prefetch", (5, 3), 1.035);
        })
    }

    /// Everything proven, on two lanes, with hardware counters.
    pub fn proven() -> Self {
        let spec = Spec::new(&[("prefetch", 1.2), ("eval-cache", 2.0)], 11).with_lane("avx512", &[1.6, 1.4]);
        Self::new(&spec, |plan, records| {
            plan.machine.counters = true;
            for record in records {
                let cycles = record.cpu_ns * 3;
                record.counters = Some(Counters { cycles, instructions: cycles * 2 });
            }
        })
    }

    /// The borrowed form that reports take.
    pub fn trial(&self) -> Trial<'_> {
        Trial { plan: &self.plan, plan_id: &self.plan_id, records: &self.records, verdict: &self.verdict }
    }
}

/// Stretches the processor time of one arm in one phase.
fn slow_down(records: &mut [ProcessRecord], arm: &str, place: (usize, usize), factor: f64) {
    for record in records.iter_mut().filter(|record| record.arm == arm && (record.run, record.phase) == place)
    {
        for search in &mut record.searches {
            search.cpu_ns = (search.cpu_ns as f64 * factor) as u64;
        }
        record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
    }
}
