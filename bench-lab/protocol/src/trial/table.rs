//! The complete table of a trial's records.

use super::RecordFault;
use super::cells::{Cells, Shape};
use crate::balance::check_balance;
use crate::plan::Plan;
use crate::record::ProcessRecord;

/// Plan and records of a finished trial. Holding one means: the plan is well formed and balanced,
/// every process of the plan is recorded exactly once and nothing else is, and all of them agree
/// where the protocol says they must.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    plan: &'a Plan,
    cells: Cells<'a>,
}

impl<'a> Trial<'a> {
    /// Puts the records, in whatever order, into the plan's table and checks them.
    ///
    /// # Errors
    /// The first fault: of the plan, then of places in the records' order, then of contents in
    /// the plan's order. Any fault makes the trial void.
    pub fn new(plan: &'a Plan, records: &'a [ProcessRecord]) -> Result<Self, RecordFault> {
        check_balance(plan)?;
        let series = plan.series();
        let cells = Shape::of(&series).place(records)?;
        cells.check(&series)?;
        Ok(Trial { plan, cells })
    }

    /// The plan.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The records in their places; lanes and arms as in the plan.
    pub fn cells(&self) -> &Cells<'a> {
        &self.cells
    }

    /// The records of all processes of one arm in one phase; everything counted from 0, arm and
    /// lane as in the plan.
    ///
    /// # Panics
    /// When an index is not in the plan.
    pub fn processes(&self, lane: usize, run: usize, phase: usize, arm: usize) -> &[&'a ProcessRecord] {
        self.cells.processes(lane, run, phase, arm)
    }
}
