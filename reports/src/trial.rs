//! What a report is made from.

use protocol::verdict::Comparison;
use protocol::{PHASES, Plan, PlanFault, ProcessRecord, RUNS, Verdict};
use thiserror::Error;

/// A finished trial: what was fixed, what was measured, what it proves.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// What was fixed before the first measurement.
    pub plan: &'a Plan,
    /// SHA-256 of the plan's canonical JSON, hex.
    pub plan_id: &'a str,
    /// One record for every arm process.
    pub records: &'a [ProcessRecord],
    /// The judgement on the two.
    pub verdict: &'a Verdict,
    /// Where its time went, if that was kept.
    pub timing: Option<&'a Timing>,
    /// Records of the diagnostics, as far as they were measured.
    pub diagnostics: Option<&'a [ProcessRecord]>,
}

/// Where the wall time of a trial went.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Seconds from the first phase to the end of the last.
    pub trial_seconds: f64,
    /// What they were spent on, in the order of a phase: in words, and seconds.
    pub spent: Vec<(String, f64)>,
    /// What the draws took.
    pub draws: DrawTiming,
    /// Pauses between runs; none of the times above holds any of them.
    pub pauses: Vec<Rest>,
}

/// What the draws of a trial took, beside everything else or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawTiming {
    /// Draws made.
    pub count: usize,
    /// Executables relinked for them.
    pub relinks: usize,
    /// Mean seconds of work for one draw of all arms.
    pub mean_seconds: f64,
    /// Mean seconds to relink one executable.
    pub mean_relink_seconds: f64,
}

/// A pause between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// The run that had ended.
    pub after_run: usize,
    /// When it began, RFC 3339 in UTC.
    pub from: String,
    /// When it ended.
    pub to: String,
    /// How long it was, if its ends can be read.
    pub seconds: Option<f64>,
}

/// Why no report could be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// Plan and verdict are not of one trial.
    #[error("verdict.json does not belong to plan.json: {what} expected {expected}, found {found}")]
    Mismatch {
        /// What differs.
        what: String,
        /// As the plan has it.
        expected: String,
        /// As the verdict has it.
        found: String,
    },
    /// A sweep does not agree with itself.
    #[error("sweep.json: {what}: expected {expected}, found {found}")]
    Sweep {
        /// What differs.
        what: &'static str,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The plan is not well formed.
    #[error("plan.json: {0}")]
    Plan(#[from] PlanFault),
    /// A plot could not be drawn.
    #[error("drawing {plot}: {message}")]
    Draw {
        /// The plot's caption.
        plot: String,
        /// What the plotting library says.
        message: String,
    },
    /// The page could not be put together.
    #[error("filling the page: {0}")]
    Template(#[from] askama::Error),
    /// The trial could not be written as JSON.
    #[error("writing JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// `full` against another arm on all lanes: a component, or the whole bundle.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// The component's name, or what stands for the bundle.
    pub name: &'a str,
    /// Anchor of its section, free of the name's characters.
    pub number: usize,
    /// Passed on every lane.
    pub passed: bool,
    /// Run values must be above this, in percentage points.
    pub bar: f64,
    /// The whole bundle against base.
    pub whole: bool,
    /// One for every lane.
    pub lanes: &'a [Comparison],
}

impl<'a> Trial<'a> {
    /// The components in the plan's order, then the bundle.
    pub(crate) fn subjects(&self) -> Vec<Subject<'a>> {
        let verdict = self.verdict;
        let components = verdict.components.iter().enumerate().map(|(index, judged)| Subject {
            name: &judged.component,
            number: index + 1,
            passed: judged.passed,
            bar: 0.0,
            whole: false,
            lanes: &judged.lanes,
        });
        let bundle = &verdict.bundle;
        components
            .chain([Subject {
                name: "whole bundle",
                number: verdict.components.len() + 1,
                passed: bundle.passed,
                bar: 100.0 * (bundle.threshold_percent / 100.0).ln_1p(),
                whole: true,
                lanes: &bundle.lanes,
            }])
            .collect()
    }

    /// Refuses parts that are not of one trial, before anything is drawn from them.
    pub(crate) fn check(&self) -> Result<(), ReportError> {
        same("plan id", self.plan_id, &self.verdict.plan_id)?;
        same("limited", &self.plan.layout.is_limited().to_string(), &self.verdict.limited.to_string())?;
        let planned: Vec<&str> = self.plan.components.iter().map(|c| c.name.as_str()).collect();
        let judged: Vec<&str> = self.verdict.components.iter().map(|c| c.component.as_str()).collect();
        same("components", &planned.join(", "), &judged.join(", "))?;
        let lanes: Vec<&str> = self.plan.lanes.iter().map(|lane| lane.name.as_str()).collect();
        for subject in self.subjects() {
            let found: Vec<&str> = subject.lanes.iter().map(|c| c.lane.as_str()).collect();
            same(&format!("lanes of {}", subject.name), &lanes.join(", "), &found.join(", "))?;
            for comparison in subject.lanes {
                shape(subject.name, comparison)?;
            }
        }
        Ok(())
    }
}

fn shape(name: &str, comparison: &Comparison) -> Result<(), ReportError> {
    let place = format!("{name} on lane {}", comparison.lane);
    let phases: Vec<String> = comparison.phases.iter().map(|run| run.len().to_string()).collect();
    same(&format!("phases by run of {place}"), &vec![PHASES.to_string(); RUNS].join(" "), &phases.join(" "))?;
    same(&format!("run values of {place}"), &RUNS.to_string(), &comparison.runs.len().to_string())?;
    same(&format!("run orders of {place}"), &RUNS.to_string(), &comparison.later_runs.len().to_string())
}

fn same(what: &str, expected: &str, found: &str) -> Result<(), ReportError> {
    if expected == found {
        return Ok(());
    }
    Err(ReportError::Mismatch {
        what: what.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    })
}
