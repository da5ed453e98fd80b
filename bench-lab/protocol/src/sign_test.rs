//! The arithmetic behind "7 of 8".

use crate::{POSITIVE_RUNS, RUNS};

/// Probability of at least `k` successes in `n` independent tries of probability `p` each:
/// `Σ C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ` for i from k to n.
pub fn at_least(k: usize, n: usize, p: f64) -> f64 {
    (k..=n).map(|i| choose(n, i) as f64 * p.powi(i as i32) * (1.0 - p).powi((n - i) as i32)).sum()
}

/// Largest probability of seven positive runs of eight when none is positive with more than
/// one half, as a fraction: of the 2⁸ equally likely sign patterns, those with enough positives.
pub fn false_proof() -> (u64, u64) {
    let patterns = (POSITIVE_RUNS..=RUNS).map(|i| choose(RUNS, i)).sum();
    (patterns, 1 << RUNS)
}

/// Coverage of [second smallest, second largest] of [`RUNS`] values as an interval for the
/// median: the median falls outside when seven or more lie on one side of it.
pub fn interval_coverage() -> f64 {
    let (outside, all) = false_proof();
    1.0 - 2.0 * outside as f64 / all as f64
}

/// Binomial coefficient, exact for the small numbers used here.
fn choose(n: usize, k: usize) -> u64 {
    (1..=k as u64).fold(1, |product, i| product * (n as u64 + 1 - i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_in_two_hundred_and_fifty_six() {
        assert_eq!(false_proof(), (9, 256));
        assert_eq!(at_least(POSITIVE_RUNS, RUNS, 0.5), 9.0 / 256.0);
        let counted = (0u32..256).filter(|pattern| pattern.count_ones() >= 7);
        assert_eq!(counted.count(), 9);
    }

    #[test]
    fn interval_is_the_ninety_three_percent_one() {
        assert_eq!(interval_coverage(), 238.0 / 256.0);
    }

    #[test]
    fn tail_is_a_probability() {
        assert!((at_least(0, 8, 0.3) - 1.0).abs() < 1e-12);
        assert_eq!(at_least(7, 8, 1.0), 1.0);
        assert_eq!(at_least(7, 8, 0.0), 0.0);
        assert!((at_least(7, 8, 0.9) - 0.813_104_73).abs() < 1e-12);
    }
}
