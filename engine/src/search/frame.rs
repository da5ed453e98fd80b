//! What a node leaves for its descendants.

use super::entry::NO_VALUE;
use super::history::Previous;
use super::line::Line;

/// One ply of the line being searched.
#[derive(Clone)]
pub struct Frame {
    /// The principal variation from here on.
    pub line: Line,
    /// The static value, or [`NO_VALUE`] in check.
    pub value: i32,
    /// The move that led here; `None` after a null move and at the root.
    pub previous: Previous,
    /// A null move led here.
    pub after_null: bool,
}

impl Default for Frame {
    fn default() -> Self {
        Self { line: Line::default(), value: NO_VALUE, previous: None, after_null: false }
    }
}
