//! What the records tell of each arm on each lane, over the whole trial.

use std::collections::BTreeSet;

use protocol::ProcessRecord;

use crate::trial::Trial;

/// An arm on a lane.
pub struct Totals<'a> {
    /// The arm's name.
    pub arm: &'a str,
    /// The lane's name.
    pub lane: &'a str,
    /// How many processes there were.
    pub processes: usize,
    /// The different node counts of processes: one, unless trees differ.
    pub nodes: BTreeSet<u64>,
    /// Processor time of all searches, seconds.
    pub cpu_seconds: f64,
    /// Searched nodes over processor time; zero without any.
    pub nodes_per_second: f64,
    /// Where the machine counts them.
    pub counters: Option<PerNode>,
}

/// Hardware counts for one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerNode {
    /// Instructions.
    pub instructions: f64,
    /// Processor cycles.
    pub cycles: f64,
}

impl PerNode {
    /// Instructions for one cycle.
    pub fn instructions_per_cycle(&self) -> f64 {
        self.instructions / self.cycles
    }
}

/// Every arm and lane that has records.
pub fn totals<'a>(trial: &Trial<'a>) -> Vec<Totals<'a>> {
    let of = |arm: &'a str, lane: &'a str| {
        let mine = |record: &&ProcessRecord| record.arm == arm && record.lane == lane;
        let records: Vec<&ProcessRecord> = trial.records.iter().filter(mine).collect();
        (!records.is_empty()).then(|| total(arm, lane, &records))
    };
    let plan = trial.plan;
    let lanes = plan.lanes.iter().map(|lane| lane.name.as_str());
    lanes.flat_map(|lane| plan.arms.iter().filter_map(move |arm| of(&arm.name, lane))).collect()
}

fn total<'a>(arm: &'a str, lane: &'a str, records: &[&ProcessRecord]) -> Totals<'a> {
    let nodes: f64 = records.iter().map(|record| record.nodes as f64).sum();
    let cpu_seconds = records.iter().map(|record| record.cpu_ns as f64).sum::<f64>() / 1e9;
    Totals {
        arm,
        lane,
        processes: records.len(),
        nodes: records.iter().map(|record| record.nodes).collect(),
        cpu_seconds,
        nodes_per_second: if cpu_seconds > 0.0 { nodes / cpu_seconds } else { 0.0 },
        counters: per_node(records),
    }
}

fn per_node(records: &[&ProcessRecord]) -> Option<PerNode> {
    let (mut nodes, mut cycles, mut instructions) = (0.0, 0.0, 0.0);
    for (record, counters) in records.iter().filter_map(|record| Some((record, record.counters?))) {
        nodes += record.nodes as f64;
        cycles += counters.cycles as f64;
        instructions += counters.instructions as f64;
    }
    (nodes > 0.0 && cycles > 0.0)
        .then(|| PerNode { instructions: instructions / nodes, cycles: cycles / nodes })
}
