//! Measuring one phase: all its arms live at once on one core, exactly one of them running, in turn.

pub mod cores;
pub mod gate;
pub mod phase;
pub mod stages;

mod slots;
mod start;
mod worker;

pub use gate::{Gate, Pass};
pub use phase::{PhaseJob, ProcessMeasurement, run_phase, run_phase_of_trees, run_phase_timed};
pub use stages::{Stage, StageClock};
