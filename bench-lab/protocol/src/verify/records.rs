//! The records: every line in its place, and everything in it that follows from something else.

use std::collections::BTreeSet;

use super::{Misfit, RECORDS, plan};
use crate::lines::{self, LineFault};
use crate::plan::Plan;
use crate::record::ProcessRecord;
use crate::trial::{Place, RecordFault, Trial};
use crate::{PHASES, RUNS};

/// Reads the records and checks them against the plan.
pub(super) fn read(plan: &Plan, bytes: &[u8]) -> Result<Vec<ProcessRecord>, Misfit> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let line = bytes[..e.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Misfit::line(RECORDS, line, "found bytes that are not UTF-8, expected a record")
    })?;
    let records = lines::read(text).map_err(|fault| match fault {
        LineFault::NotARecord { line, found } => {
            Misfit::line(RECORDS, line, format!("{found}; expected a record"))
        }
        LineFault::Torn { line } => {
            Misfit::line(RECORDS, line, "found no newline at its end, expected whole lines")
        }
    })?;
    places(plan, &records)?;
    Trial::new(plan, &records).map_err(|fault| misfit(&fault, &records))?;
    first_slots(plan, &records)?;
    Ok(records)
}

/// A fault of the records, in the line that it is found in.
pub(super) fn misfit(fault: &RecordFault, records: &[ProcessRecord]) -> Misfit {
    if let RecordFault::Plan(fault) = fault {
        return plan::misfit(fault);
    }
    let line = fault.place().and_then(|place| records.iter().position(|record| Place::of(record) == *place));
    match line {
        Some(line) => Misfit::line(RECORDS, line + 1, fault),
        None => Misfit::file(RECORDS, fault),
    }
}

/// Every process of the plan has one line, in the order in which the lab measures: by run and phase, the lanes of a phase one
/// after another, the processes of a lane by their number and then by arm.
fn places(plan: &Plan, records: &[ProcessRecord]) -> Result<(), Misfit> {
    let lanes: BTreeSet<&str> = plan.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let mut rest = (1..).zip(records);
    for (run, phase) in (1..=RUNS).flat_map(|run| (1..=PHASES).map(move |phase| (run, phase))) {
        let mut left = lanes.clone();
        while !left.is_empty() {
            // Lanes may be measured in any order, each of them whole.
            let next = rest.clone().next().map(|(_, record)| record.lane.as_str());
            let first = left.first().copied().unwrap_or_default();
            let lane = next.and_then(|next| left.get(next).copied()).unwrap_or(first);
            left.remove(lane);
            for process in 1..=plan.measure.processes {
                for arm in &plan.arms {
                    let (lane, arm) = (lane.to_owned(), arm.name.clone());
                    let expected = Place { run, phase, lane, arm, process };
                    let Some((line, record)) = rest.next() else {
                        let line = records.len() + 1;
                        return Err(Misfit::line(
                            RECORDS,
                            line,
                            format!("found the end, expected {expected}"),
                        ));
                    };
                    let found = Place::of(record);
                    if found != expected {
                        let what = format!("found {found}, expected {expected}");
                        return Err(Misfit::line(RECORDS, line, what));
                    }
                }
            }
        }
    }
    match rest.next() {
        Some((line, record)) => {
            Err(Misfit::line(RECORDS, line, format!("found {}, expected the end", Place::of(record))))
        }
        None => Ok(()),
    }
}

/// Every process begins in the first slot that the slot plan gives to its arm.
fn first_slots(plan: &Plan, records: &[ProcessRecord]) -> Result<(), Misfit> {
    for (line, record) in (1..).zip(records) {
        let lane = plan.lanes.iter().position(|lane| lane.name == record.lane).unwrap_or_default();
        let arm = plan.arms.iter().position(|arm| arm.name == record.arm).unwrap_or_default();
        let slots = &plan.runs[record.run - 1].lanes[lane][record.phase - 1];
        let expected = slots.nth_slot(arm, 0).unwrap_or_default();
        if record.slots.first != expected {
            let what = format!(
                "{}: first slot {}, expected {expected}, the arm's first in the plan",
                Place::of(record),
                record.slots.first
            );
            return Err(Misfit::line(RECORDS, line, what));
        }
    }
    Ok(())
}
