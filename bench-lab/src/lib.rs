//! The lab: bundles, builds, UCI arms, clocks, the plan and the trial.
//!
//! Data flows one way, each stage taking the previous stage's value: bundle → arms → plan →
//! phases → verdict → report.

pub mod bundle;
pub mod exit;
pub mod hash;
