//! The leave-one-out protocol, free of I/O.
//!
//! Data flows one way: a [`Plan`] fixes everything, the driver measures and appends
//! [`ProcessRecord`]s, and [`Verdict`] is a pure function of the two.

pub mod plan;
pub mod record;
pub mod verdict;

pub use plan::Plan;
pub use record::ProcessRecord;
pub use verdict::Verdict;

/// Runs of a trial.
pub const RUNS: usize = 8;
/// Phases of a run.
pub const PHASES: usize = 12;
/// Run values above zero that a component needs, of [`RUNS`].
pub const POSITIVE_RUNS: usize = 7;
/// Largest distance, in percentage points, of a phase value from the median of its run and lane.
pub const MAX_DEVIATION: f64 = 2.0;
