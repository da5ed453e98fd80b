//! Node rates, counters, and what else the records tell about the arms.

use super::{Cell, Part, Table};
use crate::arms::{Totals, totals};
use crate::trial::Trial;
use crate::words::{duration, grouped, signed};

pub fn part(trial: &Trial) -> Part {
    let arms = totals(trial);
    let mut tables = vec![rates(&arms), trimmed(trial)];
    let counters = counters(&arms);
    let intro = if counters.is_some() {
        "Rates over the whole trial, for orientation: the verdict compares arms phase by phase. Hardware counters are \
         given beside the processor time; they judge nothing."
    } else {
        "Rates over the whole trial, for orientation: the verdict compares arms phase by phase. Hardware counters \
         (instructions, cycles): not offered by this machine."
    };
    tables.extend(counters);
    Part {
        anchor: "speed",
        title: "Rates and counters",
        intro: intro.to_owned(),
        plots: Vec::new(),
        tables,
        list: Vec::new(),
    }
}

fn rates(arms: &[Totals]) -> Table {
    let rows = arms.iter().map(|arm| {
        let nodes: Vec<u64> = arm.nodes.iter().copied().collect();
        let agree = match nodes.as_slice() {
            [one] => Cell::Mark(true, format!("{} each", grouped(*one))),
            several => Cell::Mark(false, format!("{} different counts", several.len())),
        };
        vec![
            Cell::text(arm.arm),
            Cell::text(arm.lane),
            Cell::number(grouped(arm.processes as u64)),
            agree,
            Cell::number(duration(arm.cpu_seconds)),
            Cell::number(grouped(arm.nodes_per_second.round() as u64)),
        ]
    });
    Table::new(
        "Arms over the whole trial",
        &["Arm", "Lane", "Processes", "Nodes", "Processor time", "Nodes a second"],
        rows.collect(),
    )
}

fn trimmed(trial: &Trial) -> Table {
    let rows = trial.subjects().into_iter().flat_map(|subject| {
        subject.lanes.iter().map(move |comparison| {
            vec![
                Cell::text(subject.name),
                Cell::text(&comparison.lane),
                Cell::number(signed(comparison.median)),
                Cell::number(signed(comparison.trimmed_median)),
            ]
        })
    });
    Table::new(
        "The judged quantity beside the trimmed mean of single positions, which weights all positions alike (points)",
        &[
            "Full against base or without",
            "Lane",
            "Log ratio of total rates (judged)",
            "Trimmed mean (not judged)",
        ],
        rows.collect(),
    )
}

fn counters(arms: &[Totals]) -> Option<Table> {
    let row = |arm: &Totals| {
        let counted = arm.counters?;
        Some(vec![
            Cell::text(arm.arm),
            Cell::text(arm.lane),
            Cell::number(grouped(counted.instructions.round() as u64)),
            Cell::number(grouped(counted.cycles.round() as u64)),
            Cell::number(format!("{:.2}", counted.instructions_per_cycle())),
        ])
    };
    let rows: Vec<Vec<Cell>> = arms.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| {
        Table::new(
            "Hardware counters",
            &["Arm", "Lane", "Instructions a node", "Cycles a node", "Instructions a cycle"],
            rows,
        )
    })
}
