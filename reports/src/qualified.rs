//! What qualifies a verdict: said beside it, in all three reports.

use protocol::plan::{Lane, Layout, PartState};
use protocol::{Plan, Verdict};

use crate::parts;
use crate::words::{grouped, listed};

/// The first line of a report on a limited verdict, behind that word; none where executables were relinked.
pub fn limited(plan: &Plan, verdict: &Verdict) -> Option<String> {
    let all =
        ["stack", "mapping", "copy"].iter().all(|part| plan.layout.state(part) == Some(PartState::Drawn));
    let drawn = match parts::in_state(&plan.layout, PartState::Drawn) {
        _ if all && plan.layout.tables.is_some() => {
            "start-up layout, the engine's own tables and file copy".to_owned()
        }
        _ if all => "start-up layout and file copy".to_owned(),
        Some(parts) => parts,
        None => "nothing".to_owned(),
    };
    verdict.limited.then(|| {
        format!(
            "prebuilt executables: only {drawn} could be drawn. Functions and static data lay in every phase \
             where each executable has them; how much of a gain is owed to their place was not measured."
        )
    })
}

/// The verdict's word, as a heading begins.
pub fn heading(verdict: &Verdict) -> &'static str {
    match (verdict.proven, verdict.is_locked(), verdict.limited) {
        (true, _, false) => "Proven",
        (true, _, true) => "Proven, limited",
        (false, false, false) => "Not proven",
        (false, false, true) => "Not proven, limited",
        (false, true, false) => "Not proven, locked",
        (false, true, true) => "Not proven, locked and limited",
    }
}

/// Which attempt at its bundle a trial is, and what that makes of the bound; none of trials from before the register.
pub fn attempt(plan: &Plan) -> Option<String> {
    plan.attempt.map(|number| format!("Attempt {number} at this bundle: {}.", attempts(number)))
}

/// What a number of attempts makes of the bound that holds for one.
pub fn attempts(number: usize) -> String {
    match number {
        0 | 1 => "1 attempt, for which the bound of 9/256 ≈ 3.5 % holds".to_owned(),
        number => {
            let once = 1.0 - 9.0 / 256.0;
            format!(
                "{number} attempts, and 9/256 ≈ 3.5 % holds for one: at least one of {number} proves a component without \
                 gain with a probability of up to {:.1} %",
                100.0 * (1.0 - f64::powf(once, number as f64))
            )
        }
    }
}

/// What every phase draws, shortly.
pub fn per_phase(layout: &Layout) -> &'static str {
    if layout.is_limited() { "its own start-up layouts" } else { "its own memory layout" }
}

/// What became of the parts of the layout: drawn, fixed, not scattered.
pub fn layout(layout: &Layout) -> String {
    let states = [
        (PartState::Drawn, "drawn: "),
        (PartState::Fixed, "fixed by the bundle: "),
        (PartState::NotScattered, "not scattered: "),
    ];
    let said = states
        .iter()
        .filter_map(|(state, lead)| parts::in_state(layout, *state).map(|parts| format!("{lead}{parts}")));
    said.collect::<Vec<_>>().join("; ")
}

/// The name of the build set that a lane measures, where there are several.
pub fn build<'a>(plan: &'a Plan, lane: &Lane) -> Option<&'a str> {
    let several = plan.builds.len() > 1;
    plan.builds.get(lane.build).filter(|_| several).map(|set| set.name.as_str())
}

/// The bench count of a build set; zero stands for an engine that has no such command.
pub fn bench(plan: &Plan, set: &str) -> String {
    match plan.identity.bench_nodes.get(set) {
        Some(&nodes) if nodes > 0 => format!("bench {}", grouped(nodes)),
        _ => "no bench command".to_owned(),
    }
}

/// Every build set with its bench count and the lanes that measure it.
pub fn bench_counts(plan: &Plan) -> Vec<String> {
    let said = plan.builds.iter().enumerate().map(|(index, set)| {
        let lanes: Vec<&str> =
            plan.lanes.iter().filter(|lane| lane.build == index).map(|lane| lane.name.as_str()).collect();
        let noun = if lanes.len() == 1 { "lane" } else { "lanes" };
        format!("{} for {noun} {}, {}", set.name, listed(&lanes), bench(plan, &set.name))
    });
    said.collect()
}
