//! The rules: what a finished trial proves.

use crate::plan::{BASE, Plan, without};
use crate::record::ProcessRecord;
use crate::statistics::{mean, median, sorted};
use crate::trial::{RecordFault, Trial};
use crate::verdict::{BundleVerdict, Comparison, ComponentVerdict, Reason, Verdict};
use crate::{MAX_DEVIATION, PHASES, POSITIVE_RUNS, PlanFault, RUNS, balance, canonical, losses};

/// Judges a finished trial.
///
/// A component passes when on every lane at least 7 of the 8 run values are above zero and no
/// phase value is more than 2.0 points away from the median of its run, and when it leaves the place of
/// all static data alone that the layout scheme does not scatter. The bundle passes when on
/// every lane at least 7 of the 8 run values of `full` against `base` are above
/// `100 · ln(1 + threshold)`; the 2.0-point rule is no part of that. All passed, and no loss beyond its tolerance that
/// nobody declared: proven. The last is asked from evaluator 3 on; the plan names the evaluator.
///
/// `records_sha256` is the digest of the records' file, copied into the verdict.
///
/// # Errors
/// When plan or records are incomplete or inconsistent: the trial is void and nothing is computed.
pub fn judge(plan: &Plan, records: &[ProcessRecord], records_sha256: &str) -> Result<Verdict, RecordFault> {
    let trial = Trial::new(plan, records)?;
    let components = (0..plan.components.len())
        .map(|component| judge_component(&trial, component))
        .collect::<Result<Vec<_>, _>>()?;
    let bundle = judge_bundle(&trial)?;
    let losses = plan
        .tolerance
        .as_ref()
        .map_or_else(Vec::new, |tolerance| losses::find(&trial, tolerance, &components));
    let locked = losses::locks(&losses).next().is_some();
    let plan_id = canonical::plan_id(plan).map_err(|error| PlanFault::NotCanonical(error.to_string()))?;
    Ok(Verdict {
        // Each evaluator came with a format of its own, of the same number.
        format: plan.tool.evaluator,
        evaluator: plan.tool.evaluator,
        plan_id,
        records_sha256: records_sha256.to_owned(),
        proven: bundle.passed && components.iter().all(|c| c.passed) && !locked,
        limited: plan.layout.is_limited(),
        components,
        bundle,
        losses,
    })
}

fn judge_component(trial: &Trial, component: usize) -> Result<ComponentVerdict, RecordFault> {
    let lanes = compare_lanes(trial, without(component), Bar::Component)?;
    Ok(ComponentVerdict {
        component: trial.plan().components[component].name.clone(),
        passed: lanes.iter().all(|lane| lane.passed),
        lanes,
    })
}

fn judge_bundle(trial: &Trial) -> Result<BundleVerdict, RecordFault> {
    let threshold_percent = trial.plan().measure.threshold_percent;
    let lanes = compare_lanes(trial, BASE, Bar::Bundle { threshold_percent })?;
    Ok(BundleVerdict { threshold_percent, passed: lanes.iter().all(|lane| lane.passed), lanes })
}

fn compare_lanes(trial: &Trial, other: usize, bar: Bar) -> Result<Vec<Comparison>, RecordFault> {
    let plan = trial.plan();
    let compare_lane = |(lane, facts): (usize, &crate::plan::Lane)| {
        let mut finding = Finding::new(trial.phase_values(lane, other)?, bar);
        if bar == Bar::Component {
            finding.reasons.extend(unscattered(trial, lane, other));
        }
        let trimmed: Vec<f64> = run_values(&trial.trimmed_values(lane, other)?);
        Ok(Comparison {
            lane: facts.name.clone(),
            against: plan.arms[other].name.clone(),
            positive: finding.positive,
            largest_deviation: finding.largest_deviation,
            median: median(&finding.runs),
            interval: interval(&finding.runs),
            trimmed_median: median(&trimmed),
            later_runs: balance::later_runs(plan, lane, other),
            passed: finding.reasons.is_empty(),
            reasons: finding.reasons,
            runs: finding.runs,
            phases: finding.phases,
        })
    };
    plan.lanes.iter().enumerate().map(compare_lane).collect()
}

/// The unscattered rule: the draw in which most static data outside the units lies elsewhere.
fn unscattered(trial: &Trial, lane: usize, other: usize) -> Option<Reason> {
    let phases = (0..RUNS).flat_map(|run| (0..PHASES).map(move |phase| (run, phase)));
    let records = phases.flat_map(|(run, phase)| trial.processes(lane, run, phase, other));
    let most = records.map(|record| &record.draw.unscattered).max_by_key(|found| found.moved)?;
    (most.moved > 0).then(|| Reason::Unscattered { moved: most.moved, symbols: most.names.clone() })
}

/// What a comparison has to exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// Zero, with phase values close together.
    Component,
    /// A gain in percent.
    Bundle {
        /// The gain.
        threshold_percent: f64,
    },
}

impl Bar {
    /// The run value that must be exceeded, percentage points.
    pub fn points(self) -> f64 {
        match self {
            Bar::Component => 0.0,
            Bar::Bundle { threshold_percent } => 100.0 * (threshold_percent / 100.0).ln_1p(),
        }
    }
}

/// The rule applied to one table of phase values.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Phase values, `[run][phase]`.
    pub phases: Vec<Vec<f64>>,
    /// Mean of each run.
    pub runs: Vec<f64>,
    /// Run values strictly above the bar.
    pub positive: usize,
    /// Largest distance of a phase value from the median of its run.
    pub largest_deviation: f64,
    /// Why it did not pass; empty when it did.
    pub reasons: Vec<Reason>,
}

impl Finding {
    /// Applies the rule to the phase values of eight runs, all of them finite.
    pub fn new(phases: Vec<Vec<f64>>, bar: Bar) -> Self {
        let runs = run_values(&phases);
        let positive = runs.iter().filter(|&&run| run > bar.points()).count();
        let mut reasons = Vec::new();
        if positive < POSITIVE_RUNS {
            reasons.push(Reason::NotPositive { positive });
        }
        let mut largest_deviation: f64 = 0.0;
        for (run, values) in (1..).zip(&phases) {
            let middle = median(values);
            for (phase, value) in (1..).zip(values) {
                let deviation = (value - middle).abs();
                largest_deviation = largest_deviation.max(deviation);
                if bar == Bar::Component && deviation > MAX_DEVIATION {
                    reasons.push(Reason::TooScattered { run, phase, deviation });
                }
            }
        }
        Finding { phases, runs, positive, largest_deviation, reasons }
    }
}

pub(crate) fn run_values(phases: &[Vec<f64>]) -> Vec<f64> {
    phases.iter().map(|run| mean(run)).collect()
}

/// Second smallest and second largest run value.
pub(crate) fn interval(runs: &[f64]) -> (f64, f64) {
    let sorted = sorted(runs);
    (sorted[1], sorted[sorted.len() - 2])
}
