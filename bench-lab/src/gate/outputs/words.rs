//! Numbers and rows in words, the same in every output.

use super::super::limits::Bound;
use super::super::report::Report;
use super::super::row::{Row, Severity, Unit};
use super::super::state::State;
use crate::columns;

/// Most rows that a verdict names.
const NAMED: usize = 3;

/// A whole number with its thousands apart.
pub fn grouped(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}", columns::grouped(number.abs().round_ties_even() as u64))
}

/// A number of a row.
pub fn amount(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds => format!("{:.3} ms", value / 1e6),
        unit => format!("{} {}", grouped(value), unit.name()),
    }
}

/// Percent with a sign, three digits of them.
pub fn percent(value: f64) -> String {
    if value == 0.0 {
        return "0 %".to_owned();
    }
    format!("{value:+.*} %", decimals(value))
}

/// Decimals that show three digits, at least two.
fn decimals(value: f64) -> usize {
    match value.abs() {
        size if size >= 100.0 || !size.is_finite() => 0,
        size if size >= 1.0 => 2,
        size => (2.0 - size.log10().floor()).min(9.0) as usize,
    }
}

/// The change with its interval.
pub fn change(row: &Row) -> String {
    match (row.change, row.interval) {
        (None, _) => String::new(),
        (Some(change), None) => percent(change),
        (Some(change), Some([low, high])) => {
            format!("{} [{}, {}]", percent(change), percent(low), percent(high))
        }
    }
}

/// The limits: `soft 0.1 %, hard 0.3 %`.
pub fn limits(row: &Row) -> String {
    let told = |name: &str, bound: Option<Bound>| {
        Some(match bound?.limit {
            Some(limit) => format!("{name} {limit} %"),
            None => format!("{name}, equal"),
        })
    };
    let both = [told("soft", row.soft), told("hard", row.hard)];
    both.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Both sides: `1,000 → 1,003 instructions`.
pub fn sides(row: &Row) -> String {
    match (row.base, row.head) {
        (Some(base), Some(head)) if base == head => amount(head, row.unit),
        (Some(base), Some(head)) => format!("{} → {}", amount(base, row.unit), amount(head, row.unit)),
        (Some(base), None) => format!("{} → ?", amount(base, row.unit)),
        (None, Some(head)) => format!("? → {}", amount(head, row.unit)),
        (None, None) => String::new(),
    }
}

/// A row in one sentence, without its state.
pub fn sentence(row: &Row) -> String {
    let change = change(row);
    let facts = [sides(row), change, limits(row), row.note.clone()];
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    format!("{} of {}: {}", row.question, row.benchmark, facts.join("; "))
}

/// Text of others, which must neither steer a terminal nor break a line.
pub fn one_line(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// The verdict in one line.
pub fn verdict(report: &Report) -> String {
    let count = |state| report.rows.iter().filter(|row| row.state == state).count();
    let all = State::ALL.map(|state| (count(state), state.words()));
    let all: Vec<String> =
        all.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
    let decisive = match report.state {
        State::Held => Vec::new(),
        state => named(report, state),
    };
    let mut text = report.state.words().to_owned();
    if !decisive.is_empty() {
        text += &format!(": {}", decisive.join(", "));
    }
    match all.is_empty() {
        true => text += " (nothing was asked)",
        false => text += &format!(" ({})", all.join(", ")),
    }
    text
}

/// The rows that make the verdict.
fn named(report: &Report, state: State) -> Vec<String> {
    let is_decisive = |row: &&Row| {
        row.state == state && (state == State::Void || row.hard.is_some_and(|bound| bound.state == state))
    };
    let rows: Vec<&Row> = report.rows.iter().filter(is_decisive).collect();
    let name = |row: &&Row| match row.change.filter(|_| state == State::Lost) {
        Some(change) => format!("{} of {} {}", row.question, row.benchmark, percent(change)),
        None => format!("{} of {}", row.question, row.benchmark),
    };
    let mut names: Vec<String> = rows.iter().take(NAMED).map(name).collect();
    if rows.len() > NAMED {
        names.push(format!("{} more", rows.len() - NAMED));
    }
    names
}

/// What is told beside a row's state: that it only warns, or that it fails.
pub fn weight(row: &Row, severity: Severity) -> &'static str {
    match (row.state, severity) {
        (State::Lost, Severity::Warning) => " (warning)",
        (State::CannotSay, Severity::Failure) => " (strict)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_with_as_many_digits_as_they_need() {
        for (number, text) in [
            (0.0, "0"),
            (999.0, "999"),
            (1_000.0, "1,000"),
            (1_544_252.0, "1,544,252"),
            (-12_345.0, "-12,345"),
        ] {
            assert_eq!(grouped(number), text);
        }
        for (value, text) in [
            (0.0, "0 %"),
            (1.0, "+1.00 %"),
            (-0.123_4, "-0.123 %"),
            (0.000_012_34, "+0.0000123 %"),
            (12.345, "+12.35 %"),
            (1234.5, "+1234 %"),
            (f64::INFINITY, "+inf %"),
        ] {
            assert_eq!(percent(value), text);
        }
        assert_eq!(amount(12_345_678.0, Unit::Nanoseconds), "12.346 ms");
        assert_eq!(amount(4096.0, Unit::Bytes), "4,096 bytes");
    }
}
