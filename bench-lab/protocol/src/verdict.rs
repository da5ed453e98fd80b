//! What a finished trial proves.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::losses::{self, LossKind};

/// The verdict on a finished trial: a pure function of plan and records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Version of this structure; so far each evaluator came with one of the same number.
    pub format: u32,
    /// Version of the rules that made it: the one that the plan names.
    pub evaluator: u32,
    /// Id of the plan that was judged.
    pub plan_id: String,
    /// SHA-256 of the bytes of `records.jsonl`, hex.
    pub records_sha256: String,
    /// Every component passed on every lane, the bundle is proven, and no loss locks it.
    pub proven: bool,
    /// The executables' inner layout could not be drawn: the verdict holds for the one that each has.
    pub limited: bool,
    /// One for every component, in the plan's order.
    pub components: Vec<ComponentVerdict>,
    /// The whole bundle against base.
    pub bundle: BundleVerdict,
    /// What `full` costs beside speed against every other arm; none in trials of evaluator 2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
}

impl Verdict {
    /// The losses that lock the bundle: it is not proven, whatever its speed.
    pub fn locks(&self) -> impl Iterator<Item = &Loss> {
        losses::locks(&self.losses)
    }

    /// Whether a loss locks the bundle.
    pub fn is_locked(&self) -> bool {
        self.locks().next().is_some()
    }
}

/// What `full` costs of one kind against another arm on one lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// What is lost; it says the unit of all numbers here.
    pub kind: LossKind,
    /// The other arm.
    pub against: String,
    /// Lane name; of an executable's size the first lane that measures this build.
    pub lane: String,
    /// What `full` has: the median of its runs' medians.
    pub full: f64,
    /// What the other arm has.
    pub other: f64,
    /// `full` less the other arm, run by run; one number for an executable's size.
    pub differences: Vec<f64>,
    /// What is let pass on top of the other arm.
    pub allowed: f64,
    /// How many of the differences are beyond that, each by its own run's measure.
    pub over: usize,
    /// Enough of them: a loss beyond its tolerance.
    pub beyond: bool,
    /// The components that declared it.
    pub declared_by: Vec<String>,
    /// Beyond its tolerance and declared by none: the bundle is locked.
    pub locks: bool,
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

impl Verdict {
    /// The text of `verdict.json`.
    ///
    /// # Errors
    /// Never for a verdict of this crate's making; the type is that of the serialiser.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

/// A part of a verdict that differs in two of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where, as `components[0].lanes[0].positive`.
    pub place: String,
    /// What is stored.
    pub stored: Value,
    /// What was computed.
    pub computed: Value,
}

/// The parts in which two verdicts differ.
pub fn differences(stored: &Verdict, computed: &Verdict) -> Vec<Difference> {
    let json = |verdict| serde_json::to_value(verdict).unwrap_or_default();
    let mut found = Vec::new();
    compare("", &json(stored), &json(computed), &mut found);
    found
}

fn compare(place: &str, stored: &Value, computed: &Value, found: &mut Vec<Difference>) {
    match (stored, computed) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            for (key, value) in a {
                compare(&format!("{place}.{key}"), value, &b[key], found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (number, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{place}[{number}]"), a, b, found);
            }
        }
        (a, b) if a != b => {
            let place = place.trim_start_matches('.').to_owned();
            found.push(Difference { place, stored: a.clone(), computed: b.clone() });
        }
        _ => {}
    }
}
