//! Components removed together, after the trial and outside its verdict.

use protocol::RUNS;
use protocol::diagnostics::Joint;

use super::{Cell, Part, Table};
use crate::diagnostics::{Diagnosis, diagnosis, finding, missing, sentence};
use crate::trial::Trial;
use crate::words::{interval, listed, signed};

/// The diagnostics of a trial that has them.
pub fn part(trial: &Trial) -> Option<Part> {
    let planned = trial.plan.diagnostics.as_ref()?;
    let (tables, list) = match diagnosis(trial) {
        Diagnosis::None => return None,
        Diagnosis::Missing(why) => (Vec::new(), vec![format!("Not shown: {}.", missing(&why))]),
        Diagnosis::Joints(joints) => (vec![table(&joints)], joints.iter().map(sentence).collect()),
    };
    Some(Part {
        anchor: "diagnostics",
        title: "Diagnostics: removed together",
        intro: format!(
            "Measured after run 8 and outside the verdict: {RUNS} runs of {} on every lane, under draws and a slot plan of \
             their own, fixed in the plan like the trial's. Two components that do the same work look worthless when each \
             is left out alone, because the other one still does it; left out together they show it.",
            crate::words::count(planned.phases, "phase")
        ),
        plots: Vec::new(),
        tables,
        list,
    })
}

fn table(joints: &[Joint]) -> Table {
    let rows = joints.iter().map(|joint| {
        vec![
            Cell::text(listed(&joint.components)),
            Cell::text(&joint.lane),
            Cell::number(signed(joint.median)),
            Cell::number(interval(joint.interval)),
            Cell::number(format!("{} of {RUNS}", joint.positive)),
            Cell::number(signed(joint.alone)),
            Cell::number(interval(joint.alone_interval)),
            Cell::text(finding(joint.finding)),
        ]
    });
    Table::new(
        "Full against full without several components (points), beside the sum of what each shows left out alone",
        &[
            "Left out together",
            "Lane",
            "Gain",
            "93 % interval",
            "Runs above zero",
            "Left out alone, sum",
            "Sum of the intervals",
            "What it says",
        ],
        rows.collect(),
    )
}
