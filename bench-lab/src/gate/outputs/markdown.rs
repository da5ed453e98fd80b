//! The report for a pull request: the verdict first, the rows in a table, everything else folded.

use reports::{escape, inline};

use super::super::answer::Detail;
use super::super::report::Report;
use super::super::row::{Row, Severity};
use super::words;

/// Most bytes of a comment. GitHub takes 65,536 characters; a character has at least one byte.
pub const MOST: usize = 65_536;

/// Bytes kept for saying what was left out.
const RESERVE: usize = 400;

/// The comment's hidden first line: by it a later one finds the comment that it replaces.
pub fn marker(report: &Report) -> String {
    // Two hyphens would end the comment.
    format!("<!-- bench-lab gate: {} -->", plain(&report.file).replace("--", "- -"))
}

/// A comment for a pull request.
pub fn comment(report: &Report) -> String {
    let mut text = Bounded::new(format!("{}\n{}", marker(report), head(report)));
    text.push_body(report);
    text.end()
}

/// The same for a step's summary, which is never replaced.
pub fn summary(report: &Report) -> String {
    let mut text = Bounded::new(head(report));
    text.push_body(report);
    text.end()
}

fn head(report: &Report) -> String {
    let head = format!("### {} {}\n\n", report.state.mark(), inline(&words::verdict(report)));
    let against = match &report.base {
        Some(base) => format!("`{}` against `{}`", plain(&report.head), plain(base)),
        None => format!("`{}` against what is recorded", plain(&report.head)),
    };
    format!("{head}{against}, as `{}` asks.\n\n", plain(&report.file))
}

/// Text that grows only as far as it may.
struct Bounded {
    text: String,
    left_out: usize,
}

impl Bounded {
    fn new(text: String) -> Bounded {
        Bounded { text, left_out: 0 }
    }

    /// Adds a piece if it fits with what has to follow it.
    fn push(&mut self, piece: &str, closing: usize) -> bool {
        let fits = self.text.len() + piece.len() + closing + RESERVE <= MOST;
        match fits {
            true => self.text += piece,
            false => self.left_out += 1,
        }
        fits
    }

    fn push_body(&mut self, report: &Report) {
        const HEADS: &str =
            "| | question | benchmark | change | base → head | limits |\n|---|---|---|---|---|---|\n";
        if report.rows.is_empty() {
            return;
        }
        self.push(HEADS, 0);
        let rows = report.by_severity();
        for (row, severity) in &rows {
            self.push(&line(row, *severity), 0);
        }
        let notes: Vec<String> = rows.iter().filter_map(|(row, _)| note(row)).collect();
        self.folded("What is to be said of them", &notes);
        for detail in &report.details {
            self.folded(&detail.title, &lines(detail));
        }
    }

    /// A folded section, of as many lines as fit. Its title stands in a tag, where Markdown is not read.
    fn folded(&mut self, title: &str, lines: &[String]) {
        const CLOSING: &str = "\n</details>\n";
        if lines.is_empty() {
            return;
        }
        if !self.push(&format!("\n<details><summary>{}</summary>\n\n", escape(title)), CLOSING.len()) {
            return;
        }
        for line in lines {
            self.push(line, CLOSING.len());
        }
        self.text += CLOSING;
    }

    fn end(mut self) -> String {
        if self.left_out > 0 {
            self.text += &format!(
                "\n{} more lines are left out: a comment holds no more; `gate.json` has all of them.\n",
                self.left_out
            );
        }
        self.text
    }
}

fn line(row: &Row, severity: Severity) -> String {
    let state = format!("{} {}{}", row.state.mark(), row.state, words::weight(row, severity));
    let cells = [
        state,
        row.question.to_string(),
        row.benchmark.clone(),
        words::change(row),
        words::sides(row),
        words::limits(row),
    ];
    table_line(&cells)
}

fn note(row: &Row) -> Option<String> {
    let told = || format!("- {} of {}: {}\n", row.question, inline(&row.benchmark), inline(&row.note));
    (!row.note.is_empty()).then(told)
}

fn lines(detail: &Detail) -> Vec<String> {
    let rule = format!("|{}\n", "---|".repeat(detail.columns.len()));
    let rows = detail.rows.iter().map(|row| table_line(row));
    [table_line(&detail.columns), rule].into_iter().chain(rows).collect()
}

fn table_line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| inline(text)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text of a piece of code: one line, without what would end it.
fn plain(text: &str) -> String {
    let shown = |c: char| match c {
        '`' => '\'',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(shown).collect()
}
