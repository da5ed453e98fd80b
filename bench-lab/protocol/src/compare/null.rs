//! Null distributions of the two rank statistics.
//!
//! *Signed ranks* (F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945): `W` is the sum
//! of the ranks, by size, of the positive ones among n values. When values are symmetric about zero every rank is
//! positive with probability ½ by itself, so `P(W = w)` is the number of subsets of 1…n with sum w, over 2ⁿ.
//!
//! *Mann–Whitney* (H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
//! than the other", Annals of Mathematical Statistics 18, 1947): `U` counts the pairs in which the value of B exceeds that of
//! A. When all values are of one kind every arrangement is equally likely; the number of those with U = u obeys
//! `f(m, n, u) = f(m − 1, n, u − n) + f(m, n − 1, u)`.
//!
//! Both lie symmetric between 0 and the number of elements (averages of two values; differences). Beyond [`EXACT`] values
//! the normal distribution with the same mean and variance stands in, with a continuity correction of ½.

use crate::statistics::normal_cdf;

/// Up to so many values distributions are exact.
pub const EXACT: usize = 120;

/// The distribution of a statistic from 0 to [`Null::elements`] when there is no effect.
#[derive(Clone, Debug)]
pub struct Null {
    elements: usize,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    /// `P(X ≤ k)` for every k.
    Exact(Vec<f64>),
    /// Its standard deviation.
    Normal(f64),
}

impl Null {
    /// Of `W` for n values.
    pub fn signed_rank(n: usize) -> Null {
        let elements = n * (n + 1) / 2;
        if n > EXACT {
            let n = n as f64;
            return Null { elements, form: Form::Normal((n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt()) };
        }
        let mut chance = vec![0.0; elements + 1];
        chance[0] = 1.0;
        for rank in 1..=n {
            // Downwards: every rank is used once.
            for sum in (0..=elements).rev() {
                let with = if sum >= rank { chance[sum - rank] } else { 0.0 };
                chance[sum] = (chance[sum] + with) / 2.0;
            }
        }
        Null { elements, form: Form::Exact(cumulated(chance)) }
    }

    /// Of `U` for m values of A and n of B.
    pub fn mann_whitney(m: usize, n: usize) -> Null {
        let elements = m * n;
        if m.max(n) > EXACT / 2 {
            let all = (m + n + 1) as f64;
            return Null { elements, form: Form::Normal((elements as f64 * all / 12.0).sqrt()) };
        }
        // `row[j][u]`: chance of u among i values of A and j of B, i growing.
        let mut row: Vec<Vec<f64>> = (0..=n).map(|_| vec![1.0]).collect();
        for i in 1..=m {
            for j in 0..=n {
                let (mut chance, share) = (vec![0.0; i * j + 1], i as f64 / (i + j) as f64);
                // The largest of all is one of A with chance i / (i + j), which exceeds no value of B that counts …
                for (u, known) in row[j].iter().enumerate() {
                    chance[u] += share * known;
                }
                // … or one of B, which exceeds all i of A.
                if j > 0 {
                    for (u, known) in row[j - 1].iter().enumerate() {
                        chance[u + i] += (1.0 - share) * known;
                    }
                }
                row[j] = chance;
            }
        }
        Null { elements, form: Form::Exact(cumulated(row.swap_remove(n))) }
    }

    /// The largest value that it can have.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// `P(X ≤ k)`.
    pub fn up_to(&self, k: usize) -> f64 {
        match &self.form {
            _ if k >= self.elements => 1.0,
            Form::Exact(cumulated) => cumulated[k],
            Form::Normal(sd) => normal_cdf((k as f64 + 0.5 - self.elements as f64 / 2.0) / sd),
        }
    }

    /// `P(X < k)`.
    pub fn below(&self, k: usize) -> f64 {
        k.checked_sub(1).map_or(0.0, |before| self.up_to(before))
    }
}

fn cumulated(mut chance: Vec<f64>) -> Vec<f64> {
    let mut sum = 0.0;
    for one in &mut chance {
        sum += *one;
        *one = f64::min(sum, 1.0);
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(n: usize, k: usize) -> f64 {
        (1..=k).fold(1.0, |product, i| product * (n + 1 - i) as f64 / i as f64)
    }

    #[test]
    fn signed_ranks_are_those_of_the_tables() {
        // Subsets of 1…7 with sums 0 to 4: 1, 1, 1, 2, 2.
        let seven = Null::signed_rank(7);
        for (k, subsets) in [(0, 1.0), (1, 2.0), (2, 3.0), (3, 5.0), (4, 7.0), (28, 128.0)] {
            assert!((seven.up_to(k) - subsets / 128.0).abs() < 1e-15, "{k}");
        }
        // Wilcoxon's table: 13 is the 5 % point (two-sided) for 12 values, 7 the 1 % point; 52 the 5 % point for 20.
        for (n, point, level) in [(12, 13, 0.05), (12, 7, 0.01), (20, 52, 0.05), (20, 37, 0.01)] {
            let null = Null::signed_rank(n);
            assert!(2.0 * null.up_to(point) <= level && 2.0 * null.up_to(point + 1) > level, "{n}");
        }
    }

    #[test]
    fn mann_whitney_is_that_of_the_tables() {
        let small = Null::mann_whitney(2, 3);
        for (k, arrangements) in [(0, 1.0), (1, 2.0), (2, 4.0), (3, 6.0), (4, 8.0), (5, 9.0), (6, 10.0)] {
            assert!((small.up_to(k) - arrangements / 10.0).abs() < 1e-15, "{k}");
        }
        // Two-sided 5 % points of the usual table.
        for (m, n, point) in [(5, 5, 2), (7, 7, 8), (8, 10, 17), (20, 20, 127)] {
            let null = Null::mann_whitney(m, n);
            assert!(2.0 * null.up_to(point) <= 0.05 && 2.0 * null.up_to(point + 1) > 0.05, "{m}, {n}");
        }
        assert!((Null::mann_whitney(9, 6).up_to(0) - 1.0 / choose(15, 6)).abs() < 1e-18);
    }

    #[test]
    fn both_are_symmetric_and_whole() {
        for null in [Null::signed_rank(11), Null::mann_whitney(6, 9), Null::signed_rank(EXACT + 5)] {
            let all = null.elements();
            for k in 0..all {
                let mirrored = 1.0 - null.below(all - k);
                assert!((null.up_to(k) - mirrored).abs() < 1e-12, "{k} of {all}");
            }
            assert_eq!(null.up_to(all), 1.0);
            assert_eq!(null.below(0), 0.0);
        }
    }

    #[test]
    fn the_normal_one_takes_over_without_a_step() {
        let exact = Null::signed_rank(EXACT);
        let sd = (EXACT as f64 * (EXACT + 1) as f64 * (2 * EXACT + 1) as f64 / 24.0).sqrt();
        let normal = Null { elements: exact.elements(), form: Form::Normal(sd) };
        let half = Null::mann_whitney(EXACT / 2, EXACT / 2);
        let sd = (half.elements() as f64 * (EXACT + 1) as f64 / 12.0).sqrt();
        let other = Null { elements: half.elements(), form: Form::Normal(sd) };
        for (exact, normal) in [(&exact, &normal), (&half, &other)] {
            for k in 0..exact.elements() {
                assert!((exact.up_to(k) - normal.up_to(k)).abs() < 1e-3, "{k}");
            }
        }
    }
}
