//! What numbers of the user's own say, what they don't, and what would.

use protocol::calibration::points;
use protocol::compare::numbers::Judged;
use protocol::compare::{Outcome, size};

use super::{NO_VERDICT, answer, level, tables};
use crate::words::{count, signed, terminal};

/// Standard deviation in points of a phase value on a machine that is neither quiet nor busy (docs/measuring.md), and that
/// it is taken as known.
const USUAL: (f64, usize) = (0.4, 95);

/// The estimate, what can be concluded and what not, and how many runs or phases it would take.
pub fn numbers(judged: &Judged) -> String {
    let what = match judged.paired {
        true => format!("{} pairs of runs", judged.a.len()),
        false => format!("{} of A and {} of B, not in pairs", count(judged.a.len(), "run"), judged.b.len()),
    };
    let mut text = format!(
        "{what}\nSpeed-up of B over A: {} %\n\n{}\n",
        signed(judged.estimate.percent),
        tables(&judged.estimate)
    );
    text.push_str("What follows:\n");
    text.push_str(&format!("  {}\n", follows(judged)));
    text.push_str("What does not:\n");
    for line in unknown(judged) {
        text.push_str(&format!("  {line}\n"));
    }
    text.push_str("What it would take:\n");
    for line in needed(judged) {
        text.push_str(&format!("  {line}\n"));
    }
    text.push_str(&format!("\n{}\n{NO_VERDICT}\n", answer(&judged.estimate, judged.outcome)));
    terminal(&text)
}

fn follows(judged: &Judged) -> String {
    let these = "these two files, on this machine, in these runs";
    match judged.outcome {
        Outcome::Faster => format!("Of {these}, B was faster."),
        Outcome::Slower => format!("Of {these}, B was slower."),
        Outcome::NotResolved => {
            format!("Nothing about the sign: of {these}, neither can be called the faster one.")
        }
    }
}

fn unknown(judged: &Judged) -> Vec<String> {
    let mut lines = Vec::new();
    for interval in &judged.estimate.intervals {
        match interval.percent {
            None => lines.push(format!(
                "A {} interval: so few runs can't give one, however they come out.",
                level(interval)
            )),
            Some((low, high)) if low <= 0.0 && high >= 0.0 => {
                lines.push(format!(
                    "That the difference is real: the {} interval holds zero.",
                    level(interval)
                ));
                break;
            }
            Some(_) => {}
        }
    }
    lines.push(
        "That the change made it: each file lies in one layout. Two builds of one speed differ by up to a percent by layout alone, \
         and more runs of the same files show the same luck again."
            .to_owned(),
    );
    lines.push("That it searches the same tree, and that the machine treated both alike.".to_owned());
    lines
}

fn needed(judged: &Judged) -> Vec<String> {
    let runs = if judged.paired { "pairs of runs" } else { "runs of each" };
    let wanted = judged.resolution_percent;
    let mut lines = vec![format!(
        "For ±{wanted} % at this noise (sd {:.2} points): {} {runs}, of many fresh builds.",
        judged.sd, judged.needed
    )];
    if let Some(needed) = judged.needed_for_estimate {
        lines.push(format!(
            "To tell {} % from zero at this noise: {needed} {runs}.",
            signed(judged.estimate.percent)
        ));
    }
    lines.push(format!(
        "In turns of a few milliseconds under drawn layouts (bench-lab compare A B), at the usual {} points: {} phases of some seconds for ±{wanted} %.",
        USUAL.0,
        size::phases(USUAL.0, USUAL.1, points(wanted))
    ));
    lines
}
