//! Bounds of the sum of threat rows: each piece adds at most one pair in each of its directions.

use super::{Bounds, Extremes, greatest_sum};
use crate::nnue::beside::beside;
use crate::nnue::features::threats::{first_row, ray, slots};
use crate::nnue::progress::Progress;

/// Bounds of the sum of all active pairs.
///
/// A piece contributes at most the greatest row of each direction; a side contributes its king and
/// its fifteen greatest squares.
pub(in crate::nnue) fn threat_bounds(width: usize, rows: &[i16], progress: &Progress<'_>) -> Bounds {
    if rows.is_empty() {
        return Bounds::zero(width);
    }
    let side = |side| side_bounds(width, rows, side, progress);
    let (mut total, enemy) = beside(|| side(0), || side(6));
    total.accumulate(&enemy);
    total
}

fn side_bounds(width: usize, rows: &[i16], side: usize, progress: &Progress<'_>) -> Bounds {
    let mut king = Bounds::zero(width);
    let mut squares = Vec::with_capacity(64);
    for square in 0..64 {
        let mut best = Bounds::zero(width);
        for attacker in side..side + 5 {
            best.unite(&from_square(width, rows, attacker, square, progress));
        }
        squares.push(best);
        king.unite(&from_square(width, rows, side + 5, square, progress));
    }
    for neuron in 0..width {
        king.high[neuron] += greatest_sum(&mut std::array::from_fn(|s| squares[s].high[neuron]));
        king.low[neuron] -= greatest_sum(&mut std::array::from_fn(|s| -squares[s].low[neuron]));
    }
    king
}

/// Bounds of the pairs of one attacker on one square.
fn from_square(width: usize, rows: &[i16], attacker: usize, from: usize, progress: &Progress<'_>) -> Bounds {
    let mut read = 0;
    let mut sum = Bounds::zero(width);
    let mut extremes = Extremes::new(width);
    for direction in 0..8 {
        let Some(mut targets) = ray(attacker, from, direction) else { break };
        extremes.clear();
        while targets != 0 {
            let to = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            let first = first_row(attacker, from, to) as usize;
            let rows = &rows[first * width..(first + slots(to)) * width];
            rows.chunks_exact(width).for_each(|row| extremes.include(row));
            read += size_of_val(rows);
        }
        sum.add(&extremes);
    }
    progress.advance(read);
    sum
}

impl Bounds {
    fn accumulate(&mut self, other: &Self) {
        for (a, &b) in self.low.iter_mut().zip(&other.low) {
            *a += b;
        }
        for (a, &b) in self.high.iter_mut().zip(&other.high) {
            *a += b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::architecture::THREAT_ROWS;
    use crate::nnue::progress::tests::Kept;

    #[test]
    fn directions_and_pieces_are_counted() {
        const WIDTH: usize = 64;
        let mut rows = vec![0_i16; THREAT_ROWS * WIDTH];
        for row in rows.chunks_exact_mut(WIDTH) {
            row[0] = 127;
            row[1] = -127;
        }
        let told = Kept(1, std::sync::Mutex::default());
        let total = 5 * size_of_val(&rows[..]);
        let bounds = threat_bounds(WIDTH, &rows, &Progress::new(total, &told));
        // Two kings and thirty queens with eight directions each.
        assert_eq!((bounds.low[0], bounds.high[0]), (0, 256 * 127));
        assert_eq!((bounds.low[1], bounds.high[1]), (-256 * 127, 0));
        assert_eq!((bounds.low[2], bounds.high[2]), (0, 0));
        assert_eq!(told.1.into_inner().unwrap().last(), Some(&20), "every row is read once");
    }
}
