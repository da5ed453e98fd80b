//! `records.jsonl`: one [`ProcessRecord`] a line, as JSON.

use crate::misread;
use crate::record::ProcessRecord;

/// A line that is no record.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    /// The line does not parse.
    #[error("records, line {line}: {found}; expected a record")]
    NotARecord {
        /// Line, from 1.
        line: usize,
        /// What it is instead, with the column.
        found: String,
    },
    /// The file stops within a line.
    #[error("records, line {line}: no newline at the end, expected whole lines")]
    Torn {
        /// Line, from 1.
        line: usize,
    },
}

/// Reads all lines.
///
/// # Errors
/// The first line that is not a record, or a last line that was cut off.
pub fn read(text: &str) -> Result<Vec<ProcessRecord>, LineFault> {
    let lines = (1..).zip(text.split_inclusive('\n'));
    let records = lines.map(|(line, text)| {
        let Some(text) = text.strip_suffix('\n') else {
            return Err(LineFault::Torn { line });
        };
        serde_json::from_str(text).map_err(|e| LineFault::NotARecord { line, found: misread::told(&e) })
    });
    records.collect()
}

/// The line of one record, newline included.
///
/// # Errors
/// Never for a record of this crate's making; the type is that of the serialiser.
pub fn write(record: &ProcessRecord) -> Result<String, serde_json::Error> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    Ok(line)
}
