//! The report on a terminal.

use super::super::report::Report;
use super::super::row::Row;
use super::words;
use crate::columns::columns;

/// One line a row, its note below it, and the verdict last.
pub fn table(report: &Report) -> String {
    let cells: Vec<[String; 5]> = report.rows.iter().map(|row| cells(row, report.strict)).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for (row, cells) in report.rows.iter().zip(&cells) {
        let padded: Vec<String> =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let line = format!("{}  {}", padded.join("  "), cells[4]);
        text += line.trim_end();
        text.push('\n');
        if !row.note.is_empty() {
            text += &format!("    {}\n", words::one_line(&row.note));
        }
    }
    for detail in &report.details {
        text += &format!("\n{}\n", words::one_line(&detail.title));
        let shown = |row: &Vec<String>| row.iter().map(|cell| words::one_line(cell)).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = [&detail.columns].into_iter().chain(&detail.rows).map(shown).collect();
        text += &columns(&rows, detail.columns.len());
    }
    if !report.rows.is_empty() {
        text.push('\n');
    }
    text += &format!("{} {}\n", report.state.mark(), words::one_line(&words::verdict(report)));
    text
}

fn cells(row: &Row, strict: bool) -> [String; 5] {
    let state = format!("{} {}{}", row.state.mark(), row.state, words::weight(row, row.severity(strict)));
    [
        row.question.to_string(),
        words::one_line(&row.benchmark),
        state,
        words::change(row),
        sides_and_limits(row),
    ]
}

fn sides_and_limits(row: &Row) -> String {
    let sides = words::sides(row);
    let limits = words::limits(row);
    match sides.is_empty() {
        true => limits,
        false => format!("{sides} ({limits})"),
    }
}
