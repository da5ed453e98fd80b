//! Counts of successes: exact tails of the binomial distribution, and the interval that they give.

/// Probability of at least `hits` successes in `tries` of probability `p` each.
pub fn at_least(hits: u64, tries: u64, p: f64) -> f64 {
    match hits {
        0 => 1.0,
        // Each tail is summed from its near end outwards, where terms only fall: nothing cancels.
        hits if hits as f64 > tries as f64 * p => upper(hits, tries, p),
        hits => 1.0 - upper(tries + 1 - hits, tries, 1.0 - p),
    }
}

/// Probability of at most `hits` successes in `tries` of probability `p` each.
pub fn at_most(hits: u64, tries: u64, p: f64) -> f64 {
    if hits >= tries { 1.0 } else { at_least(tries - hits, tries, 1.0 - p) }
}

/// The exact (Clopper–Pearson) interval for the probability behind `hits` in `tries`: outside of it such a count, or
/// one further away, has a probability of at most `(1 − confidence) / 2`.
pub fn interval(hits: u64, tries: u64, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    let low = if hits == 0 { 0.0 } else { crossing(|p| at_least(hits, tries, p) < tail) };
    let high = if hits >= tries { 1.0 } else { crossing(|p| at_most(hits, tries, p) > tail) };
    (low, high)
}

/// Where `below` turns from true to false as the probability grows.
fn crossing(below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(middle) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The sum of the terms from `hits` on, which must lie above the mean.
fn upper(hits: u64, tries: u64, p: f64) -> f64 {
    if hits > tries || p <= 0.0 {
        return 0.0;
    }
    let (n, k) = (tries as f64, hits as f64);
    let choose = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    let mut term = (choose + k * p.ln() + (n - k) * (-p).ln_1p()).exp();
    let mut sum = 0.0;
    for i in hits..=tries {
        sum += term;
        if term <= sum * 1e-17 {
            break;
        }
        term *= (tries - i) as f64 / (i + 1) as f64 * p / (1.0 - p);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sign_test;

    #[test]
    fn small_tails_are_those_of_the_sign_test() {
        for hits in 0..=8 {
            for p in [0.01, 0.3, 0.5, 0.9] {
                let exact = sign_test::at_least(hits, 8, p);
                assert!((at_least(hits as u64, 8, p) - exact).abs() < 1e-12, "{hits} of 8 at {p}");
                let rest = 1.0 - sign_test::at_least(hits + 1, 8, p);
                assert!((at_most(hits as u64, 8, p) - rest).abs() < 1e-12, "{hits} of 8 at {p}");
            }
        }
    }

    #[test]
    fn large_counts_neither_overflow_nor_vanish() {
        assert!((at_least(50_000, 100_000, 0.5) - 0.501_261_6).abs() < 1e-6);
        let far = at_least(60_000, 100_000, 0.5);
        assert!((0.0..1e-300).contains(&far));
        assert!((at_least(40_000, 100_000, 0.5) - 1.0).abs() < 1e-12);
        assert_eq!((at_least(3, 10, 0.0), at_least(3, 10, 1.0)), (0.0, 1.0));
    }

    /// Published Clopper–Pearson limits.
    #[test]
    fn intervals_are_the_exact_ones() {
        for (hits, tries, low, high) in [
            (0, 10, 0.0, 0.308_50),
            (5, 10, 0.187_09, 0.812_91),
            (10, 10, 0.691_50, 1.0),
            (9, 256, 0.016_19, 0.065_68),
        ] {
            let (found_low, found_high) = interval(hits, tries, 0.95);
            assert!((found_low - low).abs() < 1e-4, "{hits} of {tries}: {found_low}");
            assert!((found_high - high).abs() < 1e-4, "{hits} of {tries}: {found_high}");
        }
    }
}
