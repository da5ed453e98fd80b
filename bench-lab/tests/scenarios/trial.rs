//! Trials made from a scenario's numbers, judged and told by the real rules.

use protocol::synthetic::{self, Spec};
use protocol::{Plan, ProcessRecord, Verdict, judge, plan_id};

/// A finished trial.
pub struct Judged {
    pub plan: Plan,
    pub records: Vec<ProcessRecord>,
    pub verdict: Verdict,
}

impl Judged {
    /// A synthetic trial, after `change` has had its way with plan and records.
    pub fn new(spec: &Spec, change: impl FnOnce(&mut Plan, &mut [ProcessRecord])) -> Judged {
        let (mut plan, mut records) = synthetic::trial(spec).expect("the spec makes a trial");
        change(&mut plan, &mut records);
        let verdict = judge(&plan, &records, &"5".repeat(64)).expect("the records are complete");
        Judged { plan, records, verdict }
    }

    /// What the author reads on the terminal.
    pub fn table(&self) -> String {
        let plan_id = plan_id(&self.plan).expect("an id");
        let Judged { plan, records, verdict } = self;
        reports::table(&reports::Trial {
            plan,
            plan_id: &plan_id,
            records,
            verdict,
            timing: None,
            diagnostics: None,
        })
    }

    /// Whether a component passed on all lanes.
    pub fn passed(&self, component: &str) -> bool {
        let judged = self.verdict.components.iter().find(|judged| judged.component == component);
        judged.expect("a component of the trial").passed
    }
}
