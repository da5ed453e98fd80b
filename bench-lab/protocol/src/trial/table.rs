//! The complete table of a trial's records.

use std::collections::HashMap;

use super::contents::{check_draw, check_nodes, check_work};
use super::{Place, RecordFault};
use crate::balance::check_balance;
use crate::plan::Plan;
use crate::record::ProcessRecord;
use crate::{PHASES, RUNS, seed};

/// Plan and records of a finished trial. Holding one means: the plan is well formed and balanced,
/// every process of the plan is recorded exactly once and nothing else is, and all of them agree
/// where the protocol says they must.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    plan: &'a Plan,
    /// By run, phase, lane, arm and process, the last running fastest.
    cells: Vec<&'a ProcessRecord>,
}

impl<'a> Trial<'a> {
    /// Puts the records, in whatever order, into the plan's table and checks them.
    ///
    /// # Errors
    /// The first fault: of the plan, then of places in the records' order, then of contents in
    /// the plan's order. Any fault makes the trial void.
    pub fn new(plan: &'a Plan, records: &'a [ProcessRecord]) -> Result<Self, RecordFault> {
        check_balance(plan)?;
        let trial = Trial { plan, cells: placed(plan, records)? };
        trial.check_contents()?;
        Ok(trial)
    }

    /// The plan.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The records of all processes of one arm in one phase; everything counted from 0, arm and
    /// lane as in the plan.
    ///
    /// # Panics
    /// When an index is not in the plan.
    pub fn processes(&self, lane: usize, run: usize, phase: usize, arm: usize) -> &[&'a ProcessRecord] {
        let start = index(self.plan, [run, phase, lane, arm, 0]);
        &self.cells[start..start + self.plan.measure.processes]
    }

    fn check_contents(&self) -> Result<(), RecordFault> {
        for run in 0..RUNS {
            for phase in 0..PHASES {
                for lane in 0..self.plan.lanes.len() {
                    self.check_phase(lane, run, phase)?;
                }
            }
        }
        Ok(())
    }

    fn check_phase(&self, lane: usize, run: usize, phase: usize) -> Result<(), RecordFault> {
        let name = &self.plan.lanes[lane].name;
        let seed = seed::draw(self.plan.layout.seed, name, run + 1, phase + 1);
        let reference = self.processes(lane, run, phase, 0);
        for arm in 0..self.plan.arms.len() {
            let processes = self.processes(lane, run, phase, arm);
            for (record, same_startup) in processes.iter().zip(reference) {
                check_work(self.plan, record)?;
                check_nodes(record, reference[0])?;
                check_draw(record, seed, same_startup, processes[0])?;
                let slots = &self.plan.runs[run].lanes[lane][phase];
                let expected = slots.expected_count(arm, record.slots);
                if expected != Some(record.slots.count) {
                    return Err(RecordFault::Slots {
                        place: Place::of(record),
                        found: record.slots,
                        expected,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Every record in its place, each place filled once.
fn placed<'a>(plan: &Plan, records: &'a [ProcessRecord]) -> Result<Vec<&'a ProcessRecord>, RecordFault> {
    let lanes: HashMap<&str, usize> = plan.lanes.iter().map(|l| l.name.as_str()).zip(0..).collect();
    let arms: HashMap<&str, usize> = plan.arms.iter().map(|a| a.name.as_str()).zip(0..).collect();
    let processes = plan.measure.processes;
    let size = RUNS * PHASES * lanes.len() * arms.len() * processes;
    let mut cells = vec![None; size];
    for record in records {
        let known = lanes.get(record.lane.as_str()).zip(arms.get(record.arm.as_str()));
        let numbered = (1..=RUNS).contains(&record.run)
            && (1..=PHASES).contains(&record.phase)
            && (1..=processes).contains(&record.process);
        let Some((&lane, &arm)) = known.filter(|_| numbered) else {
            let place = Place::of(record);
            return Err(RecordFault::NotPlanned { place });
        };
        let at = [record.run - 1, record.phase - 1, lane, arm, record.process - 1];
        if cells[index(plan, at)].replace(record).is_some() {
            let place = Place::of(record);
            return Err(RecordFault::Duplicate { place });
        }
    }
    let filled = cells
        .iter()
        .enumerate()
        .map(|(i, cell)| cell.ok_or_else(|| RecordFault::Missing { place: place_at(plan, i) }));
    filled.collect()
}

/// Where run, phase, lane, arm, process (from 0) stand in the table.
fn index(plan: &Plan, [run, phase, lane, arm, process]: [usize; 5]) -> usize {
    let phases = run * PHASES + phase;
    let lanes = phases * plan.lanes.len() + lane;
    (lanes * plan.arms.len() + arm) * plan.measure.processes + process
}

/// The inverse of [`index`].
fn place_at(plan: &Plan, mut index: usize) -> Place {
    let mut digit = |base: usize| {
        let digit = index % base;
        index /= base;
        digit
    };
    let process = digit(plan.measure.processes) + 1;
    let arm = plan.arms[digit(plan.arms.len())].name.clone();
    let lane = plan.lanes[digit(plan.lanes.len())].name.clone();
    let phase = digit(PHASES) + 1;
    let run = digit(RUNS) + 1;
    Place { run, phase, lane, arm, process }
}
