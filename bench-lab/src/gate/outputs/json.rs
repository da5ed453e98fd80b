//! The report as JSON; its schema is `docs/schema/gate-1.json`.

use super::super::report::Report;
use crate::output;

/// The whole report.
pub fn json(report: &Report) -> anyhow::Result<String> {
    output::json(report)
}
