//! The verdict as the command line prints it.

use protocol::RUNS;

use crate::summary::headline;
use crate::trial::Trial;
use crate::words;

/// A plain-text table: component, lane, the run values, positives, largest deviation, median
/// with its interval, verdict; then the bundle, the reasons and one sentence.
pub fn table(trial: &Trial) -> String {
    let mut rows = vec![head()];
    let mut reasons = Vec::new();
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
            row.push(format!("{} {}", words::mark(comparison.passed), words::verdict(comparison.passed)));
            rows.push(row);
            for reason in words::reasons(comparison, subject.bar) {
                reasons.push(format!("{} on {}: {reason}", subject.name, comparison.lane));
            }
        }
    }
    let mut text = aligned(&rows);
    text.push_str(
        "\nValues in percentage points of log rate. The whole bundle's run values must exceed the threshold of \
         ",
    );
    let bar = trial.subjects().last().map_or(0.0, |bundle| bundle.bar);
    text.push_str(&format!("{} % ({}).\n", trial.verdict.bundle.threshold_percent, words::signed(bar)));
    for reason in reasons {
        text.push_str(&format!("  ✗ {reason}\n"));
    }
    let word = if trial.verdict.proven { "PROVEN" } else { "NOT PROVEN" };
    text.push_str(&format!("\n{word}: {}\n", headline(trial)));
    // The rule of a terminal is plain ASCII for numbers: they are pasted into other tools.
    printable(&text.replace('−', "-"))
}

fn head() -> Vec<String> {
    let mut head = vec!["component".to_owned(), "lane".to_owned()];
    head.extend((1..=RUNS).map(|run| format!("run {run}")));
    head.extend(["> bar", "dev", "median", "93 % interval", "verdict"].map(str::to_owned));
    head
}

/// Columns of equal width: names and the verdict flush left, numbers flush right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if column < 2 || column + 1 == columns {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A name must not steer the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
}
