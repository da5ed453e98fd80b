//! Numbers of the user's own: nodes per second of A and of B, from a few runs of each.

use serde::{Deserialize, Serialize};

use super::{CompareError, Estimate, Outcome, size};
use crate::calibration::points;
use crate::statistics::standard_deviation;

/// Version of [`Judged`].
pub const JUDGED_FORMAT: u32 = 1;

/// What the user measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Nodes per second of A.
    pub a: Vec<f64>,
    /// Nodes per second of B.
    pub b: Vec<f64>,
    /// Whether the n-th of both belong together.
    pub paired: bool,
}

/// Why a text holds no such numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: found {found}, expected {expected}")]
pub struct NumbersError {
    /// Line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: &'static str,
}

/// What a user's numbers say, and what it would take to say more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Version of this structure.
    pub format: u32,
    /// Whether the numbers were taken as pairs.
    pub paired: bool,
    /// Nodes per second of A.
    pub a: Vec<f64>,
    /// Nodes per second of B.
    pub b: Vec<f64>,
    /// What follows.
    pub estimate: Estimate,
    /// The same in a word.
    pub outcome: Outcome,
    /// Standard deviation of one comparison (a pair, or a run of B against one of A), percentage points.
    pub sd: f64,
    /// Wanted half width of the 93 % interval, percent.
    pub resolution_percent: f64,
    /// Runs of each that would give it at this noise.
    pub needed: usize,
    /// Runs of each that would tell the estimate from zero at this noise; none for an estimate of zero.
    pub needed_for_estimate: Option<usize>,
}

impl Numbers {
    /// Reads `A B` pairs, one a line, or lines that begin with `A` or `B` and hold numbers of that one. `#` starts a comment;
    /// blanks, commas, semicolons and tabs separate; a first line without numbers is a heading.
    ///
    /// # Errors
    /// With the first line that is neither.
    pub fn read(text: &str) -> Result<Numbers, NumbersError> {
        let mut numbers = Numbers { a: Vec::new(), b: Vec::new(), paired: true };
        let (mut first, mut labelled) = (true, None);
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or_default();
            let separates = |c: char| c.is_whitespace() || c == ',' || c == ';';
            let words: Vec<&str> = content.split(separates).filter(|word| !word.is_empty()).collect();
            let is_heading = first && words.iter().all(|word| word.parse::<f64>().is_err());
            if words.is_empty() || std::mem::take(&mut first) && is_heading {
                continue;
            }
            let label = Side::of(words[0].trim_end_matches(':'));
            if *labelled.get_or_insert(label.is_some()) != label.is_some() {
                let expected = "lines of one kind: pairs `A B`, or lines that begin with `A` or `B`";
                return Err(NumbersError { line, found: format!("`{}`", content.trim()), expected });
            }
            match (label, words.as_slice()) {
                (Some(side), [_, rates @ ..]) if !rates.is_empty() => {
                    numbers.paired = false;
                    for rate in rates {
                        let rate = rate_of(rate, line)?;
                        if side == Side::A { &mut numbers.a } else { &mut numbers.b }.push(rate);
                    }
                }
                (None, [a, b]) => {
                    numbers.a.push(rate_of(a, line)?);
                    numbers.b.push(rate_of(b, line)?);
                }
                _ => {
                    let expected =
                        "two numbers (nodes per second of A and of B), or `A` or `B` and its numbers";
                    return Err(NumbersError { line, found: format!("`{}`", content.trim()), expected });
                }
            }
        }
        Ok(numbers)
    }

    /// What they say, and what a resolution in percent would take.
    ///
    /// # Errors
    /// With too few of them.
    pub fn judge(&self, resolution_percent: f64) -> Result<Judged, CompareError> {
        let log = |rates: &[f64]| rates.iter().map(|rate| 100.0 * rate.ln()).collect::<Vec<f64>>();
        let (a, b) = (log(&self.a), log(&self.b));
        let (estimate, sd, freedom) = if self.paired {
            let values: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
            (Estimate::paired(&values)?, standard_deviation(&values), values.len() - 1)
        } else {
            let estimate = Estimate::unpaired(&a, &b)?;
            let (f, g) = (a.len() as f64 - 1.0, b.len() as f64 - 1.0);
            let pooled = f * standard_deviation(&a).powi(2) + g * standard_deviation(&b).powi(2);
            (estimate, (2.0 * pooled / (f + g)).sqrt(), a.len() + b.len() - 2)
        };
        let size = |percent: f64| size::phases(sd, freedom, points(percent).abs());
        Ok(Judged {
            format: JUDGED_FORMAT,
            paired: self.paired,
            a: self.a.clone(),
            b: self.b.clone(),
            outcome: estimate.outcome(),
            sd,
            resolution_percent,
            needed: size(resolution_percent),
            needed_for_estimate: (estimate.percent != 0.0).then(|| size(estimate.percent)),
            estimate,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    A,
    B,
}

impl Side {
    fn of(word: &str) -> Option<Side> {
        match word {
            "A" | "a" => Some(Side::A),
            "B" | "b" => Some(Side::B),
            _ => None,
        }
    }
}

fn rate_of(word: &str, line: usize) -> Result<f64, NumbersError> {
    let rate = word.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    let expected = "a number above zero, without thousands separators";
    rate.ok_or_else(|| NumbersError { line, found: format!("`{word}`"), expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_lists_are_read() {
        let pairs =
            Numbers::read("A, B\n# quiet machine\n1000, 1010\n990\t1005 # second\n\n").expect("pairs");
        assert_eq!(pairs, Numbers { a: vec![1000.0, 990.0], b: vec![1010.0, 1005.0], paired: true });
        let lists = Numbers::read("A: 1000 990 995\nb 1010;1005\n").expect("lists");
        assert_eq!(lists, Numbers { a: vec![1000.0, 990.0, 995.0], b: vec![1010.0, 1005.0], paired: false });
    }

    #[test]
    fn the_first_bad_line_is_named() {
        for (text, line, found) in [
            ("1 2\n3\n", 2, "`3`"),
            ("1 2\n3 x\n", 2, "`x`"),
            ("1 2\n0 4\n", 2, "`0`"),
            ("A 1 2\n3 4\n", 2, "`3 4`"),
            ("A 1\nB\n", 2, "`B`"),
            ("1,234,567 1,250,000\n", 1, "`1,234,567 1,250,000`"),
            ("speed of both\nand again\n", 2, "`and`"),
        ] {
            let error = Numbers::read(text).expect_err(text);
            assert_eq!((error.line, error.found.as_str()), (line, found), "{text}");
        }
    }

    #[test]
    fn what_it_takes_follows_from_the_noise() {
        let numbers =
            Numbers::read("1000 1021\n1010 1015\n990 1030\n1005 1012\n995 1018\n1002 1030\n").expect("pairs");
        let judged = numbers.judge(0.25).expect("judged");
        assert_eq!(judged.needed, size::phases(judged.sd, 5, points(0.25)));
        assert!(judged.needed_for_estimate.is_some_and(|needed| needed < judged.needed));
        let same = Numbers { a: vec![5.0; 4], b: vec![5.0; 4], paired: true }.judge(1.0).expect("judged");
        assert_eq!((same.outcome, same.needed_for_estimate), (Outcome::NotResolved, None));
        let one = Numbers { a: vec![5.0], b: vec![5.0], paired: true }.judge(1.0);
        assert!(matches!(one, Err(CompareError::TooFew { found: 1, .. })));
        let unpaired = Numbers { paired: false, ..numbers }.judge(0.25).expect("judged");
        assert!(unpaired.sd > 0.0 && unpaired.needed >= size::LEAST);
    }
}
