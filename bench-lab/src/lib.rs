//! The lab: bundles, builds, UCI arms, clocks, the plan and the trial.
//!
//! Data flows one way, each stage taking the previous stage's value: bundle → arms → plan →
//! phases → verdict → report.

pub mod aa;
pub mod ahead;
pub mod arm;
mod background;
pub mod builds;
pub mod bundle;
pub mod calibrate;
pub mod cancel;
pub mod candidate;
pub mod commands;
pub mod compare;
pub mod diagnostics;
pub mod doctor;
pub mod draws;
pub mod exit;
pub mod fault;
pub mod fixed;
pub mod folder;
pub mod gate;
pub mod hash;
pub mod identity;
pub mod idle;
pub mod lanes;
pub mod locks;
pub mod machine;
pub mod measure;
pub mod notes;
pub mod pause;
pub mod phases;
pub mod plan_maker;
pub mod planned;
pub mod progress;
pub mod register;
pub mod signals;
pub mod spread;
pub mod subject;
pub mod sweep;
pub mod trial;
pub mod vigil;

mod columns;
pub mod memory;
mod output;
mod room;

pub use cancel::Cancel;
pub use fault::Fault;
pub use pause::Pause;
