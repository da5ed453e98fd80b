//! What is measured: one record for every arm process.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One finished arm process: a line of `records.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a record")]
pub struct ProcessRecord {
    /// Run, from 1.
    pub run: usize,
    /// Phase of the run, from 1.
    pub phase: usize,
    /// Lane name.
    pub lane: String,
    /// Which of the phase's processes of this arm, from 1.
    pub process: usize,
    /// Arm name.
    pub arm: String,
    /// The layout it ran under.
    pub draw: DrawRecord,
    /// The slots it used until its work was done.
    pub slots: SlotSpan,
    /// Nodes searched, all positions together.
    pub nodes: u64,
    /// Processor time of that work, nanoseconds.
    pub cpu_ns: u64,
    /// Wall time from its first slot to the end of its work, nanoseconds.
    pub wall_ns: u64,
    /// Hardware counters over the same work, where the kernel offers them.
    pub counters: Option<Counters>,
    /// Every position in the workload's order.
    pub searches: Vec<SearchRecord>,
    /// What the process took beside time; none in trials of evaluator 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footprint: Option<Footprint>,
}

/// What a process takes beside the time of its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footprint {
    /// Peak resident memory at the end of its work, bytes.
    pub peak_bytes: u64,
    /// Wall time from its start to its first `readyok`, nanoseconds.
    pub start_up_ns: u64,
}

/// The layout of one arm process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRecord {
    /// Seed of the draw, shared by all arms of the phase and lane.
    pub seed: u64,
    /// SHA-256 of the relinked executable, hex.
    pub executable_sha256: String,
    /// Functions that lie elsewhere than in the executable as first linked, and all functions.
    pub moved_functions: (usize, usize),
    /// Static data objects that lie elsewhere, and all of them.
    pub moved_data: (usize, usize),
    /// Functions that start in the first, second, third and last quarter of a cache line; older records do not tell, nor
    /// those of executables that are run as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_phases: Option<[usize; 4]>,
    /// Units in common with `full` that lie at the same address as there, and all in common, by section.
    pub shared: BTreeMap<String, (usize, usize)>,
    /// Static data that the scheme does not scatter and that lies elsewhere than in `full`.
    pub unscattered: Unscattered,
    /// Value of the option that draws where the engine's own tables lie.
    pub tables: Option<u32>,
    /// Bytes by which the start of the heap was shifted.
    pub heap_offset: u64,
    /// Bytes by which the stack was shifted.
    pub stack_offset: u64,
    /// Bytes by which the mapping base was shifted.
    pub mapping_offset: u64,
}

impl DrawRecord {
    /// Units in common with `full` over all sections: at the same address, and all.
    pub fn shared_total(&self) -> (usize, usize) {
        self.shared.values().fold((0, 0), |(same, all), section| (same + section.0, all + section.1))
    }
}

/// Static data outside all units that lies at another address than in `full`, or in one of the two alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unscattered {
    /// How many objects.
    pub moved: usize,
    /// The first of their names, in order; at most [`Unscattered::NAMED`].
    pub names: Vec<String>,
}

impl Unscattered {
    /// How many names are kept.
    pub const NAMED: usize = 12;

    /// Counts the names and keeps the first.
    pub fn new(mut names: Vec<String>) -> Self {
        names.sort_unstable();
        let moved = names.len();
        names.truncate(Self::NAMED);
        Self { moved, names }
    }
}

/// The slots an arm process used, counted over the whole repeated slot plan from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotSpan {
    /// Number of its first slot.
    pub first: u64,
    /// Number of the slot in which its work ended.
    pub last: u64,
    /// How many slots it had, first and last included, and those in which it waited for other arms.
    pub count: u64,
}

/// Hardware counts in user and kernel mode together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Processor cycles.
    pub cycles: u64,
    /// Instructions retired.
    pub instructions: u64,
}

/// One search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// Nodes, as the engine's last count before `bestmove` says.
    pub nodes: u64,
    /// Processor time, nanoseconds.
    pub cpu_ns: u64,
}
