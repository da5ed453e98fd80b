//! How much of the spread between copies of one build is layout.
//!
//! In the phases of a calibration all copies share a draw: what they differ by is noise, of variance ν². In further phases every
//! copy has a draw of its own: they differ by noise and layout, ν² + λ². Both variances are pooled from within the phases; their
//! difference is λ² (never below zero), and λ² / (ν² + λ²) the layouts' share. Its interval holds the 2.5 % and 97.5 % quantiles of
//! `1 − (s² f / χ²(f)) / (S² F / χ²(F))` (generalised as in [`crate::sweep`]: S. Weerahandi 1993), from draws with a fixed seed.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{ChiSquared, Distribution};
use serde::{Deserialize, Serialize};

use super::CalibrationError;

/// Draws behind the interval.
const REPEATS: usize = 10_000;

/// What layouts do to one build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutShare {
    /// Phases in which every copy had a draw of its own.
    pub phases: usize,
    /// Standard deviation of a copy under a draw that all share: noise, percentage points.
    pub shared_sd: f64,
    /// Standard deviation of a copy under a draw of its own: noise and layout.
    pub own_sd: f64,
    /// Standard deviation by layout alone.
    pub layout_sd: f64,
    /// The layouts' share of the variance of copies under draws of their own, from 0 to 1.
    pub share: f64,
    /// Its 95 % interval.
    pub interval: (f64, f64),
}

/// From the values of every phase (`full` against each other copy): under shared draws and under draws of their own.
///
/// # Errors
/// When there is no spread to speak of: no phase, or no value in one.
pub fn layout_share(
    lane: &str,
    shared: &[Vec<f64>],
    own: &[Vec<f64>],
) -> Result<LayoutShare, CalibrationError> {
    let too_few =
        || CalibrationError::TooFew { lane: lane.to_owned(), plain: shared.len(), swapped: own.len() };
    let (noise, noise_freedom) = within(shared).ok_or_else(too_few)?;
    let (all, all_freedom) = within(own).ok_or_else(too_few)?;
    if let Some((phase, &value)) = (1..).zip(shared.iter().chain(own).flatten()).find(|(_, v)| !v.is_finite())
    {
        return Err(CalibrationError::NotFinite { lane: lane.to_owned(), phase, value });
    }
    let share = |noise: f64, all: f64| if all > noise { 1.0 - noise / all } else { 0.0 };
    let (noise_chance, all_chance) = match (ChiSquared::new(noise_freedom), ChiSquared::new(all_freedom)) {
        (Ok(noise), Ok(all)) => (noise, all),
        _ => return Err(too_few()),
    };
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let mut shares: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let noise = noise * noise_freedom / noise_chance.sample(&mut rng);
            share(noise, all * all_freedom / all_chance.sample(&mut rng))
        })
        .collect();
    shares.sort_by(f64::total_cmp);
    let quantile = |part: f64| shares[(part * REPEATS as f64) as usize];
    Ok(LayoutShare {
        phases: own.len(),
        shared_sd: noise.sqrt(),
        own_sd: all.sqrt(),
        layout_sd: (all - noise).max(0.0).sqrt(),
        share: share(noise, all),
        interval: (quantile(0.025), quantile(0.975)),
    })
}

/// The variance of copies within their phases, with its degrees of freedom.
fn within(phases: &[Vec<f64>]) -> Option<(f64, f64)> {
    let (mut squares, mut freedom) = (0.0, 0);
    for values in phases {
        // The copies' speeds as seen from `full`, which has none of its own.
        let copies = values.len() as f64 + 1.0;
        let mean = values.iter().sum::<f64>() / copies;
        squares += mean.powi(2) + values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        freedom += values.len();
    }
    (freedom > 0).then(|| (squares / freedom as f64, freedom as f64))
}

#[cfg(test)]
mod tests {
    use rand_distr::StandardNormal;

    use super::*;

    /// Phases of four copies that differ by noise and by layouts of their own.
    fn phases(count: usize, noise: f64, layout: f64, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut normal = |sd: f64| -> f64 {
            let one: f64 = StandardNormal.sample(&mut rng);
            sd * one
        };
        (0..count)
            .map(|_| {
                let copies: Vec<f64> = (0..4).map(|_| normal(noise) + normal(layout)).collect();
                copies[1..].iter().map(|copy| copies[0] - copy).collect()
            })
            .collect()
    }

    #[test]
    fn known_deviations_are_found() {
        let shared = phases(4_000, 0.3, 0.0, 1);
        let share = layout_share("main", &shared, &phases(4_000, 0.3, 0.4, 2)).expect("a share");
        for (found, expected) in
            [(share.shared_sd, 0.3), (share.own_sd, 0.5), (share.layout_sd, 0.4), (share.share, 0.64)]
        {
            assert!((found - expected).abs() < 0.02, "{share:?}");
        }
        let none = layout_share("main", &shared, &phases(4_000, 0.3, 0.0, 3)).expect("a share");
        assert!(none.share < 0.05 && none.interval.0 < 0.01, "{none:?}");
    }

    #[test]
    fn the_interval_holds_as_often_as_it_says() {
        let (tries, expected) = (1_000, 0.64);
        let holds = (0..tries).filter(|&seed| {
            let (shared, own) = (phases(8, 0.3, 0.0, 2 * seed), phases(8, 0.3, 0.4, 2 * seed + 1));
            let (low, high) = layout_share("main", &shared, &own).expect("a share").interval;
            (low..=high).contains(&expected)
        });
        let share = holds.count() as f64 / tries as f64;
        assert!((share - 0.95).abs() < 4.0 * (0.95f64 * 0.05 / tries as f64).sqrt(), "{share}");
    }

    #[test]
    fn nothing_says_nothing() {
        assert!(layout_share("main", &[], &[vec![0.1]]).is_err());
        assert!(layout_share("main", &[vec![0.1]], &[vec![f64::NAN]]).is_err());
    }
}
