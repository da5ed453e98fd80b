//! What it would take to resolve what was not proven, in words.

use protocol::outlook::{Outlook, PROBABILITY, outlook};
use protocol::plan::Plan;
use protocol::scatter::Scatter;
use protocol::verdict::Comparison;

use crate::trial::{Subject, Trial};
use crate::words::{duration, grouped, signed};

/// Factors up to this are told as the same length.
const SAME: f64 = 1.05;

/// What stands above the list: that a proven bundle does not prove its components.
pub fn lead(trial: &Trial) -> &'static str {
    let verdict = trial.verdict;
    match (verdict.bundle.passed, verdict.components.iter().any(|component| component.passed)) {
        (true, false) => {
            "Bundle proven, components not: the gain of the whole does not say what each part is worth. What it would take:"
        }
        (true, true) => {
            "Bundle proven, not all components: the gain of the whole does not say what each part is worth. What it \
             would take:"
        }
        (false, _) => "What it would take:",
    }
}

/// A line for every component and lane without proof that longer phases could change, or that costs speed; none in
/// trials before evaluator 3, whose reports stay as they were.
pub fn lines(trial: &Trial) -> Vec<String> {
    if trial.plan.tolerance.is_none() {
        return Vec::new();
    }
    let measured = protocol::Trial::new(trial.plan, trial.records).ok();
    let subjects = trial.subjects().into_iter().filter(|subject| !subject.whole);
    let all = subjects.flat_map(|subject| subject.lanes.iter().map(move |comparison| (subject, comparison)));
    let said = |(subject, comparison): (Subject, &Comparison)| {
        let scatter = measured.as_ref().and_then(|measured| scatter(measured, comparison));
        line(trial.plan, &subject, comparison, scatter)
    };
    all.filter_map(said).collect()
}

fn scatter(measured: &protocol::Trial, comparison: &Comparison) -> Option<Scatter> {
    let plan = measured.plan();
    let lane = plan.lanes.iter().position(|lane| lane.name == comparison.lane)?;
    let other = plan.arms.iter().position(|arm| arm.name == comparison.against)?;
    measured.scatter(lane, other)
}

fn line(plan: &Plan, subject: &Subject, comparison: &Comparison, scatter: Option<Scatter>) -> Option<String> {
    let median = format!("{} points", signed(comparison.median));
    let percent = 100.0 * PROBABILITY;
    let said = match outlook(plan, comparison, scatter)? {
        // The reason says all there is to say.
        Outlook::Unscattered => return None,
        Outlook::CostsSpeed { .. } => {
            "nothing, for it costs speed: the bundle without it is a new candidate".to_owned()
        }
        Outlook::NoGain => format!("no gain to resolve: median {median}; longer phases promise none"),
        Outlook::Longer { factor, .. } if factor <= SAME => format!(
            "a trial as long as this one proves a gain of its size, {median}, with a probability of {percent:.0} % or more"
        ),
        Outlook::Longer { factor, nodes, seconds } => format!(
            "to prove its median gain of {median} with a probability of {percent:.0} % takes phases {factor:.1} times as \
             long: {} nodes a position instead of {}, about {} for the trial",
            grouped(nodes),
            grouped(plan.workload.nodes),
            duration(seconds)
        ),
        Outlook::OutOfReach { layouts: Some(layouts) } => format!(
            "no length of phases resolves its median gain of {median}: the layouts alone scatter it by {layouts:.1} points, \
             one phase to the next; `bench-lab layout sweep` shows how much speed a layout is worth here"
        ),
        Outlook::OutOfReach { layouts: None } => format!(
            "no length of phases resolves its median gain of {median}: a part of the noise stays however long they are; \
             more processes in a phase or a quieter machine may"
        ),
    };
    Some(format!("{} on {}: {said}", subject.name, comparison.lane))
}
