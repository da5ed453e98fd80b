//! A comparison of two builds in words: for a terminal and for a commit message.

mod commit;
mod numbers;
mod text;

pub use commit::{commit_message, commit_message_of_numbers};
pub use numbers::numbers;
pub use text::table;

use protocol::compare::{Estimate, Interval, Outcome};

use crate::columns::columns;
use crate::words::signed;

/// What a comparison is not.
const NO_VERDICT: &str = "Not a verdict: a comparison gives one number for all that differs between two builds. A trial (bench-lab run) \
    fixes its rules in a plan, lets every component prove itself, and bounds how often it is wrong.";

/// A probability as one says it: never quite sure.
fn probability(p: f64) -> String {
    match 100.0 * p {
        p if p < 0.1 => "below 0.1 %".to_owned(),
        p if p > 99.9 => "above 99.9 %".to_owned(),
        p if (10.0..90.0).contains(&p) => format!("{p:.0} %"),
        p => format!("{p:.1} %"),
    }
}

/// `93 %`
fn level(interval: &Interval) -> String {
    format!("{:.0} %", 100.0 * interval.level)
}

/// `[+0.31, +0.94] %`, or that there is none.
fn ends(interval: &Interval) -> String {
    match interval.percent {
        Some((low, high)) => format!("[{}, {}] %", signed(low), signed(high)),
        None => "too few values".to_owned(),
    }
}

/// The intervals and the probabilities, one below the other.
fn tables(estimate: &Estimate) -> String {
    let head = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let mut rows = vec![head(["interval", "speed-up of B", "covers"])];
    rows.extend(estimate.intervals.iter().map(|interval| {
        let covers = interval.covers.map_or("–".to_owned(), |covers| format!("{:.1} %", 100.0 * covers));
        vec![level(interval), ends(interval), covers]
    }));
    let mut chances = vec![vec!["B is faster by at least".to_owned(), "probability".to_owned()]];
    let chance =
        |f: &protocol::compare::Faster| vec![format!("{} %", f.by_percent), probability(f.probability)];
    chances.extend(estimate.faster.iter().map(chance));
    format!("{}\n{}", columns(&rows, 1), columns(&chances, 1))
}

/// The answer in one sentence.
fn answer(estimate: &Estimate, outcome: Outcome) -> String {
    let ends = estimate.intervals.first().and_then(|interval| interval.percent);
    match (outcome, ends) {
        (Outcome::Faster, Some((low, high))) => {
            format!("FASTER: B is faster than A, by {low:.2} to {high:.2} % (93 % interval).")
        }
        (Outcome::Slower, Some((low, high))) => {
            format!("SLOWER: B is slower than A, by {:.2} to {:.2} % (93 % interval).", -high, -low)
        }
        (_, Some((low, high))) => format!(
            "NOT RESOLVED: the difference lies between {} and {} % (93 % interval); neither faster nor slower is shown.",
            signed(low),
            signed(high)
        ),
        (_, None) => "NOT RESOLVED: so few values give no 93 % interval at all.".to_owned(),
    }
}
