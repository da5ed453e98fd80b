//! The comparison as the command line prints it.

use protocol::compare::{Comparison, Side};
use protocol::plan::PartState;

use super::{NO_VERDICT, answer, tables};
use crate::columns::columns;
use crate::words::{count, duration, grouped, signed, terminal};

/// What stands first when nothing was relinked.
const LIMITED: &str = "LIMITED to start-up layouts: executables cannot be relinked. The answer holds for these two files as they are linked; \
    how code and data happen to lie in them can make as much as a percent of it. Compare commits or captures to draw that too.";

/// Both sides, the estimate with its intervals and probabilities, how it was measured, and the answer.
pub fn table(comparison: &Comparison) -> String {
    let mut text = String::new();
    if comparison.is_limited() {
        text.push_str(&format!("{LIMITED}\n\n"));
    }
    let row = |letter: &str, side: &Side, rate: f64| {
        let rate = format!("{} nodes/s", grouped(rate.round() as u64));
        vec![letter.to_owned(), side.name.clone(), what(side), rate]
    };
    let sides = [row("A", &comparison.a, comparison.rates.0), row("B", &comparison.b, comparison.rates.1)];
    text.push_str(&columns(&sides, 3));
    text.push_str(&format!(
        "\nSpeed-up of B over A: {} %\n\n{}\n{}\n{}\n",
        signed(comparison.estimate.percent),
        tables(&comparison.estimate),
        measured(comparison),
        trees(comparison)
    ));
    for note in &comparison.notes {
        text.push_str(&format!("  ! {note}\n"));
    }
    text.push_str(&format!(
        "\n{}{}\n{NO_VERDICT}\n",
        answer(&comparison.estimate, comparison.outcome),
        missed(comparison)
    ));
    terminal(&text)
}

/// What a side is, ids shortened.
fn what(side: &Side) -> String {
    let short = |word: &str| match word.len() > 20 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => word[..12].to_owned(),
        false => word.to_owned(),
    };
    side.what.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// How it was measured.
fn measured(comparison: &Comparison) -> String {
    let sizing = &comparison.sizing;
    let drawn = comparison.layout.parts.iter().filter(|part| part.state == PartState::Drawn);
    let drawn: Vec<&str> = drawn.map(|part| part.part.as_str()).collect();
    format!(
        "{} in {}, {} of each in turns of {} ms on core {}; a process searches {} to {} nodes.\n\
         The number of phases was fixed beforehand: for ±{} % at a standard deviation of {:.2} points in {} that were thrown away.\n\
         Drawn anew in every phase, alike for both: {}; master seed {}.",
        count(comparison.values.len(), "phase"),
        duration(comparison.seconds),
        count(comparison.processes, "process"),
        comparison.slice_us as f64 / 1000.0,
        comparison.lane.core,
        count(comparison.workload.positions.len(), "position"),
        grouped(comparison.workload.nodes),
        sizing.resolution_percent,
        sizing.sd,
        count(sizing.calibration_phases, "phase"),
        if drawn.is_empty() { "nothing".to_owned() } else { drawn.join(", ") },
        comparison.layout.seed,
    )
}

/// What the same-tree check covered.
fn trees(comparison: &Comparison) -> String {
    let Some(identity) = &comparison.identity else {
        return "The trees were not compared: nodes per second of different trees are different work."
            .to_owned();
    };
    let level = |level: &protocol::plan::IdentityLevel| {
        format!("{} at {} nodes", count(level.positions, "position"), grouped(level.nodes))
    };
    let levels: Vec<String> = identity.levels.iter().map(level).collect();
    let bench = identity.bench_nodes.values().find(|&&nodes| nodes > 0);
    let bench = bench.map_or(String::new(), |&nodes| format!(", bench {}", grouped(nodes)));
    format!("Same tree in {}{bench}.", levels.join(" and "))
}

/// That the interval came out wider than was wanted.
fn missed(comparison: &Comparison) -> String {
    let wanted = comparison.sizing.resolution_percent;
    match comparison.estimate.half_width() {
        Some(reached) if reached > wanted => format!(
            " It is ±{reached:.2} % instead of the ±{wanted} % that were wanted: the phases scattered more than the calibration's."
        ),
        _ => String::new(),
    }
}
