//! Diagnostics: what `full` loses when several components are left out together.
//!
//! Two components that do the same work twice over look worthless when each is left out alone: the other one still does
//! it. Left out together they show what they are worth. Measured after run 8 under the same rules of order, with draws of
//! their own; no part of the verdict.

use crate::RecordFault;
use crate::judge::{interval, run_values};
use crate::plan::{Diagnostics, Plan, without};
use crate::record::ProcessRecord;
use crate::statistics::median;
use crate::trial::{Cells, Shape};
use crate::verdict::{Comparison, Verdict};

/// Phases of each run, unless the bundle says otherwise.
pub const DEFAULT_PHASES: usize = 3;

/// `full` against the arm without several components, on one lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The components that are left out together.
    pub components: Vec<String>,
    /// Lane name.
    pub lane: String,
    /// Phase values by run, percentage points.
    pub phases: Vec<Vec<f64>>,
    /// Run values: the mean of each run's phase values.
    pub runs: Vec<f64>,
    /// Run values above zero.
    pub positive: usize,
    /// Median of the run values.
    pub median: f64,
    /// Second smallest and second largest run value.
    pub interval: (f64, f64),
    /// What the same components are worth left out alone, added up: the medians of the trial.
    pub alone: f64,
    /// The same of their intervals' ends.
    pub alone_interval: (f64, f64),
    /// What that says.
    pub finding: Finding,
}

/// What leaving out together says beside leaving out alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Together they are worth more than they show alone: each covers for the other.
    Overlap,
    /// Together they are worth less than they show alone: each needs the other.
    Need,
    /// No difference beyond the intervals.
    AddUp,
}

/// Judges nothing: says what the records of the diagnostics show beside the trial's verdict.
///
/// # Errors
/// When the records are incomplete or inconsistent; or [`RecordFault::NotFinite`].
pub fn find(plan: &Plan, verdict: &Verdict, records: &[ProcessRecord]) -> Result<Vec<Joint>, RecordFault> {
    let Some(diagnostics) = &plan.diagnostics else { return Ok(Vec::new()) };
    plan.check()?;
    let cells = table(plan, diagnostics, records)?;
    let mut joints = Vec::new();
    for (group, together) in diagnostics.together.iter().enumerate() {
        for (lane, facts) in plan.lanes.iter().enumerate() {
            let phases = cells.phase_values(lane, without(group))?;
            let runs = run_values(&phases);
            let alone: Vec<&Comparison> = verdict
                .components
                .iter()
                .filter(|component| together.components.contains(&component.component))
                .filter_map(|component| component.lanes.get(lane))
                .collect();
            let sum = |of: fn(&Comparison) -> f64| alone.iter().map(|comparison| of(comparison)).sum::<f64>();
            let alone_interval = (sum(|c| c.interval.0), sum(|c| c.interval.1));
            let interval = interval(&runs);
            joints.push(Joint {
                components: together.components.clone(),
                lane: facts.name.clone(),
                positive: runs.iter().filter(|&&run| run > 0.0).count(),
                median: median(&runs),
                alone: sum(|c| c.median),
                finding: compared(interval, alone_interval),
                interval,
                alone_interval,
                runs,
                phases,
            });
        }
    }
    Ok(joints)
}

fn table<'a>(
    plan: &Plan,
    diagnostics: &Diagnostics,
    records: &'a [ProcessRecord],
) -> Result<Cells<'a>, RecordFault> {
    let series = diagnostics.series(plan);
    let cells = Shape::of(&series).place(records)?;
    cells.check(&series)?;
    Ok(cells)
}

/// Only intervals that leave each other free say anything.
fn compared(together: (f64, f64), alone: (f64, f64)) -> Finding {
    if together.0 > alone.1 {
        Finding::Overlap
    } else if together.1 < alone.0 {
        Finding::Need
    } else {
        Finding::AddUp
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_touch_say_nothing() {
        assert_eq!(compared((4.8, 5.2), (-0.2, 0.3)), Finding::Overlap);
        assert_eq!(compared((0.3, 5.2), (-0.2, 0.3)), Finding::AddUp);
        assert_eq!(compared((1.0, 2.0), (2.5, 3.0)), Finding::Need);
        assert_eq!(compared((2.4, 2.6), (2.3, 2.7)), Finding::AddUp);
    }
}
