//! Estimate, intervals and confidence from ranks: they hold for small numbers and for heavy tails.
//!
//! Of paired values the *elements* are the averages of every two values, each with itself too (Walsh averages); of unpaired
//! ones all differences of a value of B and one of A.
//!
//! - Estimate: the median of the elements (J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests",
//!   Annals of Mathematical Statistics 34, 1963).
//! - Interval: from the k-th smallest to the k-th largest element, with the largest k for which the null distribution says
//!   `P(X < k) ≤ (1 − level) / 2`; it covers the true shift with probability `1 − 2 P(X < k)`, whatever the distribution
//!   (E. L. Lehmann, "Nonparametric confidence intervals for a shift parameter", the same volume).
//! - Confidence that the shift exceeds g: with w elements above g, `P(X < w) + P(X = w) / 2`: one minus the one-sided mid-p-value
//!   (H. O. Lancaster, "Significance tests in discrete distributions", Journal of the American Statistical Association 56,
//!   1961) of the test that it does not. As a function of g it is the confidence distribution whose quantiles the intervals are.
//!
//! What is assumed: paired values are independent and symmetric about the shift, which the difference of two equally
//! disturbed measurements is; unpaired ones differ by a shift alone.

use super::CompareError;
use super::null::Null;
use crate::statistics::{median, sorted};

/// Values, ready to be asked.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// In ascending order.
    elements: Vec<f64>,
    null: Null,
}

impl Ranked {
    /// Values that belong to pairs.
    ///
    /// # Errors
    /// With fewer than two, or one that is not finite.
    pub fn paired(values: &[f64]) -> Result<Ranked, CompareError> {
        check("values", values, 0)?;
        let averages = (0..values.len())
            .flat_map(|i| (0..=i).map(move |j| (i, j)))
            .map(|(i, j)| (values[i] + values[j]) / 2.0);
        Ok(Ranked { elements: sorted(&averages.collect::<Vec<_>>()), null: Null::signed_rank(values.len()) })
    }

    /// Values of A and of B that don't belong together.
    ///
    /// # Errors
    /// With fewer than two on a side, or one that is not finite.
    pub fn unpaired(a: &[f64], b: &[f64]) -> Result<Ranked, CompareError> {
        check("values of A", a, 0)?;
        check("values of B", b, a.len())?;
        let differences = b.iter().flat_map(|b| a.iter().map(move |a| b - a));
        Ok(Ranked {
            elements: sorted(&differences.collect::<Vec<_>>()),
            null: Null::mann_whitney(a.len(), b.len()),
        })
    }

    /// The median of the elements.
    pub fn estimate(&self) -> f64 {
        median(&self.elements)
    }

    /// The interval that covers at least `level`, and how much it covers; none when so few values give none.
    pub fn interval(&self, level: f64) -> Option<((f64, f64), f64)> {
        let tail = (1.0 - level) / 2.0;
        let k = (1..=self.elements.len()).take_while(|&k| self.null.below(k) <= tail).last()?;
        let ends = (self.elements[k - 1], self.elements[self.elements.len() - k]);
        (ends.0 <= ends.1).then(|| (ends, 1.0 - 2.0 * self.null.below(k)))
    }

    /// The confidence that the shift exceeds `gain`.
    pub fn above(&self, gain: f64) -> f64 {
        let count = |is: fn(&f64, f64) -> bool| self.elements.iter().filter(|one| is(one, gain)).count();
        let (above, equal) = (count(|one, gain| *one > gain), count(|one, gain| *one == gain));
        // An element that equals the gain stands half on each side.
        let at = |w: usize| (self.null.below(w) + self.null.up_to(w)) / 2.0;
        (at(above) + at(above + equal)) / 2.0
    }
}

fn check(what: &'static str, values: &[f64], before: usize) -> Result<(), CompareError> {
    if values.len() < 2 {
        return Err(CompareError::TooFew { what, found: values.len(), expected: 2 });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(CompareError::NotFinite { number: before + at + 1, value: values[at] }),
        None => Ok(()),
    }
}
