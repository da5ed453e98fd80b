//! What a finished trial proves.

use serde::{Deserialize, Serialize};

/// Version of [`Verdict`].
pub const VERDICT_FORMAT: u32 = 2;

/// The verdict on a finished trial: a pure function of plan and records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Version of this structure.
    pub format: u32,
    /// Version of the rules that made it.
    pub evaluator: u32,
    /// Id of the plan that was judged.
    pub plan_id: String,
    /// SHA-256 of the bytes of `records.jsonl`, hex.
    pub records_sha256: String,
    /// Every component passed on every lane and the bundle is proven.
    pub proven: bool,
    /// The executables' inner layout could not be drawn: the verdict holds for the one that each has.
    pub limited: bool,
    /// One for every component, in the plan's order.
    pub components: Vec<ComponentVerdict>,
    /// The whole bundle against base.
    pub bundle: BundleVerdict,
}

/// One component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentVerdict {
    /// Name of the component.
    pub component: String,
    /// Passed on every lane.
    pub passed: bool,
    /// One for every lane, in the plan's order.
    pub lanes: Vec<Comparison>,
}

/// The whole bundle against base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleVerdict {
    /// Gain in percent that had to be exceeded.
    pub threshold_percent: f64,
    /// Proven on every lane.
    pub passed: bool,
    /// One for every lane, in the plan's order.
    pub lanes: Vec<Comparison>,
}

/// `full` against another arm on one lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Lane name.
    pub lane: String,
    /// The other arm.
    pub against: String,
    /// Phase values by run, percentage points: `phases[run][phase]`.
    pub phases: Vec<Vec<f64>>,
    /// Run values: the mean of each run's phase values.
    pub runs: Vec<f64>,
    /// Run values above the bar (0, or `100 · ln(1 + threshold)` for the bundle).
    pub positive: usize,
    /// Largest distance of a phase value from the median of its run.
    pub largest_deviation: f64,
    /// Median of the run values, percentage points.
    pub median: f64,
    /// [second smallest, second largest] run value: a 93 % interval for the median.
    pub interval: (f64, f64),
    /// The same median by the trimmed mean of per-position log ratios; reported, never judged.
    pub trimmed_median: f64,
    /// Runs in which `full` had the later mean slot.
    pub later_runs: Vec<bool>,
    /// Passed here.
    pub passed: bool,
    /// Why not, when it did not.
    pub reasons: Vec<Reason>,
}

/// Why a comparison did not pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Reason {
    /// Fewer than seven run values above the bar.
    NotPositive {
        /// How many were.
        positive: usize,
    },
    /// A phase value too far from the median of its run.
    TooScattered {
        /// Run, from 1.
        run: usize,
        /// Phase, from 1.
        phase: usize,
        /// The distance, percentage points.
        deviation: f64,
    },
    /// The component changes the place of static data that the scheme does not scatter.
    Unscattered {
        /// How many objects, in the draw where they are most.
        moved: usize,
        /// The first of their names.
        symbols: Vec<String>,
    },
}
