//! A finished trial: the plan and its records, complete and consistent.

mod contents;
mod fault;
mod table;

pub use fault::{Place, RecordFault};
pub use table::Trial;
