//! Events made of what a trial leaves.

use std::path::Path;

use protocol::register::{Component, Judgement, Lab, Planned, Void};
use protocol::{Plan, Verdict, canonical};

use super::place::relative;
use crate::folder;

/// The event of a plan that this process has fixed.
pub fn planned(plan: &Plan, plan_id: &str, register: &Path, trial: &Path) -> Planned {
    Planned {
        plan_id: plan_id.to_owned(),
        bundle: plan.bundle.clone(),
        bundle_sha256: plan.bundle_sha256.clone(),
        components: Component::of(plan),
        attempt: plan.attempt.unwrap_or(1),
        folder: relative(register, trial).display().to_string(),
        lab: Lab { pid: std::process::id(), boot_id: plan.machine.boot_id.clone() },
    }
}

/// The event of a verdict with the text of its file.
pub fn judgement(plan_id: &str, verdict: &Verdict, text: &str) -> Judgement {
    let unproven = verdict.components.iter().filter(|judged| !judged.passed);
    Judgement {
        plan_id: plan_id.to_owned(),
        proven: verdict.proven,
        unproven: unproven.map(|judged| judged.component.clone()).collect(),
        records_sha256: verdict.records_sha256.clone(),
        verdict_sha256: canonical::sha256_hex(text.as_bytes()),
    }
}

/// The event of a void.
pub fn void(void: &folder::Void) -> Void {
    Void { plan_id: void.plan_id.clone(), reason: void.reason.clone(), place: void.place.clone() }
}
