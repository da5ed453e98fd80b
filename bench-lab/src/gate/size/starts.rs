//! Starts of both engines in turn: time to `uciok`, memory at `readyok`.

use std::thread;

use protocol::plan::Lane;

use super::super::ask::{Asked, Engine};
use crate::arm::session::{self, Limits};
use crate::arm::{ArmImage, ArmProcess};
use crate::commands::Failure;
use crate::fault::Fault;
use crate::measure::cores;
use crate::vigil::Vigil;

/// What one start took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Nanoseconds from the start to `uciok`.
    pub time: f64,
    /// Bytes of resident memory at most until `readyok`.
    pub memory: f64,
}

/// Why there are no starts.
pub enum Broken {
    /// An engine, or the machine.
    Fault(Box<Fault>),
    /// What was asked cannot be done.
    Failure(Box<Failure>),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Broken {
        Broken::Fault(Box::new(fault))
    }
}

/// Rounds that are thrown away: the first start of a file reads it from the disk.
const WARM_UP: usize = 1;

/// Every order of three: each stands equally often in each place, and follows each other one equally often.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1], [1, 0, 2]];

/// So many starts of the base, of the head, and of the base once more: the difference between the first and the last is
/// what this machine makes of no difference.
pub fn measure(asked: &Asked<'_>, base: &Engine, rounds: usize) -> Result<[Vec<Start>; 3], Broken> {
    let lane = asked.lane().map_err(|failure| Broken::Failure(Box::new(failure)))?;
    asked.progress.step("starting both engines in turn");
    // On a thread of its own, which leaves the core to the engines; everything else of the gate stays where it was.
    let measured = thread::scope(|scope| {
        let measuring = scope.spawn(|| {
            cores::leave(asked.core, &[asked.core])?;
            in_turn(asked, [base, asked.head, base], &lane, rounds)
        });
        measuring.join().unwrap_or_else(|_| Err(Fault::Job("the measuring thread panicked".to_owned())))
    });
    Ok(measured?)
}

fn in_turn(
    asked: &Asked<'_>,
    engines: [&Engine; 3],
    lane: &Lane,
    rounds: usize,
) -> Result<[Vec<Start>; 3], Fault> {
    let mut starts: [Vec<Start>; 3] = Default::default();
    let mut pieces = asked.progress.pieces(WARM_UP + rounds);
    let vigil = Vigil::begin()?;
    for round in 0..WARM_UP + rounds {
        pieces.at(round, "starts");
        for which in ORDERS[round % ORDERS.len()] {
            asked.cancel.check()?;
            let start = start(asked, engines[which], lane)?;
            if round >= WARM_UP {
                starts[which].push(start);
            }
        }
        vigil.check()?;
    }
    Ok(starts)
}

fn start(asked: &Asked<'_>, engine: &Engine, lane: &Lane) -> Result<Start, Fault> {
    let limits = Limits { start: asked.file.engine.patience, ..Limits::default() };
    let image = ArmImage::plain(&engine.name, &engine.executable);
    let mut process = ArmProcess::spawn(&image, &[], Some(asked.core), asked.scratch, "gate, start-up")?;
    session::get_ready(&mut process, lane, &limits, asked.cancel)?;
    let time = process.identified().unwrap_or_default().as_nanos() as f64;
    let memory = process.peak_memory()? as f64;
    session::quit(vec![process], &limits)?;
    Ok(Start { time, memory })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_balanced() {
        for which in 0..3 {
            for place in 0..3 {
                assert_eq!(ORDERS.iter().filter(|order| order[place] == which).count(), 2);
            }
            for other in (0..3).filter(|&other| other != which) {
                let follows = |order: &&[usize; 3]| order.windows(2).any(|pair| pair == [which, other]);
                assert_eq!(ORDERS.iter().filter(follows).count(), 2, "{which} before {other}");
            }
        }
    }
}
