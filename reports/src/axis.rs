//! One axis: from values to pixels, and round tick values.

use plotters::coord::ranged1d::{BoldPoints, Ranged};
use plotters::coord::types::RangedCoordf64;

use crate::words::signed_digits;

/// A linear axis.
pub struct Axis {
    coord: RangedCoordf64,
    pixels: (i32, i32),
}

impl Axis {
    /// An axis over `values` (widened by a little, and never empty) between two pixels.
    pub fn new(values: impl IntoIterator<Item = f64>, pixels: (i32, i32)) -> Self {
        let (low, high) = values
            .into_iter()
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let pad = ((high - low) * 0.04).max(0.05);
        Self { coord: (low - pad..high + pad).into(), pixels }
    }

    /// An axis over exactly this range.
    pub fn exact(low: f64, high: f64, pixels: (i32, i32)) -> Self {
        Self { coord: (low..high).into(), pixels }
    }

    /// Pixel of a value.
    pub fn at(&self, value: f64) -> i32 {
        self.coord.map(&value, self.pixels)
    }

    /// At most `most` round values with their labels.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let values = self.coord.key_points(BoldPoints(most));
        let step = values.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let digits = if step > 0.99 {
            0
        } else if step > 0.099 {
            1
        } else {
            2
        };
        // Sums of steps miss zero by a hair.
        let exact = |value: f64| if value.abs() < step / 1000.0 { 0.0 } else { value };
        values.into_iter().map(exact).map(|value| (value, signed_digits(value, digits))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_all_values_and_survives_none() {
        let axis = Axis::new([-1.0, 3.0, f64::NAN], (0, 100));
        assert!(axis.at(-1.0) > 0 && axis.at(3.0) < 100);
        assert!(Axis::new([], (0, 100)).at(0.0) > 0);
    }

    #[test]
    fn ticks_are_round() {
        let labels: Vec<String> =
            Axis::exact(-0.5, 2.5, (0, 300)).ticks(4).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["0", "+1", "+2"]);
    }
}
