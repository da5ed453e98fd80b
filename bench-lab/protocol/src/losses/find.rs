//! The rule of losses: measured, compared with the tolerance, and with what was declared.

use super::{Allowance, Cost, LossKind, Tolerance};
use crate::calibration::points;
use crate::plan::{BASE, FULL, Plan, without};
use crate::record::Footprint;
use crate::statistics::median;
use crate::trial::Trial;
use crate::verdict::{Comparison, ComponentVerdict, Loss};
use crate::{PHASES, POSITIVE_RUNS, RUNS};

/// Every loss of `full` against each other arm, as far as it is measured; beyond tolerance or not.
///
/// Memory and start-up time are judged like speed: a run's value is the median over its processes, and a loss is beyond
/// its tolerance when in at least 7 of the 8 runs `full` exceeds the other arm by more than is allowed. So where the true
/// difference is no more than that, noise alone gets there with probability at most 9/256. The size of an executable
/// is no random quantity; it is compared once for every build set. Of a lane's speed only what is beyond is
/// told: the run values themselves stand in the component's comparison.
pub fn find(trial: &Trial, tolerance: &Tolerance, components: &[ComponentVerdict]) -> Vec<Loss> {
    let plan = trial.plan();
    let arms = (0..plan.components.len()).map(without).chain([BASE]);
    let mut losses = Vec::new();
    for arm in arms {
        for lane in 0..plan.lanes.len() {
            let of_process: [OfProcess; 2] = [
                (LossKind::Memory, tolerance.memory, |footprint| footprint.peak_bytes),
                (LossKind::StartUpTime, tolerance.start_up_time, |footprint| footprint.start_up_ns),
            ];
            for (kind, allowance, value) in of_process {
                losses.extend(over_runs(trial, (lane, arm), kind, allowance, value));
            }
            let first = plan.lanes.iter().position(|other| other.build == plan.lanes[lane].build);
            if first == Some(lane) {
                losses.push(size(plan, (lane, arm), tolerance.executable_size));
            }
        }
    }
    for (number, component) in components.iter().enumerate() {
        losses.extend(lane_speed(plan, number, component, points(tolerance.lane_percent)));
    }
    losses
}

/// The losses that lock the bundle: beyond their tolerance and not declared.
pub fn locks(losses: &[Loss]) -> impl Iterator<Item = &Loss> {
    losses.iter().filter(|loss| loss.locks)
}

/// A kind of loss that every process shows: what is let pass, and its value.
type OfProcess = (LossKind, Allowance, fn(&Footprint) -> u64);

/// Judged by the medians of the runs; `None` where the records hold no footprints.
fn over_runs(
    trial: &Trial,
    (lane, arm): (usize, usize),
    kind: LossKind,
    allowance: Allowance,
    value: fn(&Footprint) -> u64,
) -> Option<Loss> {
    let of_run = |run: usize, arm: usize| -> Option<f64> {
        let records = (0..PHASES).flat_map(|phase| trial.processes(lane, run, phase, arm));
        let values: Option<Vec<f64>> =
            records.map(|record| Some(value(record.footprint.as_ref()?) as f64)).collect();
        values.map(|values| median(&values))
    };
    let runs: Option<Vec<(f64, f64)>> =
        (0..RUNS).map(|run| Some((of_run(run, FULL)?, of_run(run, arm)?))).collect();
    let runs = runs?;
    let middle = |of: fn(&(f64, f64)) -> f64| median(&runs.iter().map(of).collect::<Vec<_>>());
    let over = runs.iter().filter(|(full, other)| full - other > allowance.on_top_of(*other)).count();
    let other = middle(|run| run.1);
    Some(judged(
        trial.plan(),
        (lane, arm),
        Measured {
            kind,
            full: middle(|run| run.0),
            other,
            differences: runs.iter().map(|(full, other)| full - other).collect(),
            allowed: allowance.on_top_of(other),
            over,
            beyond: over >= POSITIVE_RUNS,
        },
    ))
}

/// The executables as first linked: drawn ones have the size that their common slots need.
fn size(plan: &Plan, (lane, arm): (usize, usize), allowance: Allowance) -> Loss {
    let of = |arm: usize| plan.builds[plan.lanes[lane].build].arms[arm].executable_bytes as f64;
    let (full, other) = (of(FULL), of(arm));
    let (difference, allowed) = (full - other, allowance.on_top_of(other));
    let beyond = difference > allowed;
    let measured = Measured {
        kind: LossKind::ExecutableSize,
        full,
        other,
        differences: vec![difference],
        allowed,
        over: usize::from(beyond),
        beyond,
    };
    judged(plan, (lane, arm), measured)
}

/// Lanes on which a component that gains elsewhere loses speed beyond tolerance.
fn lane_speed<'a>(
    plan: &'a Plan,
    number: usize,
    component: &'a ComponentVerdict,
    allowed: f64,
) -> impl Iterator<Item = Loss> {
    let of_lane = move |(lane, comparison): (usize, &Comparison)| {
        let differences: Vec<f64> = comparison.runs.iter().map(|run| -run).collect();
        let over = differences.iter().filter(|&&lost| lost > allowed).count();
        let elsewhere = component.lanes.iter().any(|other| other.passed);
        (elsewhere && over >= POSITIVE_RUNS).then(|| {
            let measured = Measured {
                kind: LossKind::LaneSpeed,
                full: -comparison.median,
                other: 0.0,
                differences,
                allowed,
                over,
                beyond: true,
            };
            judged(plan, (lane, without(number)), measured)
        })
    };
    component.lanes.iter().enumerate().filter_map(of_lane)
}

/// What was measured of one kind, before anybody asks whether it was declared.
struct Measured {
    kind: LossKind,
    full: f64,
    other: f64,
    differences: Vec<f64>,
    allowed: f64,
    over: usize,
    beyond: bool,
}

/// Against the arm without a component that component must have declared it; against `base` any of them.
fn judged(plan: &Plan, (lane, arm): (usize, usize), measured: Measured) -> Loss {
    let Measured { kind, full, other, differences, allowed, over, beyond } = measured;
    let lane = &plan.lanes[lane].name;
    let declares = |costs: &[String]| {
        costs.iter().filter_map(|cost| Cost::parse(cost)).any(|cost| cost.covers(kind, lane))
    };
    let asked =
        plan.components.iter().enumerate().filter(|(number, _)| arm == BASE || without(*number) == arm);
    let declared_by: Vec<String> = asked
        .filter(|(_, component)| declares(&component.costs))
        .map(|(_, component)| component.name.clone())
        .collect();
    Loss {
        kind,
        against: plan.arms[arm].name.clone(),
        lane: lane.clone(),
        full,
        other,
        differences,
        allowed,
        over,
        beyond,
        locks: beyond && declared_by.is_empty(),
        declared_by,
    }
}
