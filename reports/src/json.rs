//! The report as JSON for other programs: a structure of its own, with a version, which changes only with it.
//!
//! `docs/schema/report-1.json` is its JSON Schema, made from these types.

mod made;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::trial::{ReportError, Trial};

/// Name and version of [`Report`]. Members may be added to a version; one that goes or means something else makes a new
/// one.
pub const SCHEMA: &str = "bench-lab-report/1";

/// The trial as pretty JSON.
///
/// # Errors
/// When the parts are not of one trial.
pub fn json(trial: &Trial) -> Result<String, ReportError> {
    let mut text = serde_json::to_string_pretty(&Report::of(trial)?)?;
    text.push('\n');
    Ok(text)
}

/// A finished trial: what it proves, by which numbers, and what fixes it.
///
/// Gains are differences of log rates in percentage points (`…_points`); the same as a ratio of rates is `…_percent`.
/// Intervals are [second smallest, second largest] of eight run values and cover the median with 93 % probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Name and version of this structure: `bench-lab-report/1`.
    pub schema: String,
    /// Name of the bundle under test.
    pub bundle: String,
    /// Every component passed on every lane, the bundle passed, and no loss locks it.
    pub proven: bool,
    /// The executables' inner layout could not be drawn: the verdict holds for the one that each has.
    pub limited: bool,
    /// An undeclared loss locks the bundle, whatever its speed.
    pub locked: bool,
    /// The verdict in one sentence.
    pub headline: String,
    /// What was not proven and why, one sentence each; empty when everything was.
    pub not_proven: Vec<String>,
    /// The losses that lock the bundle, one sentence each.
    pub locks: Vec<String>,
    /// What qualifies the verdict beside the numbers.
    pub notes: Vec<String>,
    /// What it would take to resolve what was not proven.
    pub outlook: Vec<String>,
    /// What components removed together show, outside the verdict.
    pub diagnostics: Vec<String>,
    /// Which plan for this bundle it is in its register, from 1; null without a register.
    pub attempt: Option<usize>,
    /// One for every component, in the bundle's order.
    pub components: Vec<Component>,
    /// Full against base.
    pub whole_bundle: WholeBundle,
    /// What full costs beside speed; empty in trials that did not measure it.
    pub losses: Vec<Loss>,
    /// The A/A measurement before the plan, one for every lane: the noise floor.
    pub calibration: Vec<Calibration>,
    /// Every arm on every lane over the whole trial, for orientation: arms are judged phase by phase.
    pub arms: Vec<Arm>,
    /// What the draws moved, arm by arm.
    pub coverage: Vec<Coverage>,
    /// What was searched and how.
    pub trial: Conditions,
    /// What fixes plan, records and tool.
    pub hashes: Hashes,
    /// The machine.
    pub machine: Machine,
}

/// One component: full against full without it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Component {
    /// Its name.
    pub name: String,
    /// How it is switched, for people.
    pub switch: String,
    /// What it was declared to cost.
    pub costs: Vec<String>,
    /// Passed on every lane.
    pub proven: bool,
    /// One for every lane.
    pub lanes: Vec<Lane>,
}

/// The whole bundle: full against base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WholeBundle {
    /// The speed-up that had to be exceeded.
    pub threshold_percent: f64,
    /// Passed on every lane.
    pub proven: bool,
    /// One for every lane.
    pub lanes: Vec<Lane>,
}

/// Full against another arm on one lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lane {
    /// The lane's name.
    pub lane: String,
    /// The other arm.
    pub against: String,
    /// Passed here.
    pub proven: bool,
    /// Median of the eight run values.
    pub gain_points: f64,
    /// Its interval.
    pub interval_points: [f64; 2],
    /// The gain as a speed-up.
    pub speedup_percent: f64,
    /// Its interval.
    pub speedup_interval_percent: [f64; 2],
    /// What a run value must exceed to count.
    pub bar_points: f64,
    /// How many of the eight do; at least seven are needed.
    pub runs_above_bar: usize,
    /// Largest distance of a phase value from the median of its run; more than 2.0 unproves a component.
    pub largest_deviation_points: f64,
    /// The run values: the mean of each run's phase values.
    pub runs: Vec<f64>,
    /// The phase values, run by run.
    pub phases: Vec<Vec<f64>>,
    /// Run by run, whether full had the later mean slot.
    pub full_ran_later: Vec<bool>,
    /// Why not, when it did not pass.
    pub reasons: Vec<Reason>,
}

/// Why a comparison did not pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// Fewer than seven run values above the bar.
    NotPositive {
        /// How many were.
        runs_above_bar: usize,
    },
    /// A phase value too far from the median of its run.
    TooScattered {
        /// The run, from 1.
        run: usize,
        /// Its phase, from 1.
        phase: usize,
        /// The distance.
        deviation_points: f64,
    },
    /// The component changes the place of static data that no draw scatters.
    Unscattered {
        /// How many objects.
        objects: usize,
        /// The first of their names.
        names: Vec<String>,
    },
}

/// What full costs beside speed against another arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Loss {
    /// What is lost.
    pub kind: LossKind,
    /// The other arm.
    pub against: String,
    /// The lane's name.
    pub lane: String,
    /// What full has, in the kind's unit: the median of its runs' medians.
    pub full: f64,
    /// What the other arm has.
    pub other: f64,
    /// What is let pass on top of the other arm.
    pub allowed: f64,
    /// Beyond that in enough of the runs.
    pub beyond_tolerance: bool,
    /// The components that declared it.
    pub declared_by: Vec<String>,
    /// Beyond its tolerance and declared by none.
    pub locks: bool,
}

/// What can be lost, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LossKind {
    /// Peak resident memory.
    MemoryBytes,
    /// Size of the executable.
    ExecutableBytes,
    /// From a process's start to its first `readyok`.
    StartUpNanoseconds,
    /// Speed on one lane while another gains.
    LaneSpeedPoints,
}

/// The A/A measurement of a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Calibration {
    /// The lane's name.
    pub lane: String,
    /// Phases measured.
    pub phases: usize,
    /// Standard deviation of a phase value of two copies of one arm.
    pub sd_points: f64,
    /// Mean of those values: the harness's own bias.
    pub bias_points: f64,
    /// Smallest speed-up that the trial proves with 80 % probability; null when scatter forbids any.
    pub provable_80_percent: Option<f64>,
    /// The same with 95 % probability.
    pub provable_95_percent: Option<f64>,
    /// Probability that noise alone breaks the 2.0 rule in one component's 96 phases.
    pub scatter_risk: f64,
}

/// An arm on a lane over the whole trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Arm {
    /// Its name: `base`, `full`, `without:<component>`.
    pub arm: String,
    /// The lane's name.
    pub lane: String,
    /// How many processes it had.
    pub processes: usize,
    /// The different node counts of processes: one, for a trial with different trees is void.
    pub nodes: Vec<u64>,
    /// Processor time of all its searches.
    pub cpu_seconds: f64,
    /// Searched nodes over processor time.
    pub nodes_per_second: f64,
    /// Hardware counts for one node, where the machine offers them.
    pub counters: Option<Counters>,
}

/// Hardware counts of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counters {
    /// Instructions for one node.
    pub instructions_per_node: f64,
    /// Processor cycles for one node.
    pub cycles_per_node: f64,
    /// Instructions for one cycle.
    pub instructions_per_cycle: f64,
}

/// What the draws moved of an arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Coverage {
    /// The arm's name.
    pub arm: String,
    /// Different executables over all draws.
    pub executables: usize,
    /// Functions of the arm.
    pub functions: usize,
    /// Share of them that lies elsewhere than as first linked: in the draw with the least and with the most.
    pub functions_moved: [f64; 2],
    /// Static data objects of the arm.
    pub data_objects: usize,
    /// The same share of these.
    pub data_moved: [f64; 2],
    /// Share of functions that start in each quarter of a cache line, mean over all draws; null where it was not counted.
    pub line_phases: Option<[f64; 4]>,
}

/// What was searched and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Conditions {
    /// When the plan was made, RFC 3339 in UTC.
    pub planned: String,
    /// Number of runs.
    pub runs: usize,
    /// Phases of each.
    pub phases: usize,
    /// Fresh processes of every arm in a phase.
    pub processes: usize,
    /// Longest slot.
    pub slot_microseconds: u64,
    /// Positions of the workload.
    pub positions: usize,
    /// Nodes searched on each.
    pub nodes: u64,
    /// Name and version of the layout scheme.
    pub layout_scheme: String,
    /// Master seed of the draws, as a decimal number: it may exceed what a JSON number holds exactly.
    pub layout_seed: String,
    /// What became of every part of the layout: `drawn`, `fixed`, `not-scattered`.
    pub layout_parts: BTreeMap<String, String>,
    /// The lanes: core and engine options.
    pub lanes: Vec<LaneSetUp>,
    /// The `bench` node count that all arms share, by the name of the build set; 0 without such a command.
    pub bench_nodes: BTreeMap<String, u64>,
    /// What the same-tree proof searched.
    pub same_tree: Vec<Level>,
}

/// A measuring set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LaneSetUp {
    /// The lane's name.
    pub lane: String,
    /// The core its arms are pinned to.
    pub core: usize,
    /// UCI options of every process.
    pub options: BTreeMap<String, String>,
    /// Name of the build set that it measures.
    pub builds: String,
}

/// One level of the same-tree proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Level {
    /// Number of positions.
    pub positions: usize,
    /// Nodes searched on each.
    pub nodes: u64,
}

/// What fixes a trial: SHA-256 in hex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Hashes {
    /// Of `plan.json`: the plan's id.
    pub plan: String,
    /// Of `records.jsonl`.
    pub records: String,
    /// Of the bundle file.
    pub bundle: String,
    /// Of positions and node count.
    pub workload: String,
    /// Of the lab's executable.
    pub lab: String,
    /// The lab's version.
    pub lab_version: String,
    /// Version of the rules that judged.
    pub evaluator: u32,
    /// Of all lines that the same-tree proof compared, by lane.
    pub same_tree: BTreeMap<String, String>,
    /// Of the executable of every arm as first linked, by build set and arm.
    pub executables: BTreeMap<String, BTreeMap<String, String>>,
}

/// Facts of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Machine {
    /// Processor model.
    pub processor: String,
    /// Logical cores on line.
    pub cores: usize,
    /// Kernel release.
    pub kernel: String,
    /// Transparent huge-page policy.
    pub huge_pages: String,
    /// Frequency governor, where the kernel tells.
    pub governor: Option<String>,
    /// Boot id of the kernel.
    pub boot: String,
    /// Whether hardware counters can be read.
    pub counters: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set to write the schema anew after a change of the types.
    const UPDATE: &str = "UPDATE_SCHEMA";

    #[test]
    fn the_committed_schema_is_that_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/schema/report-1.json");
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let mut schema = settings.into_generator().into_root_schema_for::<Report>();
        let version = schema.pointer_mut("/properties/schema").and_then(|member| member.as_object_mut());
        version.expect("a member").insert("const".to_owned(), SCHEMA.into());
        let made = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(path, &made).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap();
        assert!(
            committed == made,
            "docs/schema/report-1.json is not that of the types: set {UPDATE}=1 to write it"
        );
    }
}
