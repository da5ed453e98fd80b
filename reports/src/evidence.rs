//! The evidence behind the verdict, as tables, plots and lists.

mod arms;
mod builds;
mod calibration;
mod diagnostics;
mod layout;
mod losses;
mod machine;
mod order;
mod outside;
mod parts;
mod shared;
mod speed;
mod time;

pub use calibration::floor as noise_floor;
pub use layout::{line_phases, offsets};

use askama::Template;

use crate::chart::Chart;
use crate::trial::{ReportError, Trial};

/// One section of the evidence.
pub struct Part {
    /// Its anchor.
    pub anchor: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it shows, in plain words.
    pub intro: String,
    /// Its plots with their captions.
    pub plots: Vec<(String, Chart)>,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Its statements.
    pub list: Vec<String>,
}

/// A table; the first cell of a row names it.
#[derive(Template)]
#[template(path = "table.html")]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Heads of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// Folded away until asked for.
    pub folded: bool,
}

/// One cell.
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, set flush right.
    Number(String),
    /// A hash or names.
    Code(String),
    /// A command: its words, and whether a word is marked.
    Command(Vec<(bool, String)>),
    /// A finding: mark and words.
    Mark(bool, String),
}

impl Table {
    fn new(caption: impl Into<String>, head: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        Self { caption: caption.into(), head, rows, folded: false }
    }

    fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    /// Whether a column holds numbers.
    pub fn numeric(&self, column: &usize) -> bool {
        self.rows.first().and_then(|row| row.get(*column)).is_some_and(|cell| matches!(cell, Cell::Number(_)))
    }
}

impl Cell {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    fn number(text: impl Into<String>) -> Self {
        Self::Number(text.into())
    }

    fn code(text: impl Into<String>) -> Self {
        Self::Code(text.into())
    }
}

/// Everything, in reading order.
pub fn parts(trial: &Trial) -> Result<Vec<Part>, ReportError> {
    let parts = [
        Some(calibration::part(trial)?),
        losses::part(trial),
        diagnostics::part(trial),
        Some(order::part(trial)?),
        Some(layout::part(trial)?),
        Some(layout::unscattered(trial)),
        Some(speed::part(trial)),
        time::part(trial),
        Some(arms::part(trial)),
        Some(machine::part(trial)),
    ];
    Ok(parts.into_iter().flatten().collect())
}
