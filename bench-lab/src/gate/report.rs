//! Everything that a gate found, as all outputs tell it.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Detail, Value};
use super::outcome::Outcome;
use super::question::Question;
use super::row::{Row, Severity};
use super::state::State;

/// The format of [`Report`]; its schema is `docs/schema/gate-1.json`.
pub const FORMAT: u32 = 1;

/// What was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The gate file, as the user named it.
    pub file: String,
    /// The name of what was asked about.
    pub head: String,
    /// The name of what it was compared with, where that was measured.
    pub base: Option<String>,
    /// Whether what cannot be said fails.
    pub strict: bool,
    /// The questions.
    pub questions: Vec<Question>,
}

/// What a gate found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// [`FORMAT`].
    pub format: u32,
    /// The gate file.
    pub file: String,
    /// What was asked about.
    pub head: String,
    /// What it was compared with, beside what was recorded.
    pub base: Option<String>,
    /// Whether what cannot be said fails.
    pub strict: bool,
    /// The questions.
    pub questions: Vec<Question>,
    /// What all rows come to.
    pub state: State,
    /// The exit code.
    pub exit: u8,
    /// Rows that fail.
    pub failures: usize,
    /// Rows that warn.
    pub warnings: usize,
    /// One row a benchmark.
    pub rows: Vec<Row>,
    /// Tables behind them.
    pub details: Vec<Detail>,
    /// Every measured value.
    pub values: Vec<Value>,
}

impl Report {
    /// Of all answers.
    pub fn of(asked: Asked, answers: Vec<Answer>) -> (Report, Outcome) {
        let (mut rows, mut details, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for answer in answers {
            rows.extend(answer.rows);
            details.extend(answer.details);
            values.extend(answer.values);
        }
        let outcome = Outcome::of(&rows, asked.strict);
        let Asked { file, head, base, strict, questions } = asked;
        let Outcome { state, exit, failures, warnings } = outcome;
        let report = Report {
            format: FORMAT,
            file,
            head,
            base,
            strict,
            questions,
            state,
            exit: exit.code(),
            failures,
            warnings,
            rows,
            details,
            values,
        };
        (report, outcome)
    }

    /// The rows with what they ask for, the worst first, otherwise in their order.
    pub fn by_severity(&self) -> Vec<(&Row, Severity)> {
        let mut rows: Vec<(&Row, Severity)> =
            self.rows.iter().map(|row| (row, row.severity(self.strict))).collect();
        rows.sort_by_key(|&(row, severity)| std::cmp::Reverse((severity, row.state)));
        rows
    }
}
