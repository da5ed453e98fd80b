//! The table of the command line.

use protocol::simulation::{Cell, Rate, Simulation};

use super::{Bound, false_proofs};
use crate::table::aligned;
use crate::words::{count, grouped};

/// Every model with its rates by gain, then what became of the bound.
pub fn table(simulation: &Simulation) -> String {
    let mut text = format!(
        "{} trials a line, seed {}: {} on {}, phase values with an sd of {} points, threshold of the whole bundle {} %.\n",
        grouped(simulation.trials),
        simulation.seed,
        count(simulation.components, "component"),
        count(simulation.lanes, "lane"),
        simulation.sd,
        simulation.threshold_percent
    );
    for outcome in &simulation.outcomes {
        let mut rows = vec![head(simulation.components > 1)];
        rows.extend(outcome.cells.iter().map(row));
        let numbers: Vec<usize> = (0..rows[0].len()).collect();
        text.push_str(&format!("\n{}\n", outcome.noise));
        for line in aligned(&rows, &numbers).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text.push_str(
        "\n7 of 8: one component on one lane has seven of eight runs above zero. alone: it passes there, no phase being scattered.\n\
         all: every component passes on every lane. trial: and the whole bundle exceeds its threshold.\n",
    );
    if simulation.components > 1 {
        text.push_str(
            "one idle: the trial is proven although its first component does nothing and only the others have the gain.\n",
        );
    }
    let proofs = false_proofs(simulation);
    if !proofs.is_empty() {
        text.push_str(&format!(
            "\nFalse proofs of one comparison; the bound is 9/256 = {}:\n",
            percent(simulation.bound)
        ));
        let rows: Vec<Vec<String>> = proofs
            .iter()
            .map(|(outcome, rate)| {
                let said = match Bound::of(rate, simulation.bound) {
                    Bound::Reached => "the bound, within sampling error".to_owned(),
                    Bound::Kept => "below the bound".to_owned(),
                    Bound::Broken(factor) => format!("BROKEN: {factor:.1} times the bound"),
                };
                vec![outcome.noise.name().to_owned(), percent(rate.share), interval(rate), said]
            })
            .collect();
        for line in aligned(&rows, &[1, 2]).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

fn head(bundle: bool) -> Vec<String> {
    let head = ["gain %", "7 of 8", "alone", "95 % interval", "all", "trial"];
    head.into_iter().chain(bundle.then_some("one idle")).map(str::to_owned).collect()
}

fn row(cell: &Cell) -> Vec<String> {
    let mut row = vec![
        format!("{:.2}", cell.gain_percent),
        percent(cell.signs.share),
        percent(cell.comparison.share),
        interval(&cell.comparison),
        percent(cell.components.share),
        percent(cell.proven.share),
    ];
    row.extend(cell.worthless.map(|rate| percent(rate.share)));
    row
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

fn interval(rate: &Rate) -> String {
    format!("[{:.2}, {:.2}]", 100.0 * rate.interval.0, 100.0 * rate.interval.1)
}
