//! The benchmarks' one door to the engine's inside: ready-made work for its parts. Nothing that plays uses it, and
//! nothing here is promised to stay.

pub use crate::nnue::measure::{Game, Heads, Pairs, Reads, Step, Traffic, Updates, Walk, games, moves};
pub use crate::search::entry::{Bound, Known};
pub use crate::search::table::Table;
