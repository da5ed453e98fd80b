//! Where the trial's wall time went.

use super::{Cell, Part, Table};
use crate::trial::{Rest, Timing, Trial};
use crate::words::{count, duration, precise};

/// Nothing for a trial that did not keep the time.
pub fn part(trial: &Trial) -> Option<Part> {
    let timing = trial.timing?;
    Some(Part {
        anchor: "time",
        title: "Where the time went",
        intro: format!(
            "The trial took {}. Every moment of it belongs to one line; what was done beside something else, such as \
             drawing the next layouts, counts only as far as it was waited for. None of it enters the verdict.",
            duration(timing.trial_seconds)
        ),
        plots: Vec::new(),
        tables: vec![spent(timing)],
        list: draws(timing).into_iter().chain(timing.pauses.iter().map(pause)).collect(),
    })
}

fn spent(timing: &Timing) -> Table {
    let share = |seconds: f64| match timing.trial_seconds > 0.0 {
        true => format!("{:.1} %", 100.0 * seconds / timing.trial_seconds),
        false => "–".to_owned(),
    };
    let rows = timing.spent.iter().map(|(what, seconds)| {
        vec![Cell::text(what), Cell::number(duration(*seconds)), Cell::number(share(*seconds))]
    });
    Table::new("Wall time of the trial", &["Spent on", "Time", "Share"], rows.collect())
}

/// What the draws cost, whether they were waited for or not.
fn draws(timing: &Timing) -> Option<String> {
    let draws = &timing.draws;
    (draws.relinks > 0).then(|| {
        format!(
            "{} relinked {}: {} of work for a draw of all arms, {} for one executable on average.",
            count(draws.count, "draw"),
            count(draws.relinks, "executable"),
            precise(draws.mean_seconds),
            precise(draws.mean_relink_seconds)
        )
    })
}

/// A pause, which is in none of the times.
fn pause(rest: &Rest) -> String {
    let Rest { after_run, from, to, seconds } = rest;
    let long = seconds.map_or(String::new(), |seconds| format!(", {} in all", duration(seconds)));
    format!("Paused after run {after_run}, from {from} to {to}{long}; none of that is in the times above.")
}
