//! Fresh processes: copied, started, greeted and idle.

use std::sync::mpsc;
use std::thread;

use super::phase::PhaseJob;
use super::stages::{Stage, StageClock};
use crate::arm::copy::FreshCopy;
use crate::arm::session;
use crate::arm::{ArmImage, ArmProcess};
use crate::cancel::Cancel;
use crate::fault::Fault;

/// One process of every image, started in this order on the lane's core, and idle.
///
/// The calling thread starts them (they end with it). The copies are made meanwhile on a thread beside
/// it, in the same order, so that the next one is copied while one greets on the lane's core. Those that are
/// `leaving` end meanwhile.
pub(super) fn fresh(
    images: &[&ArmImage],
    job: &PhaseJob<'_>,
    place: &str,
    leaving: &mut Vec<ArmProcess>,
    clock: &mut StageClock,
    cancel: &Cancel,
) -> Result<Vec<ArmProcess>, Fault> {
    let mut living = Vec::with_capacity(images.len());
    thread::scope(|scope| {
        let (made, copies) = mpsc::channel();
        scope.spawn(move || {
            for image in images {
                let copy = FreshCopy::of(image, job.scratch);
                // Without a copy, or without anybody who wants it, there is no need for the others.
                if copy.is_err() | made.send(copy).is_err() {
                    break;
                }
            }
        });
        for image in images {
            cancel.check()?;
            clock.enter(Stage::Copying);
            let copy = copies.recv().unwrap_or_else(|_| {
                Err(Fault::Job(format!("{place}: the thread that copies executables panicked")))
            })?;
            clock.enter(Stage::Starting);
            let mut process = ArmProcess::spawn_copy(image, copy, &[], Some(job.lane.core), place)?;
            session::handshake(&mut process, job.lane, &job.limits, cancel)?;
            living.push(process);
        }
        Ok(())
    })?;
    clock.enter(Stage::Ending);
    session::wait_gone(std::mem::take(leaving), &job.limits)?;
    clock.enter(Stage::Settling);
    session::wait_idle(living.iter_mut(), &job.limits, cancel)?;
    Ok(living)
}
