//! Components removed together, in words.

use protocol::diagnostics::{Finding, Joint, find};
use protocol::verdict::Comparison;
use protocol::{RUNS, RecordFault};

use crate::trial::Trial;
use crate::words::{interval, listed, signed};

/// What the diagnostics of a trial show.
pub enum Diagnosis {
    /// None were planned.
    None,
    /// They were planned, and not measured to their end.
    Missing(String),
    /// One for every group and lane.
    Joints(Vec<Joint>),
}

/// Reads the records of the diagnostics.
pub fn diagnosis(trial: &Trial) -> Diagnosis {
    let (Some(_), records) = (&trial.plan.diagnostics, trial.diagnostics) else { return Diagnosis::None };
    let Some(records) = records else {
        return Diagnosis::Missing("there are no records of them".to_owned());
    };
    match find(trial.plan, trial.verdict, records) {
        Ok(joints) => Diagnosis::Joints(joints),
        Err(RecordFault::Missing { place }) => Diagnosis::Missing(format!("they broke off before {place}")),
        Err(fault) => Diagnosis::Missing(fault.to_string()),
    }
}

/// The diagnostics as sentences.
pub fn lines(trial: &Trial) -> Vec<String> {
    match diagnosis(trial) {
        Diagnosis::None => hints(trial),
        Diagnosis::Missing(why) => vec![missing(&why)],
        Diagnosis::Joints(joints) => joints.iter().map(sentence).collect(),
    }
}

/// Where no diagnostics were planned though the components show much less alone than all together: that there are some.
/// Reports on trials before evaluator 3 stay as they were.
fn hints(trial: &Trial) -> Vec<String> {
    let components = &trial.verdict.components;
    let asked = trial.plan.tolerance.is_some() && components.len() > 1;
    let hint = |(lane, whole): (usize, &Comparison)| {
        let alone = || components.iter().filter_map(|component| component.lanes.get(lane));
        let most: f64 = alone().map(|comparison| comparison.interval.1).sum();
        (asked && whole.interval.0 > most.max(0.0)).then(|| {
            format!(
                "left out alone, the components show {} points in all on {}, the whole bundle {}: some cover for each other. \
                 `[diagnostics] together` in the bundle tells which, by removing them together.",
                signed(alone().map(|comparison| comparison.median).sum()),
                whole.lane,
                signed(whole.median)
            )
        })
    };
    trial.verdict.bundle.lanes.iter().enumerate().filter_map(hint).collect()
}

/// That they are not there.
pub fn missing(why: &str) -> String {
    format!("the diagnostics of the plan were not measured to their end: {why}")
}

/// One group on one lane.
pub fn sentence(joint: &Joint) -> String {
    format!(
        "{} left out together on {}: {} points {}, {} of {RUNS} runs positive; left out alone they show {} in all. {}",
        listed(&joint.components),
        joint.lane,
        signed(joint.median),
        interval(joint.interval),
        joint.positive,
        signed(joint.alone),
        finding(joint.finding)
    )
}

/// What that says.
pub fn finding(finding: Finding) -> &'static str {
    match finding {
        Finding::Overlap => {
            "They overlap: each covers for the other when it alone is left out, so each looks worth less than it is."
        }
        Finding::Need => "They need each other: each one left out takes a part of the other's gain with it.",
        Finding::AddUp => "As far as the intervals tell, that is what they add up to.",
    }
}
