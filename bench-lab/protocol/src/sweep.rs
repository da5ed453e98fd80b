//! A sweep: one executable in many layouts, to know how far layout alone moves its speed.
//!
//! | step | where |
//! |---|---|
//! | which layouts are measured together | [`design`] |
//! | the effect of every layout, and the noise | [`fit()`] |
//! | how far layouts differ, with an interval | [`spread()`] |
//! | sweeps that never ran, for tests | [`synthetic`] |

use serde::{Deserialize, Serialize};

use crate::plan::{Lane, Layout, Machine, Tool, Workload};
use crate::record::Counters;

pub mod design;
mod fit;
mod spread;
pub mod synthetic;

pub use fit::{Fit, Observation, SweepError, fit};
pub use spread::{Chance, Estimate, Spread, chance, points, spread};

/// Version of [`Sweep`].
pub const SWEEP_FORMAT: u32 = 1;
/// Index of the layout that the executable has as first linked; it is measured in every phase.
pub const AS_LINKED: usize = 0;

/// A finished sweep: what was measured and what follows from it. Its canonical JSON is `sweep.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Version of this structure.
    pub format: u32,
    /// What was measured, for people.
    pub name: String,
    /// When the sweep began, RFC 3339 in UTC.
    pub created: String,
    /// SHA-256 of the inputs of the captured link, or of the executable if only starts were drawn, hex.
    pub subject_sha256: String,
    /// Scheme, master seed, and what becomes of every part.
    pub layout: Layout,
    /// Core and options.
    pub lane: Lane,
    /// What every process searched.
    pub workload: Workload,
    /// Length of a slot in microseconds.
    pub slice_us: u64,
    /// How often every drawn layout was measured, each time with a fresh process.
    pub rounds: usize,
    /// The layouts: first as linked, then as drawn.
    pub layouts: Vec<DrawnLayout>,
    /// One entry for every process.
    pub measurements: Vec<Measurement>,
    /// What follows.
    pub spread: Spread,
    /// Who measured.
    pub tool: Tool,
    /// Facts of the machine.
    pub machine: Machine,
}

/// One layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnLayout {
    /// Seed of its draw; none as linked.
    pub seed: Option<u64>,
    /// SHA-256 of the executable, hex.
    pub executable_sha256: String,
    /// Functions that lie elsewhere than as first linked, and all functions.
    pub moved_functions: (usize, usize),
    /// Static data objects that lie elsewhere, and all of them.
    pub moved_data: (usize, usize),
    /// Bytes by which the start of the heap is shifted.
    pub heap_offset: u64,
    /// Bytes by which the stack is shifted.
    pub stack_offset: u64,
    /// Bytes by which the mapping base is shifted.
    pub mapping_offset: u64,
    /// Value of the option that draws where the engine's own tables lie.
    pub tables: Option<u32>,
}

/// One process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Round, from 1.
    pub round: usize,
    /// Phase of the sweep, from 1: the processes of a phase ran in turns of one slot.
    pub phase: usize,
    /// Index into [`Sweep::layouts`].
    pub layout: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// Processor time of that work, nanoseconds.
    pub cpu_ns: u64,
    /// Wall time from its first slot to the end of its work, nanoseconds.
    pub wall_ns: u64,
    /// Hardware counters over the same work, where the kernel offers them.
    pub counters: Option<Counters>,
}

/// What the measurements say of `layouts` layouts (with the one as linked), for a gain that the user saw.
///
/// # Errors
/// When they are too few, or one of them is no measurement.
pub fn evaluate(
    measurements: &[Measurement],
    layouts: usize,
    gain: Option<f64>,
) -> Result<Spread, SweepError> {
    let observation = |m: &Measurement| Observation {
        block: m.phase,
        layout: m.layout,
        value: 100.0 * (m.nodes as f64 / m.cpu_ns as f64).ln(),
    };
    let observations: Vec<Observation> = measurements.iter().map(observation).collect();
    Ok(spread(&fit(&observations, layouts)?, gain))
}
