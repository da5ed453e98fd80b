//! Planted slow-downs: what the lab measures of a truth that was found without it.

use std::path::Path;

use super::super::handicap::{Calibration, points};
use super::trials::{self, Judged};
use super::{read, table};

/// How far an estimate may lie from what was planted, in points.
const NEAR: f64 = 0.15;
/// The trial of the whole handicap.
const WHOLE: &str = "whole";

pub fn text(folder: &Path) -> anyhow::Result<Option<String>> {
    let folder = folder.join("handicap");
    let Some(json) = read(&folder.join("calibration.json"))? else { return Ok(None) };
    let calibration: Calibration = serde_json::from_str(&json)?;
    let (whole, trials): (Vec<Judged>, Vec<Judged>) =
        trials::all(&folder.join("trials"))?.into_iter().partition(|trial| trial.name == WHOLE);
    let in_slots = whole.first().map(|trial| (trial.comparison().median / 100.0).exp_m1());
    let mut text = format!(
        "A node of this workload takes {:.0} instructions (callgrind). A handicap of 100 % adds {:.1} % to the instructions. To the time it \
         adds {:.1} % in the median of {} pairs of whole processes that run alone{}; a smaller one adds its share of that.\n\n",
        calibration.instructions_a_node,
        100.0 * calibration.instruction_share,
        100.0 * calibration.time_share,
        calibration.seconds.len(),
        in_slots.map_or_else(String::new, |share| format!(
            ", and {:.1} % in the slots of a trial",
            100.0 * share
        )),
    );
    let rows: Vec<Vec<String>> =
        trials.iter().map(|trial| row(trial, &calibration, in_slots)).collect::<anyhow::Result<_>>()?;
    text.push_str(&table(
        &[
            "planted",
            "by instructions",
            "by time alone",
            "by time in slots",
            "estimate",
            "93 % interval",
            "error",
            "within 0.15",
            "verdict",
        ],
        &rows,
    ));
    text.push_str(
        "\nGains in percentage points of log rate; the estimate is the median of the run values, its error that against the instructions.\n",
    );
    Ok(Some(text))
}

/// Folders are named by the handicap in hundredths of a percent.
fn row(trial: &Judged, calibration: &Calibration, in_slots: Option<f64>) -> anyhow::Result<Vec<String>> {
    let hundredths: u32 = trial.name.parse()?;
    let planted = points(calibration.instruction_share, hundredths);
    let comparison = trial.comparison();
    let error = comparison.median - planted;
    Ok(vec![
        format!("{:.2} %", f64::from(hundredths) / 100.0),
        format!("{planted:+.2}"),
        format!("{:+.2}", points(calibration.time_share, hundredths)),
        in_slots
            .map_or_else(|| "not measured".to_owned(), |share| format!("{:+.2}", points(share, hundredths))),
        format!("{:+.2}", comparison.median),
        format!("[{:+.2}, {:+.2}]", comparison.interval.0, comparison.interval.1),
        format!("{error:+.2}"),
        if error.abs() <= NEAR { "yes" } else { "no" }.to_owned(),
        if comparison.passed { "proven" } else { "not proven" }.to_owned(),
    ])
}
