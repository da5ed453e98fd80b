//! The slots: exactly one arm runs at a time, in the order of the slot plan, until all have done their
//! work.

use std::time::{Duration, Instant};

use super::phase::PhaseJob;
use super::worker::{Agreement, Worker};
use crate::cancel::Cancel;
use crate::fault::Fault;

/// Runs the slot plan over `workers` (one for every arm, stopped, in the arms' order) from its first row,
/// again and again, until the last worker is done.
///
/// The next arm is continued before the current one is stopped, so that the core is never idle: waking an
/// idle core costs more than the moment in which two arms may run.
pub(super) fn run(
    workers: &mut [Worker<'_>],
    job: &PhaseJob<'_>,
    agreement: &mut Agreement,
    cancel: &Cancel,
) -> Result<(), Fault> {
    let slice = Duration::from_micros(job.measure.slice_us);
    let order = job.slots.rows.iter().flatten().copied();
    let mut current: Option<usize> = None;
    for (slot, arm) in (0..).zip(order.cycle()) {
        workers[arm].enter(slot)?;
        let begin = Instant::now();
        if let Some(previous) = current.replace(arm)
            && previous != arm
        {
            workers[previous].stop()?;
        }
        let until = begin + slice;
        while Instant::now() < until {
            workers[arm].serve(until, agreement)?;
            if workers.iter().all(Worker::is_done) {
                return Ok(());
            }
        }
        workers[arm].ran(begin.elapsed())?;
        cancel.check()?;
    }
    Err(Fault::Job("the slot plan is empty".to_owned()))
}
