//! What the net sees of a position: piece features and threat pairs, as row numbers of each view.

pub mod delta;
pub mod list;
pub mod pairs;
pub mod threats;
pub mod view;
