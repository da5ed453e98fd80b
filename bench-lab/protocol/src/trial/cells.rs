//! Records in a table: every process of every arm in its place, each place filled once.

use std::collections::HashMap;

use super::contents::check_phase;
use super::{Place, RecordFault};
use crate::RUNS;
use crate::plan::Series;
use crate::record::ProcessRecord;

/// What is measured: eight runs of some phases of some arms on every lane.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Names of the lanes.
    pub lanes: Vec<String>,
    /// Names of the arms.
    pub arms: Vec<String>,
    /// Phases of a run.
    pub phases: usize,
    /// Processes of an arm in a phase.
    pub processes: usize,
}

/// The records of a [`Shape`], complete.
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    shape: Shape,
    /// By run, phase, lane, arm and process, the last running fastest.
    cells: Vec<&'a ProcessRecord>,
}

impl Shape {
    /// What is measured in a series of phases.
    pub fn of(series: &Series<'_>) -> Shape {
        let plan = series.plan;
        Shape {
            lanes: plan.lanes.iter().map(|lane| lane.name.clone()).collect(),
            arms: series.arms.clone(),
            phases: series.phases,
            processes: plan.measure.processes,
        }
    }

    /// Puts the records, in whatever order, into their places.
    ///
    /// # Errors
    /// The first record that has no place or one that is taken, then the first place without a record.
    pub fn place<'a>(self, records: &'a [ProcessRecord]) -> Result<Cells<'a>, RecordFault> {
        let numbers =
            |names: &[String]| -> HashMap<String, usize> { names.iter().cloned().zip(0..).collect() };
        let (lanes, arms) = (numbers(&self.lanes), numbers(&self.arms));
        let mut cells = vec![None; RUNS * self.phases * lanes.len() * arms.len() * self.processes];
        for record in records {
            let known = lanes.get(&record.lane).zip(arms.get(&record.arm));
            let numbered = (1..=RUNS).contains(&record.run)
                && (1..=self.phases).contains(&record.phase)
                && (1..=self.processes).contains(&record.process);
            let Some((&lane, &arm)) = known.filter(|_| numbered) else {
                return Err(RecordFault::NotPlanned { place: Place::of(record) });
            };
            let at = [record.run - 1, record.phase - 1, lane, arm, record.process - 1];
            if cells[self.index(at)].replace(record).is_some() {
                return Err(RecordFault::Duplicate { place: Place::of(record) });
            }
        }
        let filled = cells
            .iter()
            .enumerate()
            .map(|(i, cell)| cell.ok_or_else(|| RecordFault::Missing { place: self.place_at(i) }));
        let cells = filled.collect::<Result<_, _>>()?;
        Ok(Cells { shape: self, cells })
    }

    /// Where run, phase, lane, arm, process (from 0) stand in the table.
    fn index(&self, [run, phase, lane, arm, process]: [usize; 5]) -> usize {
        let phases = run * self.phases + phase;
        let lanes = phases * self.lanes.len() + lane;
        (lanes * self.arms.len() + arm) * self.processes + process
    }

    /// The inverse of [`Shape::index`].
    fn place_at(&self, mut index: usize) -> Place {
        let mut digit = |base: usize| {
            let digit = index % base;
            index /= base;
            digit
        };
        let process = digit(self.processes) + 1;
        let arm = self.arms[digit(self.arms.len())].clone();
        let lane = self.lanes[digit(self.lanes.len())].clone();
        let phase = digit(self.phases) + 1;
        let run = digit(RUNS) + 1;
        Place { run, phase, lane, arm, process }
    }
}

impl<'a> Cells<'a> {
    /// What is measured.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The records of all processes of one arm in one phase; everything counted from 0.
    ///
    /// # Panics
    /// When an index is not in the shape.
    pub fn processes(&self, lane: usize, run: usize, phase: usize, arm: usize) -> &[&'a ProcessRecord] {
        let start = self.shape.index([run, phase, lane, arm, 0]);
        &self.cells[start..start + self.shape.processes]
    }

    /// Checks every record by itself and beside the others of its phase.
    ///
    /// # Errors
    /// The first fault in the plan's order.
    pub(crate) fn check(&self, series: &Series<'_>) -> Result<(), RecordFault> {
        for run in 0..RUNS {
            for phase in 0..self.shape.phases {
                for lane in 0..self.shape.lanes.len() {
                    check_phase(series, [lane, run, phase], |arm| self.processes(lane, run, phase, arm))?;
                }
            }
        }
        Ok(())
    }
}
