//! The plan, put together from everything that is fixed by now.

use std::time::SystemTime;

use anyhow::Context;
use layouts::capture::Capture;
use layouts::parts::{Part, Parts};
use protocol::plan::{
    self, Arm, Calibration, Component, Diagnostics, Identity, Layout, LayoutPart, Linker, Measure,
    PLAN_FORMAT, PartState, Plan, TOTAL_RATE, Together, Tool, Workload,
};
use protocol::{EVALUATOR, schedule};

use crate::bundle::{self, Build, Bundle};
use crate::subject::ArmSet;
use crate::{hash, machine, notes};

/// Everything that a plan is made of beside the bundle.
pub struct Fixed<'a> {
    /// The arms of every build set.
    pub sets: &'a [ArmSet],
    /// The lanes with their files' hashes.
    pub lanes: Vec<plan::Lane>,
    /// Which plan for this bundle it is in the register, from 1.
    pub attempt: usize,
    /// Master seed.
    pub seed: u64,
    /// The same-tree proof.
    pub identity: Identity,
    /// The A/A measurements.
    pub calibration: Vec<Calibration>,
}

/// Makes the plan: draws the schedule, notes tool, machine and time.
pub fn make(bundle: &Bundle, fixed: Fixed<'_>) -> anyhow::Result<Plan> {
    let arms = bundle.arms();
    let lanes: Vec<&str> = bundle.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let runs = schedule::draw(arms.len(), &lanes, fixed.seed)?;
    let component = |c: &bundle::Component| Component {
        name: c.name.clone(),
        switch: c.switched(),
        costs: c.costs.clone(),
    };
    let arm = |arm: &bundle::Arm| Arm { name: arm.name.clone(), options: bundle.options(arm) };
    let plan = Plan {
        format: PLAN_FORMAT,
        bundle: bundle.name.clone(),
        bundle_sha256: bundle.sha256.clone(),
        attempt: Some(fixed.attempt),
        created: now(),
        components: bundle.components.iter().map(component).collect(),
        arms: arms.iter().map(arm).collect(),
        builds: fixed.sets.iter().map(ArmSet::planned).collect(),
        lanes: fixed.lanes,
        workload: workload(bundle),
        measure: measure(bundle),
        layout: Layout {
            scheme: layouts::SCHEME.to_string(),
            seed: fixed.seed,
            parts: planned_parts(bundle, fixed.sets),
            tables: bundle.layout.tables.clone(),
        },
        runs,
        identity: fixed.identity,
        calibration: fixed.calibration,
        tool: tool(fixed.sets)?,
        machine: machine::facts(),
        notes: notes(bundle, fixed.sets),
        tolerance: Some(bundle.tolerance.clone()),
        diagnostics: diagnostics(bundle, fixed.sets, &lanes, fixed.seed)?,
    };
    plan.check().context("the plan does not agree with itself")?;
    Ok(plan)
}

/// What is measured after the trial: arms, builds and a schedule of its own.
fn diagnostics(
    bundle: &Bundle,
    sets: &[ArmSet],
    lanes: &[&str],
    seed: u64,
) -> anyhow::Result<Option<Diagnostics>> {
    let Some(wanted) = &bundle.diagnostics else { return Ok(None) };
    let arms = bundle.joint_arms();
    let together = wanted.together.iter().zip(&arms).map(|(group, arm)| {
        let joint = sets.iter().filter_map(|set| set.joint.as_ref());
        let builds = joint.filter_map(|set| {
            let number = set.arms.iter().position(|known| known.name == arm.name)?;
            Some(set.subject(number).planned.clone())
        });
        Together {
            components: group.iter().map(|&number| bundle.components[number].name.clone()).collect(),
            options: bundle.options(arm),
            builds: builds.collect(),
        }
    });
    let together: Vec<Together> = together.collect();
    let runs = schedule::draw_diagnostics(together.len() + 2, wanted.phases, lanes, seed)?;
    Ok(Some(Diagnostics { together, phases: wanted.phases, runs }))
}

/// What becomes of every part of the layout, seen from the executables.
fn planned_parts(bundle: &Bundle, sets: &[ArmSet]) -> Vec<LayoutPart> {
    let mut parts = layout_parts(bundle);
    if let Some(heap) = parts.iter_mut().find(|part| part.part == Part::Heap.name())
        && !sets.iter().all(ArmSet::heap_follows)
    {
        heap.state = PartState::NotScattered;
    }
    parts
}

/// What becomes of every part of the layout, by the bundle alone.
pub fn layout_parts(bundle: &Bundle) -> Vec<LayoutPart> {
    let is_linked = !matches!(bundle.builds[0].build, Build::Prebuilt(_));
    let could_be = |part: Part| match part {
        // There is no way to tell the engine.
        Part::Tables => false,
        part => is_linked || !bundle::Layout::NEEDS_LINK.contains(&part),
    };
    let state = |part: Part| match bundle.layout.parts.contains(part) {
        true => PartState::Drawn,
        false if could_be(part) => PartState::Fixed,
        false => PartState::NotScattered,
    };
    Part::ALL.map(|part| LayoutPart { part: part.name().to_string(), state: state(part) }).to_vec()
}

/// What becomes of every part outside a trial: those that are wanted are drawn, where they can be.
pub fn parts_outside(wanted: &Parts, can_draw: impl Fn(Part) -> bool) -> Vec<LayoutPart> {
    let state = |part: Part| match (wanted.contains(part), can_draw(part)) {
        (_, false) => PartState::NotScattered,
        (true, _) => PartState::Drawn,
        (false, _) => PartState::Fixed,
    };
    Part::ALL.map(|part| LayoutPart { part: part.name().to_owned(), state: state(part) }).to_vec()
}

/// What qualifies the verdict: switches by their contents, profiles, and what the captures cannot vouch for.
fn notes(bundle: &Bundle, sets: &[ArmSet]) -> Vec<String> {
    let of_component = |c: &bundle::Component| Some(format!("component {}: {}", c.name, c.switch.note()?));
    let mut notes: Vec<String> = bundle.components.iter().filter_map(of_component).collect();
    notes.extend(bundle.source_note());
    notes.extend(bundle.profile_notes());
    notes.extend(notes::joined(sets.iter().flat_map(ArmSet::notes)));
    notes
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
        lanes_at_once: bundle.measure.lanes_at_once,
    }
}

/// This lab, and the linker that makes its draws.
pub fn tool(sets: &[ArmSet]) -> anyhow::Result<Tool> {
    // What runs, even if the file has been replaced since.
    let executable = std::path::Path::new("/proc/self/exe");
    Ok(Tool {
        version: env!("CARGO_PKG_VERSION").to_string(),
        sha256: hash::of_file(executable).context("cannot read the lab's own executable")?,
        evaluator: EVALUATOR,
        linker: linker(sets)?,
    })
}

fn linker(sets: &[ArmSet]) -> anyhow::Result<Option<Linker>> {
    // All captures were opened with the same one.
    let mut captures = sets.iter().flat_map(|set| &set.subjects).filter_map(|subject| subject.capture());
    let Some(linker) = captures.next().map(Capture::linker) else { return Ok(None) };
    let sha256 = hash::of_file(linker.path());
    let sha256 = sha256.with_context(|| format!("cannot read the linker {}", linker.path().display()))?;
    Ok(Some(Linker { version: linker.version().to_string(), sha256 }))
}

/// The time, RFC 3339 in UTC.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
