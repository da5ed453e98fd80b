//! Every measured value as CSV, for whoever computes it again.

use super::super::report::Report;

/// One line a value, in the order of measuring within each side.
pub fn csv(report: &Report) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["question", "benchmark", "side", "number", "unit", "value"])?;
    for value in &report.values {
        let side = serde_json::to_value(value.side)?;
        let (number, amount) = (value.number.to_string(), value.value.to_string());
        writer.write_record([
            value.question.name(),
            &value.benchmark,
            side.as_str().unwrap_or_default(),
            &number,
            value.unit.name(),
            &amount,
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
