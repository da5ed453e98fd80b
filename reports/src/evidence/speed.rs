//! Node rates, counters, and what else the records tell about the arms.

use protocol::ProcessRecord;

use super::{Cell, Part, Table};
use crate::trial::Trial;
use crate::words::{duration, grouped, signed};

pub fn part(trial: &Trial) -> Part {
    let mut tables = vec![rates(trial), trimmed(trial)];
    let counters = counters(trial);
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

/// The records of every arm and lane that has any.
fn cells<'a>(trial: &'a Trial) -> impl Iterator<Item = (&'a str, &'a str, Vec<&'a ProcessRecord>)> {
    trial.plan.lanes.iter().flat_map(move |lane| {
        trial.plan.arms.iter().filter_map(move |arm| {
            let mine = |record: &&ProcessRecord| record.arm == arm.name && record.lane == lane.name;
            let records: Vec<&ProcessRecord> = trial.records.iter().filter(mine).collect();
            (!records.is_empty()).then_some((arm.name.as_str(), lane.name.as_str(), records))
        })
    })
}

fn rates(trial: &Trial) -> Table {
    let rows = cells(trial).map(|(arm, lane, records)| {
        let nodes: u64 = records.iter().map(|record| record.nodes).sum();
        let cpu = records.iter().map(|record| record.cpu_ns as f64).sum::<f64>() / 1e9;
        let mut by_process: Vec<u64> = records.iter().map(|record| record.nodes).collect();
        by_process.sort_unstable();
        by_process.dedup();
        let agree = match by_process.as_slice() {
            [one] => Cell::Mark(true, format!("{} each", grouped(*one))),
            several => Cell::Mark(false, format!("{} different counts", several.len())),
        };
        vec![
            Cell::text(arm),
            Cell::text(lane),
            Cell::number(grouped(records.len() as u64)),
            agree,
            Cell::number(duration(cpu)),
            Cell::number(grouped(if cpu > 0.0 { (nodes as f64 / cpu).round() as u64 } else { 0 })),
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

fn counters(trial: &Trial) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = cells(trial)
        .filter_map(|(arm, lane, records)| {
            let counted: Vec<_> =
                records.iter().filter_map(|record| Some((record.nodes, record.counters?))).collect();
            let nodes = counted.iter().map(|(nodes, _)| *nodes as f64).sum::<f64>();
            let cycles = counted.iter().map(|(_, counters)| counters.cycles as f64).sum::<f64>();
            let instructions = counted.iter().map(|(_, counters)| counters.instructions as f64).sum::<f64>();
            (nodes > 0.0 && cycles > 0.0).then(|| {
                vec![
                    Cell::text(arm),
                    Cell::text(lane),
                    Cell::number(grouped((instructions / nodes).round() as u64)),
                    Cell::number(grouped((cycles / nodes).round() as u64)),
                    Cell::number(format!("{:.2}", instructions / cycles)),
                ]
            })
        })
        .collect();
    (!rows.is_empty()).then(|| {
        Table::new(
            "Hardware counters",
            &["Arm", "Lane", "Instructions a node", "Cycles a node", "Instructions a cycle"],
            rows,
        )
    })
}
