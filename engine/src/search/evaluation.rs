//! The value of a position in the search: the net's, scaled by material, damped by the fifty-move clock.

use super::Searcher;
use super::entry::{Known, NO_VALUE};
use crate::nnue::scaled;
use crate::position::Position;

/// A static value in its two forms.
#[derive(Clone, Copy)]
pub struct StaticValue {
    /// As the table keeps it: the same for every fifty-move clock. [`NO_VALUE`] in check.
    pub raw: i32,
    /// As the search uses it. [`NO_VALUE`] in check.
    pub damped: i32,
}

/// Values fall toward the draw as the clock runs.
pub fn damp(value: i32, halfmove_clock: u16) -> i32 {
    value * (208 - i32::from(halfmove_clock.min(100))) / 208
}

impl Searcher {
    /// The static value, from the table where it is known.
    pub(super) fn static_value(&mut self, position: &Position, known: Option<&Known>) -> StaticValue {
        if !position.checkers().is_empty() {
            return StaticValue { raw: NO_VALUE, damped: NO_VALUE };
        }
        let raw = match known {
            Some(known) if known.value != NO_VALUE => known.value,
            _ => self.scaled(position),
        };
        StaticValue { raw, damped: damp(raw, position.halfmove_clock()) }
    }

    /// The value where a line must end, in check or not.
    pub(super) fn last_value(&mut self, position: &Position) -> i32 {
        damp(self.scaled(position), position.halfmove_clock())
    }

    fn scaled(&mut self, position: &Position) -> i32 {
        scaled(self.evaluator.evaluate(position), position)
    }
}

#[cfg(test)]
mod tests {
    use super::damp;

    #[test]
    fn values_shrink_with_the_clock() {
        for (value, clock, expected) in
            [(208, 0, 208), (208, 8, 200), (-208, 50, -158), (208, 100, 108), (208, 900, 108), (-1, 1, 0)]
        {
            assert_eq!(damp(value, clock), expected, "{value} at {clock}");
        }
    }
}
