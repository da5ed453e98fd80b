//! A finished trial: the plan and its records, complete and consistent.

mod cells;
mod contents;
mod fault;
mod table;

pub use cells::{Cells, Shape};
pub(crate) use contents::check_phase;
pub use fault::{Place, RecordFault};
pub use table::Trial;
