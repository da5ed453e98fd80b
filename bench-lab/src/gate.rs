//! Gates for CI: has a commit lost something against what was recorded, or against its base?
//!
//! Four questions, each of which gives rows; every row is in one of four states, and all rows together give the exit
//! code. What is measured is apart from what is judged: a question only brings numbers, and limits judge them here.

pub mod answer;
pub mod ask;
pub mod baseline;
pub mod file;
pub mod instructions;
pub mod limits;
pub mod outcome;
pub mod outputs;
pub mod question;
pub mod report;
pub mod row;
pub mod size;
pub mod speed;
pub mod state;
pub mod tree;

pub use answer::{Answer, Detail, Side, Value};
pub use baseline::{Baseline, Count, Entry};
pub use file::GateFile;
pub use limits::{Bound, Limits};
pub use outcome::Outcome;
pub use question::Question;
pub use report::Report;
pub use row::{Measured, Place, Row, Unit};
pub use state::State;
