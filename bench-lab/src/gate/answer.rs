//! All that the answer to a question holds: rows to judge by, and what lies behind them.

use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::question::Question;
use super::row::{Place, Row, Unit};

/// What one question gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// One row a benchmark.
    pub rows: Vec<Row>,
    /// Tables for who wants to know more.
    pub details: Vec<Detail>,
    /// Every single value that was measured.
    pub values: Vec<Value>,
    /// What would be recorded of the head; none where nothing is.
    pub baseline: Option<Baseline>,
}

/// A table behind the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detail {
    /// What it shows, in one line.
    pub title: String,
    /// The heads of its columns.
    pub columns: Vec<String>,
    /// Its rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

/// Which side a value was measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// What is compared with.
    Base,
    /// The same once more: what differs between the two is noise.
    BaseAgain,
    /// What is asked about.
    Head,
}

/// One measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The question.
    pub question: Question,
    /// The benchmark.
    pub benchmark: String,
    /// The side.
    pub side: Side,
    /// Which one of its side, from 1, in the order of measuring.
    pub number: usize,
    /// What it counts.
    pub unit: Unit,
    /// The value.
    pub value: f64,
}

impl Value {
    /// What was measured at a place.
    pub fn new(place: &Place, side: Side, number: usize, value: f64) -> Value {
        let Place { question, benchmark, unit } = place.clone();
        Value { question, benchmark, side, number, unit, value }
    }
}
