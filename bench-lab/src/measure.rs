//! Measuring one phase: all its arms live at once on one core, exactly one of them running, in turn.

pub mod cores;
pub mod phase;

mod slots;
mod worker;

pub use phase::{PhaseJob, ProcessMeasurement, run_phase};
