//! The lab: bundles, builds, UCI arms, clocks, the plan and the trial.
//!
//! Data flows one way, each stage taking the previous stage's value: bundle → arms → plan →
//! phases → verdict → report.

pub mod arm;
pub mod bundle;
pub mod calibrate;
pub mod cancel;
pub mod exit;
pub mod fault;
pub mod hash;
pub mod identity;
pub mod machine;
pub mod measure;

pub use cancel::Cancel;
pub use fault::Fault;
