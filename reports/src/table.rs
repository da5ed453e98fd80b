//! The verdict as the command line prints it.

use protocol::RUNS;

use crate::summary::headline;
use crate::trial::Trial;
use crate::{diagnostics, losses, outlook, qualified, reasons, words};

/// A plain-text table: component, lane, the run values, positives, largest deviation, median
/// with its interval, verdict; then the bundle, the reasons, losses beyond tolerance, the plan's notes and one sentence.
/// What locks the bundle, and that a verdict is limited, stands before everything else.
pub fn table(trial: &Trial) -> String {
    let mut rows = vec![head()];
    let mut against = Vec::new();
    for subject in trial.subjects() {
        for comparison in subject.lanes {
            let mut row = vec![subject.name.to_owned(), comparison.lane.clone()];
            row.extend(
                (0..RUNS).map(|run| {
                    comparison.runs.get(run).map_or("–".to_owned(), |&value| words::signed(value))
                }),
            );
            row.push(format!("{}/{RUNS}", comparison.positive));
            row.push(format!("{:.2}", comparison.largest_deviation));
            row.push(words::signed(comparison.median));
            row.push(words::interval(comparison.interval));
            let limited = if trial.verdict.limited && comparison.passed { ", limited" } else { "" };
            row.push(format!(
                "{} {}{limited}",
                words::mark(comparison.passed),
                words::verdict(comparison.passed)
            ));
            rows.push(row);
            for reason in reasons::reasons(comparison, subject.bar, reasons::NAMED) {
                against.push(format!("{} on {}: {reason}", subject.name, comparison.lane));
            }
        }
    }
    let first = qualified::limited(trial.plan, trial.verdict);
    let locks = losses::locks(trial.plan, trial.verdict);
    let mut text: String = locks.iter().map(|line| format!("LOCKED: {line}.\n")).collect();
    if !locks.is_empty() {
        text.push_str(&format!("{}\n\n", losses::REMEDY));
    }
    text.push_str(&first.map_or(String::new(), |line| format!("LIMITED: {line}\n\n")));
    let numbers: Vec<usize> = (2..rows[0].len() - 1).collect();
    text.push_str(&aligned(&rows, &numbers));
    text.push_str(
        "\nValues in percentage points of log rate. The whole bundle's run values must exceed the threshold of \
         ",
    );
    let bar = trial.subjects().last().map_or(0.0, |bundle| bundle.bar);
    text.push_str(&format!("{} % ({}).\n", trial.verdict.bundle.threshold_percent, words::signed(bar)));
    let sets = qualified::bench_counts(trial.plan);
    if sets.len() > 1 {
        text.push_str(&format!("Build sets: {}.\n", sets.join("; ")));
    }
    if let Some(attempt) = qualified::attempt(trial.plan) {
        text.push_str(&format!("{attempt}\n"));
    }
    for reason in against {
        text.push_str(&format!("  ✗ {reason}\n"));
    }
    for loss in trial.verdict.losses.iter().filter(|loss| loss.beyond) {
        text.push_str(&format!("  {} {}\n", words::mark(!loss.locks), losses::line(trial.plan, loss)));
    }
    for note in &trial.plan.notes {
        text.push_str(&format!("  ! {note}\n"));
    }
    for (lead, lines) in [
        (outlook::lead(trial), outlook::lines(trial)),
        ("Diagnostics, outside the verdict:", diagnostics::lines(trial)),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("\n{lead}\n"));
        }
        text.extend(lines.iter().map(|line| format!("  ? {line}\n")));
    }
    let word = qualified::heading(trial.verdict).to_uppercase();
    text.push_str(&format!("\n{word}: {}\n", headline(trial)));
    words::terminal(&text)
}

fn head() -> Vec<String> {
    let mut head = vec!["component".to_owned(), "lane".to_owned()];
    head.extend((1..=RUNS).map(|run| format!("run {run}")));
    head.extend(["> bar", "dev", "median", "93 % interval", "verdict"].map(str::to_owned));
    head
}

/// Columns of equal width: `numbers` flush right, the others flush left.
pub(crate) fn aligned(rows: &[Vec<String>], numbers: &[usize]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if numbers.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}
