//! The plan: everything that is fixed before the first measurement.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::losses::Tolerance;

mod check;
mod diagnostics;
mod series;

pub use check::PlanFault;
pub use diagnostics::{Diagnostics, Together, together_name};
pub use series::{PhaseOf, Series};

/// Version of [`Plan`].
pub const PLAN_FORMAT: u32 = 3;
/// The oldest version that is still read and judged.
pub const OLDEST_PLAN_FORMAT: u32 = 2;
/// Index of the arm without any component.
pub const BASE: usize = 0;
/// Index of the arm with every component.
pub const FULL: usize = 1;
/// The quantity that judges: the log ratio of total node rates.
pub const TOTAL_RATE: &str = "total-rate";

/// Names of the arms that a list of components makes, in the plan's order: `base`, `full`, then
/// one `without:<component>` each.
pub fn arm_names<'a>(components: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let without = components.into_iter().map(|name| format!("without:{name}"));
    ["base".to_owned(), "full".to_owned()].into_iter().chain(without).collect()
}

/// Index of the arm that lacks the component with this index.
pub const fn without(component: usize) -> usize {
    component + 2
}

/// Everything that is fixed before the first measurement.
///
/// Its canonical JSON is `plan.json`; the SHA-256 of those bytes is the plan's id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of this structure.
    pub format: u32,
    /// Name of the bundle under test.
    pub bundle: String,
    /// SHA-256 of the bundle file, hex.
    pub bundle_sha256: String,
    /// Which plan for this bundle it is in the register, from 1; plans from before the register lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<usize>,
    /// When the plan was made, RFC 3339 in UTC.
    pub created: String,
    /// The speed-ups under test, in the bundle's order.
    pub components: Vec<Component>,
    /// What is measured: `base`, `full`, then one `without:<component>` each.
    pub arms: Vec<Arm>,
    /// How the arms were built: one set for every different build among the lanes.
    pub builds: Vec<BuildSet>,
    /// The measuring set-ups.
    pub lanes: Vec<Lane>,
    /// What every arm process searches.
    pub workload: Workload,
    /// How slots are cut and processes started.
    pub measure: Measure,
    /// The layout scheme and its seed.
    pub layout: Layout,
    /// The schedule: one entry for every run, in order.
    pub runs: Vec<Run>,
    /// What the same-tree proof covered.
    pub identity: Identity,
    /// The A/A measurements made before this plan, one for every lane, in the lanes' order.
    pub calibration: Vec<Calibration>,
    /// Who measures and judges.
    pub tool: Tool,
    /// Facts of the machine.
    pub machine: Machine,
    /// What qualifies the verdict beside the numbers, in words; shown with it.
    pub notes: Vec<String>,
    /// How large a loss may be without being declared; none before evaluator 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// What is measured after the trial, without a part in the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Diagnostics>,
}

/// One mechanism of change with its own switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Name, unique in the bundle.
    pub name: String,
    /// How it is switched, for people (`feature eval-cache`).
    pub switch: String,
    /// What the author says it may cost, as [`Cost::parse`](crate::losses::Cost::parse) reads it from evaluator 3 on;
    /// empty is a statement too.
    pub costs: Vec<String>,
}

/// One thing that is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// `base`, `full` or `without:<component>`.
    pub name: String,
    /// UCI options of components that are switched by one, set after the lane's.
    pub options: BTreeMap<String, String>,
}

/// All arms as one build set-up makes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSet {
    /// Name: that of the first lane that asks for it, or `default`.
    pub name: String,
    /// One build for every arm, in the arms' order.
    pub arms: Vec<ArmBuild>,
}

/// One build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmBuild {
    /// The command that built it, for people, relative to the bundle's folder.
    pub command: String,
    /// SHA-256 over every input of its link (names and contents), hex.
    pub inputs_sha256: String,
    /// SHA-256 of the executable as the linker first made it, hex.
    pub executable_sha256: String,
    /// Size of that executable in bytes.
    pub executable_bytes: u64,
}

/// One measuring set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// Name, unique in the bundle.
    pub name: String,
    /// Processor core that the arms are pinned to.
    pub core: usize,
    /// UCI options set in every arm process, in this order of names.
    pub options: BTreeMap<String, String>,
    /// SHA-256 of files that options point to, by option name, hex.
    pub files: BTreeMap<String, String>,
    /// Index of the builds that are measured here, into [`Plan::builds`].
    pub build: usize,
}

/// What every arm process searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Positions in FEN, searched in this order.
    pub positions: Vec<String>,
    /// Nodes searched on each position.
    pub nodes: u64,
    /// SHA-256 of the positions and the node count in their canonical form, hex.
    pub sha256: String,
}

/// How slots are cut and processes started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Length of a slot in microseconds, at most 10,000.
    pub slice_us: u64,
    /// Fresh processes of every arm in a phase, one after another.
    pub processes: usize,
    /// Gain in percent that the whole bundle must exceed.
    pub threshold_percent: f64,
    /// Which quantity judges: always `total-rate`, the log ratio of total node rates.
    pub judged: String,
    /// Whether all lanes are measured at once, each on its own core, instead of one after another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lanes_at_once: bool,
}

impl Measure {
    /// Which of so many lanes are measured at once, group after group.
    pub fn groups(&self, lanes: usize) -> Vec<Vec<usize>> {
        match self.lanes_at_once {
            true => vec![(0..lanes).collect()],
            false => (0..lanes).map(|lane| vec![lane]).collect(),
        }
    }
}

/// The layout scheme and its seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Name and version of the scheme (`keyed-order/1`).
    pub scheme: String,
    /// Master seed; the seed of a draw is derived from it, the lane, the run and the phase.
    pub seed: u64,
    /// Everything that the scheme knows to draw, and what becomes of it in this trial.
    pub parts: Vec<LayoutPart>,
    /// The option by which engines are told where to put their own tables, if they have one.
    pub tables: Option<TablesOption>,
}

/// A UCI option that draws where an engine's own tables lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesOption {
    /// Its name.
    pub option: String,
    /// How many values are drawn from, from 0.
    pub values: u32,
}

impl Layout {
    /// Whether executables are relinked at all; else the verdict is *limited*: it holds for the one
    /// layout that every executable has.
    pub fn is_limited(&self) -> bool {
        self.state("order") == Some(PartState::NotScattered)
    }

    /// What becomes of a part, by its name.
    pub fn state(&self, part: &str) -> Option<PartState> {
        self.parts.iter().find(|known| known.part == part).map(|known| known.state)
    }
}

impl TablesOption {
    /// The option's value for a drawn number.
    pub fn value(&self, drawn: u32) -> u32 {
        drawn % self.values
    }
}

/// One thing that the scheme knows to draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutPart {
    /// Its name (`order`, `stack`).
    pub part: String,
    /// What becomes of it.
    pub state: PartState,
}

/// What becomes of a part of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartState {
    /// Drawn anew in every phase.
    Drawn,
    /// Could be drawn, but the bundle fixes it.
    Fixed,
    /// Cannot be drawn with arms of this kind.
    NotScattered,
}

/// One run: its phases for every lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Number of the run, from 1.
    pub run: usize,
    /// For every lane, in the lanes' order, the slot plan of every phase.
    pub lanes: Vec<Vec<SlotPlan>>,
}

/// Which arm runs in which slot of one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotPlan {
    /// Arm indices (into [`Plan::arms`]), one row after another; every row holds every arm once.
    /// The rows are repeated, from the first again, until every process has done its work.
    pub rows: Vec<Vec<usize>>,
}

/// What the same-tree proof covered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Levels that were searched: positions and nodes on each.
    pub levels: Vec<IdentityLevel>,
    /// The `bench` node count of every arm, by the name of the build set.
    pub bench_nodes: BTreeMap<String, u64>,
    /// SHA-256 over all compared lines, per lane name, hex.
    pub digests: BTreeMap<String, String>,
}

/// One level of the same-tree proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityLevel {
    /// Number of positions.
    pub positions: usize,
    /// Nodes searched on each.
    pub nodes: u64,
}

/// One A/A measurement: copies of `full` in every slot, same draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Lane name.
    pub lane: String,
    /// Phases measured.
    pub phases: usize,
    /// A/A phase values in percentage points: in every phase one for each role but `full`.
    pub values: Vec<f64>,
    /// Standard deviation of a phase value, percentage points.
    pub sd: f64,
    /// Mean of the values with roles swapped in half of the phases, percentage points.
    pub bias: f64,
    /// Wall seconds of one phase.
    pub phase_seconds: f64,
    /// Smallest gain in percent proven with 80 % probability; none when the 2.0-point rule alone
    /// fires too often.
    pub provable_80: Option<f64>,
    /// The same with 95 % probability.
    pub provable_95: Option<f64>,
    /// Probability that the 2.0-point rule fires by noise alone in one component's 96 phases.
    pub scatter_risk: f64,
    /// How fast the copies were, from which time limits follow; older plans do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
}

/// How fast arms were in a calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Processor time of the longest search, nanoseconds.
    pub search_ns: u64,
    /// Mean wall time from the start of a process to the end of its hand-shake, in the slowest phase, nanoseconds.
    pub start_ns: u64,
}

impl Pace {
    /// The slower of two, in each respect.
    pub fn slower(self, other: Pace) -> Pace {
        Pace { search_ns: self.search_ns.max(other.search_ns), start_ns: self.start_ns.max(other.start_ns) }
    }
}

/// Who measures and judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Version of the lab.
    pub version: String,
    /// SHA-256 of the lab's executable, hex.
    pub sha256: String,
    /// Version of the evaluator (the rules in [`crate::verdict`]).
    pub evaluator: u32,
    /// What links the draws; none when nothing is linked, or in older plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linker: Option<Linker>,
}

/// The linker of the draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linker {
    /// What it calls itself.
    pub version: String,
    /// SHA-256 of its executable, hex.
    pub sha256: String,
}

/// Facts of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    pub boot_id: String,
    /// Whether hardware counters can be read.
    pub counters: bool,
}
