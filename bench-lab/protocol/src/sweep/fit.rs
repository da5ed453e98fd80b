//! Least squares: the effect of every layout, free of what its phases had in common.
//!
//! The model is `value = phase + layout + noise`. Phases are nuisances: each is eliminated by taking values from its
//! mean, which leaves the *intra-block* equations of an incomplete block design (F. Yates, "Incomplete randomized
//! blocks", Annals of Eugenics 7, 1936). Noise is what rounds of the same layout differ by: each is a fresh process of a
//! fresh copy, so page placement is in it.

use std::collections::BTreeMap;

use thiserror::Error;

/// One measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// What it has in common with others: the phase.
    pub block: usize,
    /// The layout.
    pub layout: usize,
    /// Hundred times the logarithm of the rate.
    pub value: f64,
}

/// Why measurements say nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SweepError {
    /// Too few layouts.
    #[error("{found} drawn layouts were measured, expected at least 2: raise --draws")]
    TooFewLayouts {
        /// How many.
        found: usize,
    },
    /// Nothing is left to tell noise by.
    #[error("{found} measurements leave nothing to tell noise by: raise --rounds")]
    TooFewMeasurements {
        /// How many.
        found: usize,
    },
    /// Not all layouts can be compared.
    #[error("layout {layout} shares no phase with the others")]
    Apart {
        /// Index of the layout.
        layout: usize,
    },
    /// A value that is no number.
    #[error("layout {layout}, phase {block}: the rate is no finite number")]
    NotFinite {
        /// Index of the layout.
        layout: usize,
        /// The phase.
        block: usize,
    },
}

/// The effects of layouts, relative to the mean of the drawn ones (all but the first).
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Effect of every layout.
    pub effects: Vec<f64>,
    /// Variance of every effect, in units of the noise variance.
    pub variances: Vec<f64>,
    /// Mean variance of a drawn effect in the sample variance of the drawn effects, in the same units.
    pub mean_variance: f64,
    /// Variance of the noise of one measurement.
    pub noise: f64,
    /// Degrees of freedom of the noise.
    pub freedom: usize,
}

/// Fits the model to values of `layouts` layouts.
///
/// # Errors
/// When there are fewer than two drawn layouts, no repeated measurements, layouts without a comparison, or values that
/// are no numbers.
pub fn fit(observations: &[Observation], layouts: usize) -> Result<Fit, SweepError> {
    let drawn = layouts.saturating_sub(1);
    if drawn < 2 {
        return Err(SweepError::TooFewLayouts { found: drawn });
    }
    if let Some(bad) = observations.iter().find(|one| !one.value.is_finite()) {
        return Err(SweepError::NotFinite { layout: bad.layout, block: bad.block });
    }
    let mut blocks = BTreeMap::<usize, Vec<&Observation>>::new();
    for one in observations {
        blocks.entry(one.block).or_default().push(one);
    }
    let freedom = observations.len().checked_sub(blocks.len() + drawn).filter(|&freedom| freedom > 0);
    let freedom = freedom.ok_or(SweepError::TooFewMeasurements { found: observations.len() })?;

    // The first layout's effect is zero for now: its row and column are left out.
    let mut matrix = vec![vec![0.0; drawn]; drawn];
    let mut right = vec![0.0; drawn];
    let mut squares = 0.0;
    for block in blocks.values() {
        let size = block.len() as f64;
        let mean = block.iter().map(|one| one.value).sum::<f64>() / size;
        for one in block {
            squares += (one.value - mean).powi(2);
            let Some(row) = one.layout.checked_sub(1) else { continue };
            right[row] += one.value - mean;
            matrix[row][row] += 1.0;
            for other in block.iter().filter_map(|other| other.layout.checked_sub(1)) {
                matrix[row][other] -= 1.0 / size;
            }
        }
    }
    let inverse = inverse(matrix).map_err(|row| SweepError::Apart { layout: row + 1 })?;
    let product = |row: &Vec<f64>| row.iter().zip(&right).map(|(a, b)| a * b).sum::<f64>();
    let raw: Vec<f64> = inverse.iter().map(product).collect();
    let explained: f64 = raw.iter().zip(&right).map(|(effect, sum)| effect * sum).sum();

    // Relative to the mean of the drawn layouts instead.
    let count = drawn as f64;
    let mean = raw.iter().sum::<f64>() / count;
    let row_sums: Vec<f64> = inverse.iter().map(|row| row.iter().sum()).collect();
    let of_mean = row_sums.iter().sum::<f64>() / (count * count);
    let trace: f64 = (0..drawn).map(|i| inverse[i][i]).sum();
    let variance = |i: usize| inverse[i][i] - 2.0 * row_sums[i] / count + of_mean;
    Ok(Fit {
        effects: std::iter::once(-mean).chain(raw.iter().map(|effect| effect - mean)).collect(),
        variances: std::iter::once(of_mean).chain((0..drawn).map(variance)).collect(),
        mean_variance: (trace - count * of_mean) / (count - 1.0),
        noise: ((squares - explained) / freedom as f64).max(0.0),
        freedom,
    })
}

/// Inverse of a symmetric positive definite matrix, by Gauss and Jordan; the row that is none on failure.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>, usize> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for pivot in 0..n {
        let found = matrix[pivot][pivot];
        // Pivots of such a matrix are positive; zero up to rounding tells layouts that nothing connects.
        if found < 1e-9 {
            return Err(pivot);
        }
        matrix[pivot].iter_mut().for_each(|cell| *cell /= found);
        let row = matrix[pivot].clone();
        for other in matrix.iter_mut().enumerate().filter(|(i, _)| *i != pivot).map(|(_, row)| row) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    Ok(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sweep::synthetic::{Truth, observations};

    fn one(block: usize, layout: usize, value: f64) -> Observation {
        Observation { block, layout, value }
    }

    #[test]
    fn complete_blocks_give_plain_means() {
        // Two rounds of all three layouts: the classic two-way table.
        let table = [(1, [0.0, 1.0, 3.0]), (2, [10.0, 12.0, 12.0])];
        let all: Vec<Observation> = table
            .iter()
            .flat_map(|&(block, values)| (0..3).map(move |layout| one(block, layout, values[layout])))
            .collect();
        let fit = fit(&all, 3).unwrap();
        // Means 5, 6.5, 7.5; those of the drawn layouts 7.
        let expected = [-2.0, -0.5, 0.5];
        assert!(fit.effects.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{fit:?}");
        // Residuals ±1/6, ±5/6, ±2/3 … by hand: sum of squares 7/3 with (3 − 1)(2 − 1) degrees.
        assert_eq!(fit.freedom, 2);
        assert!((fit.noise - residuals(&table) / 2.0).abs() < 1e-12, "{fit:?}");
        // A mean of two values against the mean of two layouts.
        assert!(
            (fit.variances[1] - 0.25).abs() < 1e-12 && (fit.mean_variance - 0.5).abs() < 1e-12,
            "{fit:?}"
        );
        assert!((fit.variances[0] - 0.75 + 0.5 - 0.5).abs() < 1e-12, "{fit:?}");
    }

    /// Sum of squares of what neither row nor column explains.
    fn residuals(table: &[(usize, [f64; 3])]) -> f64 {
        let all = table.iter().flat_map(|(_, row)| row).sum::<f64>() / 6.0;
        let column = |j: usize| table.iter().map(|(_, row)| row[j]).sum::<f64>() / 2.0;
        let cells = table.iter().flat_map(|(_, row)| {
            let mean = row.iter().sum::<f64>() / 3.0;
            (0..3).map(move |j| row[j] - mean - column(j) + all)
        });
        cells.map(|residual| residual * residual).sum()
    }

    #[test]
    fn faults_are_told() {
        let pair = [one(1, 0, 0.0), one(1, 1, 1.0), one(2, 0, 0.0), one(2, 2, 1.0)];
        assert_eq!(fit(&pair, 2), Err(SweepError::TooFewLayouts { found: 1 }));
        assert_eq!(fit(&pair, 3), Err(SweepError::TooFewMeasurements { found: 4 }));
        let apart = [one(1, 0, 0.0), one(1, 1, 1.0), one(2, 0, 0.0), one(2, 1, 1.0), one(3, 2, 1.0)];
        assert_eq!(fit(&apart, 3), Err(SweepError::TooFewMeasurements { found: 5 }));
        let more: Vec<Observation> = apart.into_iter().chain([one(4, 0, 0.0), one(4, 1, 2.0)]).collect();
        assert_eq!(fit(&more, 3), Err(SweepError::Apart { layout: 2 }));
        let mut bad = more;
        bad[3].value = f64::NAN;
        assert_eq!(fit(&bad, 3), Err(SweepError::NotFinite { layout: 1, block: 2 }));
    }

    proptest! {
        #[test]
        fn what_a_phase_has_in_common_does_not_matter(seed: u64, shift in -1e3f64..1e3, phase in 1usize..6) {
            let truth = Truth { layouts: 9, together: 3, rounds: 3, layout_sd: 0.4, noise_sd: 0.2, phase_sd: 1.0 };
            let plain = observations(&truth, seed);
            let mut shifted = plain.clone();
            shifted.iter_mut().filter(|one| one.block == phase).for_each(|one| one.value += shift);
            let (plain, shifted) = (fit(&plain, 10).unwrap(), fit(&shifted, 10).unwrap());
            for (a, b) in plain.effects.iter().zip(&shifted.effects) {
                prop_assert!((a - b).abs() < 1e-8);
            }
            prop_assert!((plain.noise - shifted.noise).abs() < 1e-6);
        }

        #[test]
        fn without_noise_the_effects_are_exact(seed: u64) {
            let truth = Truth { layouts: 7, together: 3, rounds: 2, layout_sd: 1.0, noise_sd: 0.0, phase_sd: 5.0 };
            let fit = fit(&observations(&truth, seed), 8).unwrap();
            let effects = truth.effects(seed);
            let mean = effects[1..].iter().sum::<f64>() / 7.0;
            for (found, known) in fit.effects.iter().zip(&effects) {
                prop_assert!((found - (known - mean)).abs() < 1e-8);
            }
            prop_assert!(fit.noise < 1e-12);
        }
    }
}
