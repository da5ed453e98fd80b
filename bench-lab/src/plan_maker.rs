//! The plan, put together from everything that is fixed by now.

use std::collections::BTreeMap;
use std::time::SystemTime;

use anyhow::Context;
use protocol::plan::{
    self, Arm, BuildSet, Calibration, Component, Identity, Layout, LayoutPart, Measure, PLAN_FORMAT,
    PartState, Plan, TOTAL_RATE, Tool, Workload,
};
use protocol::{EVALUATOR, schedule};

use crate::bundle::Bundle;
use crate::subject::Subject;
use crate::{hash, machine};

/// Everything that a plan is made of beside the bundle.
pub struct Parts<'a> {
    /// The arms.
    pub subjects: &'a [Subject],
    /// The lanes with their files' hashes.
    pub lanes: Vec<plan::Lane>,
    /// Master seed.
    pub seed: u64,
    /// The same-tree proof.
    pub identity: Identity,
    /// The A/A measurements.
    pub calibration: Vec<Calibration>,
}

/// Makes the plan: draws the schedule, notes tool, machine and time.
pub fn make(bundle: &Bundle, parts: Parts<'_>) -> anyhow::Result<Plan> {
    let lanes: Vec<&str> = parts.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let runs = schedule::draw(parts.subjects.len(), &lanes, parts.seed)?;
    let component = |c: &crate::bundle::Component| Component {
        name: c.name.clone(),
        switch: format!("feature {}", c.feature),
        costs: c.costs.clone(),
    };
    let plan = Plan {
        format: PLAN_FORMAT,
        bundle: bundle.name.clone(),
        bundle_sha256: bundle.sha256.clone(),
        created: now(),
        components: bundle.components.iter().map(component).collect(),
        arms: parts
            .subjects
            .iter()
            .map(|subject| Arm { name: subject.name.clone(), options: BTreeMap::new() })
            .collect(),
        builds: vec![BuildSet {
            name: "default".to_string(),
            arms: parts.subjects.iter().map(|subject| subject.planned.clone()).collect(),
        }],
        lanes: parts.lanes,
        workload: workload(bundle),
        measure: measure(bundle),
        layout: Layout { scheme: layouts::SCHEME.to_string(), seed: parts.seed, parts: layout_parts() },
        runs,
        identity: parts.identity,
        calibration: parts.calibration,
        tool: tool()?,
        machine: machine::facts(),
        notes: Vec::new(),
    };
    plan.check().context("the plan does not agree with itself")?;
    Ok(plan)
}

/// What is drawn.
fn layout_parts() -> Vec<LayoutPart> {
    let drawn = |part: &str| LayoutPart { part: part.to_string(), state: PartState::Drawn };
    ["order", "padding", "segments", "stack", "mapping", "copy"].map(drawn).to_vec()
}

/// The workload with its hash.
pub fn workload(bundle: &Bundle) -> Workload {
    Workload::new(bundle.workload.positions.clone(), bundle.workload.nodes)
}

/// How slots are cut.
pub fn measure(bundle: &Bundle) -> Measure {
    Measure {
        slice_us: bundle.measure.slice_us,
        processes: bundle.measure.processes,
        threshold_percent: bundle.measure.threshold_percent,
        judged: TOTAL_RATE.to_string(),
    }
}

/// This lab.
pub fn tool() -> anyhow::Result<Tool> {
    // What runs, even if the file has been replaced since.
    let executable = std::path::Path::new("/proc/self/exe");
    Ok(Tool {
        version: env!("CARGO_PKG_VERSION").to_string(),
        sha256: hash::of_file(executable).context("cannot read the lab's own executable")?,
        evaluator: EVALUATOR,
    })
}

/// The time, RFC 3339 in UTC.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
