//! What can be registered.

use serde::{Deserialize, Serialize};

use crate::plan::Plan;

/// One thing that happened. Trials are known by the ids of their plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A plan was fixed; nothing of it is measured yet.
    Plan(Planned),
    /// A run begins.
    Start(Start),
    /// The trial rests between two runs.
    Pause(Pause),
    /// It goes on.
    Resume(Resume),
    /// It broke off and counts for nothing.
    Void(Void),
    /// All runs are measured and judged.
    Verdict(Judgement),
    /// Components without proof left the bundle.
    Elimination(Elimination),
    /// What is removed together was measured after the verdict.
    Diagnostics(Diagnosed),
    /// The register's own last line had been cut off, by a power cut or a full disk; it is gone.
    Torn(TornLine),
}

/// A component as the register knows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name in the bundle.
    pub name: String,
    /// How it is switched, as the plan says it.
    pub switch: String,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// SHA-256 of `plan.json`.
    pub plan_id: String,
    /// Name of the bundle.
    pub bundle: String,
    /// SHA-256 of the bundle file.
    pub bundle_sha256: String,
    /// The components under test.
    pub components: Vec<Component>,
    /// Which plan for this bundle it is, from 1.
    pub attempt: usize,
    /// The trial's folder, seen from the register's own where both have a folder in common.
    pub folder: String,
    /// Who runs the trial.
    pub lab: Lab,
}

/// A process of the lab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// Its process id.
    pub pid: u32,
    /// The boot it lives in.
    pub boot_id: String,
}

/// The begin of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The trial.
    pub plan_id: String,
    /// The run, from 1.
    pub run: usize,
}

/// A rest between two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// The trial.
    pub plan_id: String,
    /// The last run that was measured; 0 before the first.
    pub after_run: usize,
}

/// The end of a rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// The trial.
    pub plan_id: String,
    /// Who runs it from now on.
    pub lab: Lab,
}

/// Why a trial counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Void {
    /// The trial.
    pub plan_id: String,
    /// What happened.
    pub reason: String,
    /// Where in the trial.
    pub place: String,
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The trial.
    pub plan_id: String,
    /// Everything is proven.
    pub proven: bool,
    /// Names of the components without proof.
    pub unproven: Vec<String>,
    /// SHA-256 of `records.jsonl`.
    pub records_sha256: String,
    /// SHA-256 of `verdict.json`.
    pub verdict_sha256: String,
}

/// Diagnostics that were measured after a verdict, to their end or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnosed {
    /// The trial.
    pub plan_id: String,
    /// SHA-256 of `diagnostics.jsonl`.
    pub records_sha256: String,
}

/// Components that left a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elimination {
    /// The trial that did not prove them.
    pub plan_id: String,
    /// The bundle they left.
    pub bundle: String,
    /// The components.
    pub components: Vec<Component>,
    /// Name of the bundle without them; none when nothing is left of it.
    pub candidate: Option<String>,
}

/// What was found behind the last whole line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TornLine {
    /// How many bytes.
    pub bytes: usize,
    /// Their SHA-256.
    pub sha256: String,
}

impl Component {
    /// The components of a plan.
    pub fn of(plan: &Plan) -> Vec<Component> {
        let known = |c: &crate::plan::Component| Component { name: c.name.clone(), switch: c.switch.clone() };
        plan.components.iter().map(known).collect()
    }

    /// Whether both are the same component: neither another name nor another switch makes a new one.
    pub fn is(&self, other: &Component) -> bool {
        self.name == other.name || self.switch == other.switch
    }
}

impl Event {
    /// The trial it belongs to.
    pub fn plan_id(&self) -> Option<&str> {
        match self {
            Event::Plan(Planned { plan_id, .. })
            | Event::Start(Start { plan_id, .. })
            | Event::Pause(Pause { plan_id, .. })
            | Event::Resume(Resume { plan_id, .. })
            | Event::Void(Void { plan_id, .. })
            | Event::Verdict(Judgement { plan_id, .. })
            | Event::Elimination(Elimination { plan_id, .. })
            | Event::Diagnostics(Diagnosed { plan_id, .. }) => Some(plan_id),
            Event::Torn(_) => None,
        }
    }

    /// Its name in the register.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Plan(_) => "plan",
            Event::Start(_) => "start",
            Event::Pause(_) => "pause",
            Event::Resume(_) => "resume",
            Event::Void(_) => "void",
            Event::Verdict(_) => "verdict",
            Event::Elimination(_) => "elimination",
            Event::Diagnostics(_) => "diagnostics",
            Event::Torn(_) => "torn",
        }
    }
}
