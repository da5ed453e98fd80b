//! The proof that no sum of a net leaves its integer type.
//!
//! The accumulators hold row sums in 16 bits, counted from a zero point per neuron that lies in the
//! middle of conservative bounds of the sum. Additions wrap, so only the final sum has to fit.

mod layers;
mod pieces;
mod threats;

pub(super) use layers::{Layers, fits, prove_layers};
pub(super) use pieces::piece_bounds;
pub(super) use threats::threat_bounds;

use super::error::Refusal;

/// A side has at most this many pieces apart from its king.
const PIECES: usize = 15;

/// Bounds of a sum for every neuron.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: Vec<i32>,
    pub high: Vec<i32>,
}

impl Bounds {
    fn zero(width: usize) -> Self {
        Self { low: vec![0; width], high: vec![0; width] }
    }

    /// Adds `rows`' extremes, given as 16-bit values.
    fn add(&mut self, extremes: &Extremes) {
        for (sum, &value) in self.low.iter_mut().zip(&extremes.low) {
            *sum += i32::from(value);
        }
        for (sum, &value) in self.high.iter_mut().zip(&extremes.high) {
            *sum += i32::from(value);
        }
    }

    /// Widens these bounds to hold `other`'s too.
    fn unite(&mut self, other: &Self) {
        for (a, &b) in self.low.iter_mut().zip(&other.low) {
            *a = (*a).min(b);
        }
        for (a, &b) in self.high.iter_mut().zip(&other.high) {
            *a = (*a).max(b);
        }
    }

    /// The zero points, or the first neuron whose bounds are too far apart.
    pub fn zero_points(&self, part: &str) -> Result<Vec<i32>, Refusal> {
        let (least, most) = (i64::from(i16::MIN), i64::from(i16::MAX));
        let mut points = Vec::with_capacity(self.low.len());
        for (neuron, (&low, &high)) in self.low.iter().zip(&self.high).enumerate() {
            let (low, high) = (i64::from(low), i64::from(high));
            let middle = (low + high + 1).div_euclid(2);
            if low - middle < least || high - middle > most {
                return Err(Refusal::Overflow {
                    place: format!("the {part} accumulator, neuron {neuron}"),
                    allowed: format!("{} of its bounds", most - least),
                    found: format!("{low} to {high}"),
                });
            }
            points.push(middle as i32);
        }
        Ok(points)
    }
}

/// Least and greatest value of every neuron over some rows, in 16 bits so that it vectorises.
struct Extremes {
    low: Vec<i16>,
    high: Vec<i16>,
}

impl Extremes {
    fn new(width: usize) -> Self {
        Self { low: vec![0; width], high: vec![0; width] }
    }

    /// Starts anew from "no row", a sum of zero.
    fn clear(&mut self) {
        self.low.fill(0);
        self.high.fill(0);
    }

    /// Starts anew from one row that must be there.
    fn start(&mut self, row: &[i16]) {
        self.low.copy_from_slice(row);
        self.high.copy_from_slice(row);
    }

    fn include(&mut self, row: &[i16]) {
        for ((low, high), &value) in self.low.iter_mut().zip(&mut self.high).zip(row) {
            *low = (*low).min(value);
            *high = (*high).max(value);
        }
    }
}

/// Greatest sum of at most [`PIECES`] of the values, each taken as at least zero.
fn greatest_sum(values: &mut [i32; 64]) -> i32 {
    values.sort_unstable_by(|a, b| b.cmp(a));
    values[..PIECES].iter().map(|&value| value.max(0)).sum()
}
