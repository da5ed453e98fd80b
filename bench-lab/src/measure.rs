//! Measuring one phase: all its arms live at once on one core, exactly one of them running, in turn. Several lanes may do
//! so at once, each on a core of its own.

pub mod cores;
pub mod gate;
pub mod phase;
pub mod stages;

mod slots;
mod start;
mod together;
mod worker;

pub use gate::{Gate, Pass};
pub use phase::{
    PhaseJob, ProcessMeasurement, run_clocked, run_phase, run_phase_of_trees, run_phase_timed, run_phases,
};
pub use stages::{Stage, StageClock};
