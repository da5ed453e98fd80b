//! The noise floor beside the measured gains.

use super::{Cell, Part, Table};
use crate::chart::Chart;
use crate::forest::{Row, forest};
use crate::trial::{ReportError, Trial};
use crate::words::{duration, signed};

pub fn part(trial: &Trial) -> Result<Part, ReportError> {
    let calibration = &trial.plan.calibration;
    let table = Table::new(
        "A/A before the plan: copies of full against each other, roles swapped",
        &[
            "Lane",
            "Phases",
            "Sd of a phase value",
            "Bias",
            "One phase",
            "Provable, 80 %",
            "Provable, 95 %",
            "2.0 rule by noise",
        ],
        calibration
            .iter()
            .map(|lane| {
                vec![
                    Cell::text(&lane.lane),
                    Cell::number(lane.phases.to_string()),
                    Cell::number(format!("{:.2} points", lane.sd)),
                    Cell::number(format!("{} points", signed(lane.bias))),
                    Cell::number(duration(lane.phase_seconds)),
                    provable(lane.provable_80),
                    provable(lane.provable_95),
                    Cell::number(format!("{:.1} %", 100.0 * lane.scatter_risk)),
                ]
            })
            .collect(),
    );
    Ok(Part {
        anchor: "calibration",
        title: "Calibration: noise against gain",
        intro: "Before the plan was made, an A/A on every lane measured how far two copies of one and the same arm seem \
                to differ. The first rows show those single phase values with their mean and one standard deviation; \
                below them the gains with their eight run values, each a mean of twelve phases. \u{201c}Provable\u{201d} \
                is the smallest gain that the trial proves with that probability. The calibration never changes a \
                verdict."
            .to_owned(),
        plots: vec![("Noise floor and gains on one axis".to_owned(), floor(trial)?)],
        tables: vec![table],
        list: Vec::new(),
    })
}

/// Single A/A phase values above the gains of the components.
pub fn floor(trial: &Trial) -> Result<Chart, ReportError> {
    let gains =
        trial.subjects().iter().filter(|subject| !subject.whole).flat_map(Row::of).collect::<Vec<_>>();
    let rows: Vec<Row> = Row::noise(trial).into_iter().chain(gains).collect();
    forest("Noise floor and gains", &rows)
}

fn provable(gain: Option<f64>) -> Cell {
    Cell::number(gain.map_or("none: too much scatter".to_owned(), |gain| format!("{gain:.2} %")))
}
