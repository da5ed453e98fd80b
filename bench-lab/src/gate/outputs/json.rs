//! The report as JSON; its schema is `docs/schemas/gate-1.schema.json`.

use super::super::report::Report;

/// The whole report.
pub fn json(report: &Report) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}
