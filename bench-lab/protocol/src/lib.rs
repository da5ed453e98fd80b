//! The leave-one-out protocol, free of I/O.
//!
//! Data flows one way: a [`Plan`] fixes everything, the driver measures and appends
//! [`ProcessRecord`]s, and [`Verdict`] is a pure function of the two.
//!
//! | step | where |
//! |---|---|
//! | who runs when | [`schedule::draw`], proved by [`balance::check_balance`] |
//! | what everything random hangs on | [`seed`] |
//! | the plan's id | [`canonical::plan_id`] |
//! | how noisy the lane is | [`calibration`] |
//! | records, complete and consistent | [`lines`], [`Trial::new`] |
//! | phase and run values | [`values`] |
//! | what was lost for it | [`losses`] |
//! | the verdict | [`judge()`] |
//! | a trial, believed in nothing | [`verify()`](verify::verify) |
//! | what became of every plan | [`register`] |
//! | components removed together, beside the verdict | [`diagnostics`] |
//! | what it would take to resolve a component | [`outlook`] |
//! | whether the machine slept | [`clocks`] |
//! | where the scatter comes from | [`scatter`] |
//! | one executable in many layouts | [`sweep`] |
//! | two builds compared, without a verdict | [`compare`] |
//! | trials that never ran, for tests | [`synthetic`] |
//! | how often the rules are right | [`simulation`] |

pub mod balance;
pub mod binomial;
pub mod calibration;
pub mod canonical;
pub mod clocks;
pub mod compare;
pub mod diagnostics;
pub mod judge;
pub mod lines;
pub mod losses;
mod misread;
pub mod outlook;
pub mod plan;
pub mod record;
pub mod register;
pub mod scatter;
pub mod schedule;
pub mod seed;
pub mod sign_test;
pub mod simulation;
pub mod slots;
pub mod statistics;
pub mod sweep;
pub mod synthetic;
pub mod trial;
pub mod values;
pub mod verdict;
pub mod verify;

pub use balance::{Balance, balance, check_balance};
pub use canonical::plan_id;
pub use judge::judge;
pub use plan::{Plan, PlanFault};
pub use record::ProcessRecord;
pub use trial::{RecordFault, Trial};
pub use verdict::Verdict;

/// Runs of a trial.
pub const RUNS: usize = 8;
/// Phases of a run.
pub const PHASES: usize = 12;
/// Run values above zero that a component needs, of [`RUNS`].
pub const POSITIVE_RUNS: usize = 7;
/// Largest distance, in percentage points, of a phase value from the median of its run and lane.
pub const MAX_DEVIATION: f64 = 2.0;
/// Version of the rules that judge a new trial: schedule checks, values, losses and verdict. A plan names its own;
/// version 2 knew no losses.
pub const EVALUATOR: u32 = 3;
