//! The records: every line in its place, and everything in it that follows from something else.

use std::collections::BTreeSet;

use super::{Misfit, RECORDS, plan};
use crate::RUNS;
use crate::lines::{self, LineFault};
use crate::plan::{Plan, Series};
use crate::record::ProcessRecord;
use crate::trial::{Place, RecordFault, Trial};

/// Reads the records and checks them against the plan.
pub(super) fn read(plan: &Plan, bytes: &[u8]) -> Result<Vec<ProcessRecord>, Misfit> {
    let records = parsed(RECORDS, bytes)?;
    whole(plan, &records)?;
    Trial::new(plan, &records).map_err(|fault| misfit(RECORDS, &fault, &records))?;
    first_slots(RECORDS, &plan.series(), &records)?;
    Ok(records)
}

/// Every record of the trial is there and in its place.
pub(super) fn whole(plan: &Plan, records: &[ProcessRecord]) -> Result<(), Misfit> {
    match places(RECORDS, &plan.series(), records)? {
        Some(missing) => Err(cut_short(RECORDS, records, &missing)),
        None => Ok(()),
    }
}

/// The lines of a file of records.
pub(super) fn parsed(file: &str, bytes: &[u8]) -> Result<Vec<ProcessRecord>, Misfit> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let line = bytes[..e.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Misfit::line(file, line, "found bytes that are not UTF-8, expected a record")
    })?;
    lines::read(text).map_err(|fault| match fault {
        LineFault::NotARecord { line, found } => {
            Misfit::line(file, line, format!("{found}; expected a record"))
        }
        LineFault::Torn { line } => {
            Misfit::line(file, line, "found no newline at its end, expected whole lines")
        }
    })
}

/// A fault of the records, in the line that it is found in.
pub(super) fn misfit(file: &str, fault: &RecordFault, records: &[ProcessRecord]) -> Misfit {
    if let RecordFault::Plan(fault) = fault {
        return plan::misfit(fault);
    }
    let line = fault.place().and_then(|place| records.iter().position(|record| Place::of(record) == *place));
    match line {
        Some(line) => Misfit::line(file, line + 1, fault),
        None => Misfit::file(file, fault),
    }
}

/// A file that ends too early.
pub(super) fn cut_short(file: &str, records: &[ProcessRecord], missing: &Place) -> Misfit {
    Misfit::line(file, records.len() + 1, format!("found the end, expected {missing}"))
}

/// Every process of a series has one line, in the order in which the lab measures: by run and phase, the lanes of a phase
/// one after another, the processes of a lane by their number and then by arm. Gives the first process behind the last
/// line, if there should be one.
pub(super) fn places(
    file: &str,
    series: &Series<'_>,
    records: &[ProcessRecord],
) -> Result<Option<Place>, Misfit> {
    let plan = series.plan;
    let lanes: BTreeSet<&str> = plan.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let mut rest = (1..).zip(records);
    for (run, phase) in (1..=RUNS).flat_map(|run| (1..=series.phases).map(move |phase| (run, phase))) {
        let mut left = lanes.clone();
        while !left.is_empty() {
            // Lanes may be measured in any order, each of them whole.
            let next = rest.clone().next().map(|(_, record)| record.lane.as_str());
            let first = left.first().copied().unwrap_or_default();
            let lane = next.and_then(|next| left.get(next).copied()).unwrap_or(first);
            left.remove(lane);
            for process in 1..=plan.measure.processes {
                for arm in &series.arms {
                    let (lane, arm) = (lane.to_owned(), arm.clone());
                    let expected = Place { run, phase, lane, arm, process };
                    let Some((line, record)) = rest.next() else { return Ok(Some(expected)) };
                    let found = Place::of(record);
                    if found != expected {
                        let what = format!("found {found}, expected {expected}");
                        return Err(Misfit::line(file, line, what));
                    }
                }
            }
        }
    }
    match rest.next() {
        Some((line, record)) => {
            Err(Misfit::line(file, line, format!("found {}, expected the end", Place::of(record))))
        }
        None => Ok(None),
    }
}

/// Every process begins in the first slot that the slot plan gives to its arm.
pub(super) fn first_slots(file: &str, series: &Series<'_>, records: &[ProcessRecord]) -> Result<(), Misfit> {
    for (line, record) in (1..).zip(records) {
        let lane = series.plan.lanes.iter().position(|lane| lane.name == record.lane).unwrap_or_default();
        let arm = series.arms.iter().position(|arm| *arm == record.arm).unwrap_or_default();
        let expected = series.slots(lane, record.run, record.phase).nth_slot(arm, 0).unwrap_or_default();
        if record.slots.first != expected {
            let what = format!(
                "{}: first slot {}, expected {expected}, the arm's first in the plan",
                Place::of(record),
                record.slots.first
            );
            return Err(Misfit::line(file, line, what));
        }
    }
    Ok(())
}
