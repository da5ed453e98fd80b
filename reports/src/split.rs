//! Components that one lane proves and another does not.

use protocol::verdict::Comparison;

use crate::trial::{Subject, Trial};
use crate::{reasons, words};

/// A sentence with a blank behind it for every such component: the lanes on which it fails come first.
pub fn sentences(trial: &Trial) -> String {
    let subjects = trial.subjects();
    subjects.iter().filter(|subject| !subject.whole).filter_map(sentence).collect()
}

fn sentence(subject: &Subject) -> Option<String> {
    let (proven, failed): (Vec<&Comparison>, Vec<&Comparison>) =
        subject.lanes.iter().partition(|comparison| comparison.passed);
    if proven.is_empty() || failed.is_empty() {
        return None;
    }
    let what =
        if failed.iter().all(|lane| reasons::costs_speed(lane)) { "costs speed" } else { "is not proven" };
    Some(format!(
        "On {}, {} {what}, though it is proven on {}. ",
        lanes(&failed),
        subject.name,
        lanes(&proven)
    ))
}

fn lanes(comparisons: &[&Comparison]) -> String {
    words::lanes(&comparisons.iter().map(|comparison| comparison.lane.as_str()).collect::<Vec<_>>())
}
