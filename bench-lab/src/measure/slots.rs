//! The slots: exactly one process runs at a time, in the order of the slot plan, until all arms have done
//! their work.

use std::time::{Duration, Instant};

use super::phase::PhaseJob;
use super::worker::{Agreement, Worker};
use crate::cancel::Cancel;
use crate::fault::Fault;

/// Runs the slot plan over `workers` (one for every arm, stopped, in the arms' order) from its first row,
/// again and again, until the last worker is done.
///
/// All arms begin a position together: who has searched it waits for the others, and `filler`, which
/// only runs to be there, takes the slots of those who wait. So a slow spell of the machine meets all
/// arms in the same position, however their speeds differ, and the last arm of a position runs in the
/// same company as the first.
///
/// The next process is continued before the current one is stopped, so that the core is never idle:
/// waking an idle core costs more than the moment in which two may run.
pub(super) fn run<'a>(
    workers: &mut [Worker<'a>],
    filler: &mut Worker<'a>,
    job: &PhaseJob<'_>,
    agreement: &mut Agreement,
    cancel: &Cancel,
) -> Result<(), Fault> {
    let slice = Duration::from_micros(job.measure.slice_us);
    let order = job.slots.rows.iter().flatten().copied();
    let mut current: Option<Holder> = None;
    for (slot, arm) in (0..).zip(order.cycle()) {
        workers[arm].have_slot(slot);
        let holder = if workers[arm].is_waiting() { Holder::Filler } else { Holder::Arm(arm) };
        holder.of(workers, filler).resume()?;
        let begin = Instant::now();
        if let Some(previous) = current.replace(holder)
            && previous != holder
        {
            previous.of(workers, filler).stop()?;
        }
        let until = begin + slice;
        while Instant::now() < until {
            holder.of(workers, filler).serve(until, agreement)?;
            if workers.iter().all(Worker::is_waiting) {
                if workers.iter().all(Worker::is_done) {
                    return Ok(());
                }
                for worker in workers.iter_mut() {
                    worker.go_on()?;
                }
            } else if holder.of(workers, filler).is_waiting() {
                // The rest of the slot would be idle.
                break;
            }
        }
        holder.of(workers, filler).ran(begin.elapsed())?;
        cancel.check()?;
    }
    Err(Fault::Job("the slot plan is empty".to_owned()))
}

/// Who runs in a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// The arm whose slot it is.
    Arm(usize),
    /// The filler, because the arm waits.
    Filler,
}

impl Holder {
    fn of<'w, 'a>(self, workers: &'w mut [Worker<'a>], filler: &'w mut Worker<'a>) -> &'w mut Worker<'a> {
        match self {
            Holder::Arm(arm) => &mut workers[arm],
            Holder::Filler => filler,
        }
    }
}
