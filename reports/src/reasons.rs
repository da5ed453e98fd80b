//! Findings against a comparison in words.

use protocol::verdict::{Comparison, Reason};
use protocol::{MAX_DEVIATION, POSITIVE_RUNS, RUNS};

use crate::words::{count, signed};

/// Names of unscattered data that a sentence carries; the component's own section lists them all.
pub const NAMED: usize = 4;

/// Every kind of reason against a comparison, once each, however many phases are scattered; of unscattered data at
/// most so many names.
pub fn reasons(comparison: &Comparison, bar: f64, names: usize) -> Vec<String> {
    let mut said = Vec::new();
    let mut scattered: Vec<(usize, usize, f64)> = Vec::new();
    for reason in &comparison.reasons {
        match reason {
            Reason::NotPositive { .. } if costs_speed(comparison) => said.push(costs(comparison)),
            Reason::NotPositive { positive } => said.push(not_positive(*positive, bar)),
            Reason::TooScattered { run, phase, deviation } => scattered.push((*run, *phase, *deviation)),
            Reason::Unscattered { moved, symbols } => said.push(unscattered(*moved, symbols, names)),
        }
    }
    if let Some(&(run, phase, deviation)) = scattered.iter().max_by(|a, b| a.2.total_cmp(&b.2)) {
        let lead = match scattered.len() {
            1 => "too scattered:".to_owned(),
            several => format!("too scattered: {several} phase values are, most of all"),
        };
        said.push(format!(
            "{lead} run {run}, phase {phase}, {deviation:.2} points from its run's median, {MAX_DEVIATION:.1} allowed"
        ));
    }
    said
}

/// The reasons in a word or three each, as verdict tables have them.
pub fn why_not(comparison: &Comparison) -> String {
    let few = if costs_speed(comparison) { "costs speed" } else { "not positive enough" };
    let kinds = [
        (not_enough(comparison), few),
        (scattered(comparison), "too scattered"),
        (moved_unscattered(comparison).is_some(), "moves unscattered data"),
    ];
    kinds.iter().filter(|(holds, _)| *holds).map(|(_, words)| *words).collect::<Vec<_>>().join(", ")
}

/// Whether too few runs stand against a comparison.
pub fn not_enough(comparison: &Comparison) -> bool {
    comparison.reasons.iter().any(|reason| matches!(reason, Reason::NotPositive { .. }))
}

/// Whether a comparison is as clearly below zero as a proven one is above it.
pub fn costs_speed(comparison: &Comparison) -> bool {
    below_zero(comparison) >= POSITIVE_RUNS
}

/// Whether scatter stands against a comparison.
pub fn scattered(comparison: &Comparison) -> bool {
    comparison.reasons.iter().any(|reason| matches!(reason, Reason::TooScattered { .. }))
}

/// The data that no draw scatters and whose place stands against a comparison: how many objects, and the first of
/// their names.
pub fn moved_unscattered(comparison: &Comparison) -> Option<(usize, &[String])> {
    comparison.reasons.iter().find_map(|reason| match reason {
        Reason::Unscattered { moved, symbols } => Some((*moved, symbols.as_slice())),
        _ => None,
    })
}

/// Names with the count of those that are left out: `a, b and 7 more`.
pub fn named(moved: usize, symbols: &[String], most: usize) -> String {
    let shown = &symbols[..symbols.len().min(most)];
    match moved - shown.len().min(moved) {
        0 => shown.join(", "),
        more if shown.is_empty() => count(more, "object"),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn unscattered(moved: usize, symbols: &[String], names: usize) -> String {
    format!(
        "moves unscattered data, unproven whatever its numbers: the place of {} changes with it, and no draw scatters that",
        named(moved, symbols, names)
    )
}

fn below_zero(comparison: &Comparison) -> usize {
    comparison.runs.iter().filter(|&&run| run < 0.0).count()
}

fn costs(comparison: &Comparison) -> String {
    let slower =
        if comparison.against == "base" { "base is faster" } else { "the bundle is faster without it" };
    let (below, median) = (below_zero(comparison), signed(comparison.median));
    format!("costs speed: {below} of {RUNS} run values below zero, median {median} points; {slower}")
}

fn not_positive(positive: usize, bar: f64) -> String {
    let bar = if bar == 0.0 { "zero".to_owned() } else { format!("{} points", signed(bar)) };
    format!("not positive enough: {positive} of {RUNS} run values above {bar}, {POSITIVE_RUNS} needed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_left_out_are_counted() {
        let symbols = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(named(3, &symbols, 4), "a, b, c");
        assert_eq!(named(3, &symbols, 2), "a, b and 1 more");
        assert_eq!(named(40, &symbols, 4), "a, b, c and 37 more");
        assert_eq!(named(1, &[], 4), "1 object");
    }
}
