//! How drawn offsets are distributed.

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::Side;
use crate::theme::Role;
use crate::trial::ReportError;
use crate::words::{bytes, count};

const SIZE: (u32, u32) = (420, 150);
const LEFT: i32 = 12;
const RIGHT: i32 = 408;
const TOP: i32 = 24;
const BOTTOM: i32 = 116;
const BINS: usize = 16;

/// Counts in sixteen equal bins from zero to the largest value.
pub fn histogram(title: &str, values: &[u64]) -> Result<Chart, ReportError> {
    let highest = values.iter().copied().max().unwrap_or(0);
    let counts = bins(values, highest);
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let label = format!("{title}: {}, most in one of {BINS} bins {most}", count(values.len(), "value"));
    let x = Axis::exact(0.0, BINS as f64, (LEFT, RIGHT));
    let y = Axis::exact(0.0, most as f64, (BOTTOM, TOP));
    chart(SIZE, &label, |pen| {
        for (bin, &count) in counts.iter().enumerate() {
            let (left, right) = (x.at(bin as f64) + 1, x.at(bin as f64 + 1.0) - 1);
            if count > 0 {
                pen.bar([(left, y.at(count as f64)), (right, BOTTOM)], Role::Noise, 1.0)?;
            }
            pen.text(
                &count.to_string(),
                ((left + right) / 2, y.at(count as f64) - 9),
                Side::Middle,
                Role::Muted,
            )?;
        }
        pen.line(&[(LEFT, BOTTOM), (RIGHT, BOTTOM)], Role::Zero, 1)?;
        pen.text("0", (LEFT, BOTTOM + 18), Side::Right, Role::Muted)?;
        pen.text(&bytes(highest), (RIGHT, BOTTOM + 18), Side::Left, Role::Muted)
    })
}

fn bins(values: &[u64], highest: u64) -> [usize; BINS] {
    let mut counts = [0; BINS];
    for &value in values {
        let bin = (value as u128 * BINS as u128 / (highest as u128 + 1)) as usize;
        counts[bin] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_bin() {
        let counts = bins(&[0, 0, u64::MAX], u64::MAX);
        assert_eq!((counts[0], counts[BINS - 1]), (2, 1));
        assert_eq!(bins(&[0, 0], 0)[0], 2);
    }
}
