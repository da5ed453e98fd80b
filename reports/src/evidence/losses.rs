//! What the components cost beside speed: measured, let pass, declared.

use protocol::losses::LossKind;
use protocol::verdict::Loss;

use super::{Cell, Part, Table};
use crate::losses::{self, component, noun, outcome, plain, signed};
use crate::trial::Trial;

/// The losses of a trial that measured them.
pub fn part(trial: &Trial) -> Option<Part> {
    let tolerance = trial.plan.tolerance.as_ref()?;
    let share = |kind, allowance: protocol::losses::Allowance| {
        format!("{} % or {}, whichever is more", allowance.percent, plain(kind, allowance.least as f64))
    };
    let list = vec![
        format!("Memory: {}.", share(LossKind::Memory, tolerance.memory)),
        format!("Executable size: {}.", share(LossKind::ExecutableSize, tolerance.executable_size)),
        format!("Start-up time: {}.", share(LossKind::StartUpTime, tolerance.start_up_time)),
        format!("Another lane's speed: {} %.", tolerance.lane_percent),
    ];
    Some(Part {
        anchor: "losses",
        title: "Losses",
        intro: format!(
            "What full costs beside speed, against full without each component and against base. Memory is the peak of \
             resident memory at the end of a process's work, start-up time the wall time from its start to its first \
             readyok on the lane's core; of a run the medians over its processes are compared, and a loss counts when it \
             is beyond its tolerance in at least 7 of the 8 runs. The executable is the one that the linker first made: \
             drawn ones are padded to common slots. {} The plan lets pass:",
            losses::REMEDY
        ),
        plots: Vec::new(),
        tables: vec![table(trial), declared(trial)],
        list,
    })
}

fn table(trial: &Trial) -> Table {
    let rows = trial.verdict.losses.iter().map(|loss| row(trial, loss)).collect();
    Table::new(
        "Measured losses: medians over the runs",
        &[
            "Component",
            "What",
            "Lane",
            "Full",
            "Other arm",
            "Difference",
            "Let pass",
            "Runs beyond",
            "What follows",
        ],
        rows,
    )
}

fn row(trial: &Trial, loss: &Loss) -> Vec<Cell> {
    let name = component(trial.plan, loss).unwrap_or("whole bundle");
    let (full, other) = match loss.kind {
        LossKind::LaneSpeed => ("–".to_owned(), "–".to_owned()),
        kind => (plain(kind, loss.full), plain(kind, loss.other)),
    };
    vec![
        Cell::text(name),
        Cell::text(noun(loss.kind)),
        Cell::text(&loss.lane),
        Cell::number(full),
        Cell::number(other),
        Cell::number(signed(loss.kind, loss.full - loss.other)),
        Cell::number(plain(loss.kind, loss.allowed)),
        Cell::number(format!("{} of {}", loss.over, loss.differences.len())),
        Cell::Mark(!loss.locks, outcome(loss)),
    ]
}

/// Every declaration beside what became of it.
fn declared(trial: &Trial) -> Table {
    let rows = trial.plan.components.iter().map(|component| {
        let costs = if component.costs.is_empty() { "none".to_owned() } else { component.costs.join("; ") };
        vec![Cell::text(&component.name), Cell::text(costs)]
    });
    Table::new("Declared before the first measurement", &["Component", "Costs"], rows.collect())
}
