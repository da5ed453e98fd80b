//! How many phases a wanted resolution takes.
//!
//! The resolution is half the width of the 93 % interval. With n normal values of standard deviation s the rank interval has
//! about `z · s · √(π/3) / √n` (`π/3`: the variance of the Hodges–Lehmann estimate against that of the mean), z the normal
//! quantile of 96.5 %. A calibration knows s only roughly, so its upper 80 % bound `s · √(f / χ²₀.₂(f))` is taken instead: the
//! resolution is then reached in about four of five comparisons. Heavy tails make s larger than the rank interval needs: then the
//! number is on the safe side.

use super::LEVELS;
use crate::statistics::normal_quantile;

/// Fewest phases: enough for a 99 % interval that does not hang on single values.
pub const LEAST: usize = 12;
/// How sure it is that the resolution is reached.
const SURE: f64 = 0.8;

/// Phases for a resolution in percentage points, from a standard deviation known with `freedom` degrees of freedom; even, so
/// that each of the two is earlier in half of them.
pub fn phases(sd: f64, freedom: usize, resolution: f64) -> usize {
    let wanted = (half_width(upper(sd, freedom), 1) / resolution).powi(2);
    // A float beyond all counts becomes the largest one.
    let wanted = wanted.ceil() as usize;
    wanted.max(LEAST).saturating_add(1) / 2 * 2
}

/// Half the width of the 93 % interval of n normal values with this standard deviation.
pub fn half_width(sd: f64, n: usize) -> f64 {
    let z = normal_quantile((1.0 + LEVELS[0]) / 2.0);
    z * sd * (std::f64::consts::PI / 3.0).sqrt() / (n as f64).sqrt()
}

/// What a standard deviation is below with a confidence of 80 %.
fn upper(sd: f64, freedom: usize) -> f64 {
    let f = freedom.max(1) as f64;
    sd * (f / chi_squared(1.0 - SURE, f)).sqrt()
}

/// A quantile of χ² (E. B. Wilson and M. M. Hilferty, "The distribution of chi-square", Proceedings of the National Academy of
/// Sciences 17, 1931): `f · (1 − 2/(9f) + z · √(2/(9f)))³`.
pub(crate) fn chi_squared(probability: f64, f: f64) -> f64 {
    let part = 2.0 / (9.0 * f);
    f * (1.0 - part + normal_quantile(probability) * part.sqrt()).max(0.05).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_table() {
        for (probability, f, expected) in [(0.2, 9.0, 5.380), (0.2, 5.0, 2.343), (0.9, 10.0, 15.987)] {
            let found = chi_squared(probability, f);
            assert!((found / expected - 1.0).abs() < 0.01, "{probability}, {f}: {found}");
        }
    }

    #[test]
    fn phases_grow_with_the_square_and_are_even() {
        assert_eq!(phases(0.01, 9, 0.25), LEAST);
        let (coarse, fine) = (phases(1.0, 9, 0.5), phases(1.0, 9, 0.25));
        assert!(coarse.is_multiple_of(2) && fine.is_multiple_of(2));
        assert!((3.8..4.2).contains(&(fine as f64 / coarse as f64)), "{coarse}, {fine}");
        // z = 1.8119, s = 1.2934 at nine degrees, √(π/3) = 1.0233: (1.8119 · 1.2934 · 1.0233 / 0.5)² = 23.0.
        assert_eq!(coarse, 24);
        assert!(phases(1.0, 3, 0.5) > phases(1.0, 30, 0.5), "less is known");
        assert_eq!(phases(f64::MAX, 9, 1e-9) % 2, 1 - usize::MAX % 2);
    }
}
