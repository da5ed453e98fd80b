//! What follows from the readings: one pure function for each thing, with its limits.
//!
//! Costs that cannot be measured from outside are typical figures; docs/daily.md has their sources.

pub mod clock;
pub mod company;
pub mod memory;
pub mod system;

#[cfg(test)]
mod tests;
