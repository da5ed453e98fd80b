//! Small statistics, each with its definition.

/// Arithmetic mean; NaN of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Middle value, or the mean of the two middle values of an even number; NaN of nothing.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[half],
        _ => (sorted[half - 1] + sorted[half]) / 2.0,
    }
}

/// Mean of the middle half: a quarter of the values, rounded down, is left out at each end;
/// NaN of nothing.
pub fn middle_half_mean(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let cut = sorted.len() / 4;
    mean(&sorted[cut..sorted.len() - cut])
}

/// Sample standard deviation (divisor n − 1); NaN of fewer than two.
pub fn standard_deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

/// Distribution function of the standard normal: `Φ(x) = erfc(−x / √2) / 2`.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The value that a standard normal one stays below with this probability: bisection of [`normal_cdf`].
pub fn normal_quantile(probability: f64) -> f64 {
    // Nothing that a double can tell lies beyond.
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if normal_cdf(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Ascending copy.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn middle_half_drops_a_quarter_at_each_end() {
        assert_eq!(middle_half_mean(&[100.0, 1.0, 3.0, -50.0]), 2.0);
        assert_eq!(middle_half_mean(&[1.0, 2.0, 6.0]), 3.0);
        let nine = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, -1000.0];
        assert_eq!(middle_half_mean(&nine), 5.0);
    }

    #[test]
    fn deviation_of_a_sample() {
        assert_eq!(standard_deviation(&[1.0, 3.0]), 2f64.sqrt());
        assert!(standard_deviation(&[1.0]).is_nan());
    }

    #[test]
    fn normal_table() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.959_963_984_540_054, 0.025),
            (3.0, 0.998_650_101_968_370),
        ] {
            assert!((normal_cdf(x) - p).abs() < 1e-14, "x = {x}");
            assert!((normal_quantile(p) - x).abs() < 1e-11, "p = {p}");
        }
    }
}
