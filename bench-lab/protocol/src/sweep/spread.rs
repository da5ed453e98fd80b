//! How far layouts differ: variance components with an interval, and what that means for a gain.
//!
//! The drawn layouts are a random sample of all layouts. Their estimated effects have the sample variance
//! `S² ≈ (σ² + c·ν²) · χ²(n − 1) / (n − 1)` with the layouts' own variance σ², the noise variance ν² of one measurement
//! and the mean variance `c` of an effect by noise; so σ² is estimated by `S² − c·ν̂²` (Henderson's third method:
//! C. R. Henderson, "Estimation of variance and covariance components", Biometrics 9, 1953).
//!
//! Its interval is the generalised one (S. Weerahandi, "Generalized confidence intervals", Journal of the American
//! Statistical Association 88, 1993): quantiles of `(n − 1)·S²/χ²(n − 1) − c·f·ν̂²/χ²(f)` with f degrees of freedom of
//! the noise, here from [`REPEATS`] draws with a fixed seed.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{ChiSquared, Distribution};
use serde::{Deserialize, Serialize};

use super::fit::Fit;

/// Draws behind an interval.
const REPEATS: usize = 10_000;
/// Parts that intervals leave out at each end.
const TAIL: f64 = 0.025;
/// The normal quantile that leaves out as much.
const NORMAL: f64 = 1.959_963_984_540_054;

/// What a sweep says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Every layout's speed, in the layouts' order.
    pub values: Vec<Estimate>,
    /// Standard deviation of speed between layouts, free of noise, percentage points.
    pub layout_sd: f64,
    /// Its 95 % interval.
    pub layout_sd_interval: (f64, f64),
    /// Standard deviation of one measurement of one layout: timing and page placement, percentage points.
    pub noise_sd: f64,
    /// Degrees of freedom of the noise.
    pub noise_freedom: usize,
    /// Probability to see layouts differ so much if they did not differ at all.
    pub no_effect: f64,
    /// The difference in percent that two builds of the same speed exceed with probability 5 % by layout alone.
    pub one_in_twenty: f64,
    /// The same at the ends of the interval.
    pub one_in_twenty_interval: (f64, f64),
    /// What layout makes of the gain that the user saw.
    pub gain: Option<Chance>,
}

/// The speed of one layout, percentage points of log rate from the mean of the drawn layouts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its 95 % interval by noise.
    pub interval: (f64, f64),
}

/// How likely layout alone makes a difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chance {
    /// The difference in speed, percent.
    pub percent: f64,
    /// Probability that two builds of the same speed, each in a layout of its own, differ by at least as much.
    pub probability: f64,
    /// The same at the ends of the layouts' interval.
    pub interval: (f64, f64),
}

/// Percent of speed as percentage points of log rate.
pub fn points(percent: f64) -> f64 {
    100.0 * (percent / 100.0).ln_1p()
}

/// The inverse of [`points`].
fn percent(points: f64) -> f64 {
    100.0 * (points / 100.0).exp_m1()
}

/// Probability that two builds of the same speed differ by at least `percent` when layouts have this deviation: the
/// difference of two normal values has √2 times the deviation of one.
pub fn chance(percent: f64, layout_sd: f64) -> f64 {
    if layout_sd == 0.0 {
        return f64::from(u8::from(percent == 0.0));
    }
    libm::erfc(points(percent).abs() / (2.0 * layout_sd))
}

/// What follows from the fitted effects.
pub fn spread(fit: &Fit, gain: Option<f64>) -> Spread {
    let drawn = &fit.effects[1..];
    let between = drawn.iter().map(|effect| effect * effect).sum::<f64>();
    let freedom = drawn.len() as f64 - 1.0;
    let by_noise = fit.mean_variance * fit.noise;
    let layout_sd = (between / freedom - by_noise).max(0.0).sqrt();

    let (interval, no_effect) = simulate(between, freedom, by_noise, fit.freedom as f64);
    let half = student(fit.freedom as f64) * fit.noise.sqrt();
    let estimate = |(&value, &variance): (&f64, &f64)| {
        let half = half * variance.max(0.0).sqrt();
        Estimate { value, interval: (value - half, value + half) }
    };
    let rare = |sd: f64| percent(NORMAL * std::f64::consts::SQRT_2 * sd);
    Spread {
        values: fit.effects.iter().zip(&fit.variances).map(estimate).collect(),
        layout_sd,
        layout_sd_interval: interval,
        noise_sd: fit.noise.sqrt(),
        noise_freedom: fit.freedom,
        no_effect,
        one_in_twenty: rare(layout_sd),
        one_in_twenty_interval: (rare(interval.0), rare(interval.1)),
        gain: gain.map(|percent| Chance {
            percent,
            probability: chance(percent, layout_sd),
            interval: (chance(percent, interval.0), chance(percent, interval.1)),
        }),
    }
}

/// The interval of the layouts' deviation, and the probability of so much difference by noise alone.
fn simulate(between: f64, freedom: f64, by_noise: f64, noise_freedom: f64) -> ((f64, f64), f64) {
    let (Ok(layouts), Ok(noise)) = (ChiSquared::new(freedom), ChiSquared::new(noise_freedom)) else {
        // Both are at least 1, as `fit` sees to.
        return ((0.0, 0.0), 1.0);
    };
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let mut variances = Vec::with_capacity(REPEATS);
    let mut as_far = 0;
    for _ in 0..REPEATS {
        let (own, error) = (layouts.sample(&mut rng), noise.sample(&mut rng) / noise_freedom);
        variances.push((between / own - by_noise / error).max(0.0));
        as_far += usize::from(by_noise * own >= between * error);
    }
    variances.sort_by(f64::total_cmp);
    let cut = (REPEATS as f64 * TAIL) as usize;
    let interval = (variances[cut].sqrt(), variances[REPEATS - 1 - cut].sqrt());
    (interval, as_far as f64 / REPEATS as f64)
}

/// Student's quantile for a 95 % interval, by the expansion of Abramowitz and Stegun, 26.7.5; that of one degree of
/// freedom is exact.
fn student(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return (std::f64::consts::PI * (0.5 - TAIL)).tan();
    }
    let z = NORMAL;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
            / 92_160.0,
    ];
    terms.iter().zip(1..).fold(z, |sum, (term, power)| sum + term / freedom.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::fit;
    use crate::sweep::synthetic::{Truth, observations};

    fn swept(truth: &Truth, seed: u64) -> Spread {
        spread(&fit(&observations(truth, seed), truth.layouts + 1).unwrap(), None)
    }

    const TRUTH: Truth =
        Truth { layouts: 20, together: 4, rounds: 6, layout_sd: 0.3, noise_sd: 0.4, phase_sd: 2.0 };

    #[test]
    fn known_components_are_recovered() {
        let sweeps: Vec<Spread> = (0..200).map(|seed| swept(&TRUTH, seed)).collect();
        let mean = |value: fn(&Spread) -> f64| sweeps.iter().map(value).sum::<f64>() / sweeps.len() as f64;
        let (layout, noise) = (mean(|s| s.layout_sd.powi(2)), mean(|s| s.noise_sd.powi(2)));
        // Standard errors of the means: about 0.0025 and 0.0011.
        assert!((layout - 0.09).abs() < 0.008, "{layout}");
        assert!((noise - 0.16).abs() < 0.004, "{noise}");
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        for layout_sd in [0.1, 0.3, 1.0] {
            let truth = Truth { layout_sd, ..TRUTH };
            let holds = (0..300).map(|seed| swept(&truth, seed).layout_sd_interval);
            let held = holds.filter(|&(low, high)| low <= layout_sd && layout_sd <= high).count();
            // 95 % of 300 with three standard deviations.
            assert!((274..=296).contains(&held), "sd {layout_sd}: {held} of 300");
        }
    }

    #[test]
    fn the_interval_of_a_layout_holds_its_effect() {
        let mut held = 0;
        for seed in 0..100 {
            let effects = TRUTH.effects(seed);
            let mean = effects[1..].iter().sum::<f64>() / 20.0;
            let spread = swept(&TRUTH, seed);
            let within =
                |(e, known): (&Estimate, &f64)| e.interval.0 <= known - mean && known - mean <= e.interval.1;
            held += spread.values.iter().zip(&effects).filter(|&pair| within(pair)).count();
        }
        assert!((1950..=2040).contains(&held), "{held} of 2100");
    }

    #[test]
    fn no_effect_is_small_and_told_as_such() {
        let truth = Truth { layout_sd: 0.0, ..TRUTH };
        let sweeps: Vec<Spread> = (0..200).map(|seed| swept(&truth, seed)).collect();
        let reaching_zero = sweeps.iter().filter(|s| s.layout_sd_interval.0 == 0.0).count();
        assert!(reaching_zero >= 185, "{reaching_zero} of 200");
        let mean = |value: fn(&Spread) -> f64| sweeps.iter().map(value).sum::<f64>() / sweeps.len() as f64;
        assert!(mean(|s| s.layout_sd) < 0.06 && mean(|s| s.layout_sd_interval.1) < 0.2);
        // The probability is even between 0 and 1 when there is no effect.
        let rare = sweeps.iter().filter(|s| s.no_effect < 0.05).count();
        assert!((2..=20).contains(&rare), "{rare} of 200");
        let seen = (0..50).filter(|&seed| swept(&TRUTH, seed).no_effect < 0.01).count();
        assert!(seen >= 45, "{seen} of 50");
    }

    #[test]
    fn a_gain_is_weighed_against_layout() {
        // Two values of deviation 1 differ by at least 2 with probability 2 Φ(−√2) = 0.1573.
        let two = 100.0 * 0.02_f64.exp_m1();
        assert!((chance(two, 1.0) - 0.157_299_2).abs() < 1e-6);
        assert_eq!(chance(two, 1.0), chance(-100.0 * -(-0.02_f64).exp_m1(), 1.0));
        assert_eq!((chance(1.0, 0.0), chance(0.0, 0.0)), (0.0, 1.0));
        let fit = fit(&observations(&TRUTH, 3), 21).unwrap();
        let spread = spread(&fit, Some(0.5));
        let gain = spread.gain.unwrap();
        assert!(gain.interval.0 <= gain.probability && gain.probability <= gain.interval.1);
        // One in twenty is what it says.
        assert!((chance(spread.one_in_twenty, spread.layout_sd) - 0.05).abs() < 1e-9);
        assert!(spread.one_in_twenty_interval.0 <= spread.one_in_twenty);
    }

    #[test]
    fn student_table() {
        for (freedom, quantile, error) in [
            (1.0, 12.7062, 1e-3),
            (3.0, 3.1824, 2e-2),
            (5.0, 2.5706, 2e-3),
            (10.0, 2.2281, 1e-4),
            (60.0, 2.0003, 1e-4),
        ] {
            assert!((student(freedom) - quantile).abs() < error, "{freedom}: {}", student(freedom));
        }
    }
}
