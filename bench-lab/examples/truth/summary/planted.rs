//! Planted slow-downs: what the lab measures of a truth that was found without it.

use std::path::Path;

use super::super::handicap::Calibration;
use super::trials::{self, Judged};
use super::{read, table};

/// How far an estimate may lie from the truth, in points.
const NEAR: f64 = 0.15;

pub fn text(folder: &Path) -> anyhow::Result<Option<String>> {
    let folder = folder.join("handicap");
    let Some(json) = read(&folder.join("calibration.json"))? else { return Ok(None) };
    let calibration: Calibration = serde_json::from_str(&json)?;
    let trials = trials::all(&folder.join("trials"))?;
    let mut text = format!(
        "A node of this workload takes {:.0} instructions (callgrind). A handicap of 100 % adds {:.1} % to the instructions and, in the \
         median of {} pairs of whole processes, {:.1} % to the time; the truth of a smaller one is its share of that.\n\n",
        calibration.instructions_a_node,
        100.0 * calibration.instruction_share,
        calibration.seconds.len(),
        100.0 * calibration.time_share
    );
    let rows: Vec<Vec<String>> =
        trials.iter().map(|trial| row(trial, &calibration)).collect::<anyhow::Result<_>>()?;
    text.push_str(&table(
        &[
            "planted",
            "by instructions",
            "truth",
            "estimate",
            "93 % interval",
            "error",
            "within 0.15",
            "verdict",
        ],
        &rows,
    ));
    text.push_str(
        "\nGains in percentage points of log rate; the estimate is the median of the run values.\n",
    );
    Ok(Some(text))
}

/// Folders are named by the handicap in hundredths of a percent.
fn row(trial: &Judged, calibration: &Calibration) -> anyhow::Result<Vec<String>> {
    let hundredths: u32 = trial.name.parse()?;
    let share = calibration.instruction_share * f64::from(hundredths) / 10_000.0;
    let truth = calibration.points(hundredths);
    let comparison = trial.comparison();
    let error = comparison.median - truth;
    Ok(vec![
        format!("{:.2} %", f64::from(hundredths) / 100.0),
        format!("{:+.2}", 100.0 * share.ln_1p()),
        format!("{truth:+.2}"),
        format!("{:+.2}", comparison.median),
        format!("[{:+.2}, {:+.2}]", comparison.interval.0, comparison.interval.1),
        format!("{error:+.2}"),
        if error.abs() <= NEAR { "yes" } else { "no" }.to_owned(),
        if comparison.passed { "proven" } else { "not proven" }.to_owned(),
    ])
}
