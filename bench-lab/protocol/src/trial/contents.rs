//! What a record must hold, by itself and beside the others of its phase.

use super::{Place, RecordFault};
use crate::plan::{Plan, Series};
use crate::record::{ProcessRecord, SearchRecord};

/// Checks every record of a phase of a lane by itself and beside the others; `of_arm` gives the processes of an arm.
/// Everything is counted from 0.
pub(crate) fn check_phase<'r>(
    series: &Series<'_>,
    [lane, run, phase]: [usize; 3],
    of_arm: impl Fn(usize) -> &'r [&'r ProcessRecord],
) -> Result<(), RecordFault> {
    let (plan, reference) = (series.plan, of_arm(0));
    let seed = series.draw(lane, run + 1, phase + 1);
    let slots = series.slots(lane, run + 1, phase + 1);
    for arm in 0..series.arms.len() {
        let processes = of_arm(arm);
        for (record, same_startup) in processes.iter().zip(reference) {
            check_work(plan, record)?;
            check_footprint(plan, record)?;
            check_nodes(record, reference[0])?;
            check_draw(record, seed, same_startup, processes[0])?;
            let expected = slots.expected_count(arm, record.slots);
            if expected != Some(record.slots.count) {
                return Err(RecordFault::Slots { place: Place::of(record), found: record.slots, expected });
            }
        }
    }
    Ok(())
}

/// The workload was done and its totals add up.
fn check_work(plan: &Plan, record: &ProcessRecord) -> Result<(), RecordFault> {
    let place = || Place::of(record);
    if record.searches.len() != plan.workload.positions.len() {
        return Err(RecordFault::Searches {
            place: place(),
            found: record.searches.len(),
            expected: plan.workload.positions.len(),
        });
    }
    if let Some(at) = record.searches.iter().position(|s| s.cpu_ns == 0) {
        return Err(RecordFault::NoTime { place: place(), position: at + 1 });
    }
    let sum = |of: fn(&SearchRecord) -> u64| {
        let parts = record.searches.iter().map(of);
        parts.fold(0, u64::saturating_add)
    };
    for (what, found, expected) in
        [("nodes", record.nodes, sum(|s| s.nodes)), ("processor time (ns)", record.cpu_ns, sum(|s| s.cpu_ns))]
    {
        if found != expected {
            return Err(RecordFault::Total { place: place(), what, found, expected });
        }
    }
    if record.nodes == 0 {
        return Err(RecordFault::NoNodes { place: place() });
    }
    Ok(())
}

/// Memory and start-up time are there where the plan asks for losses.
fn check_footprint(plan: &Plan, record: &ProcessRecord) -> Result<(), RecordFault> {
    let is_whole = record.footprint.is_some_and(|found| found.peak_bytes > 0 && found.start_up_ns > 0);
    if plan.tolerance.is_some() && !is_whole {
        return Err(RecordFault::NoFootprint { place: Place::of(record) });
    }
    Ok(())
}

/// The same tree as the phase's first process.
fn check_nodes(record: &ProcessRecord, reference: &ProcessRecord) -> Result<(), RecordFault> {
    let pairs = record.searches.iter().zip(&reference.searches);
    for (position, (search, other)) in (1..).zip(pairs) {
        if search.nodes != other.nodes {
            return Err(RecordFault::Nodes {
                place: Place::of(record),
                position,
                found: search.nodes,
                expected: other.nodes,
                reference: reference.arm.clone(),
            });
        }
    }
    Ok(())
}

/// The layout that the plan draws, start-up and executable included.
fn check_draw(
    record: &ProcessRecord,
    seed: u64,
    same_startup: &ProcessRecord,
    same_executable: &ProcessRecord,
) -> Result<(), RecordFault> {
    let place = || Place::of(record);
    let draw = &record.draw;
    if draw.seed != seed {
        return Err(RecordFault::DrawSeed { place: place(), found: draw.seed, expected: seed });
    }
    let other = &same_startup.draw;
    for (what, found, expected) in [
        ("stack offset", draw.stack_offset, other.stack_offset),
        ("mapping offset", draw.mapping_offset, other.mapping_offset),
        ("heap offset", draw.heap_offset, other.heap_offset),
        ("table layout", draw.tables.map_or(0, u64::from), other.tables.map_or(0, u64::from)),
    ] {
        if found != expected {
            return Err(RecordFault::Startup { place: place(), what, found, expected });
        }
    }
    let expected = &same_executable.draw.executable_sha256;
    if draw.executable_sha256 != *expected {
        return Err(RecordFault::Executable {
            place: place(),
            found: draw.executable_sha256.clone(),
            expected: expected.clone(),
        });
    }
    Ok(())
}
