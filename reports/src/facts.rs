//! What was tested: the list at the end of the first screen.

use protocol::{PHASES, RUNS};

use crate::trial::Trial;
use crate::{qualified, words};

/// Everything in a line, for those who read no other.
pub fn tested(trial: &Trial) -> String {
    let plan = trial.plan;
    let day = plan.created.split_once('T').map_or(plan.created.as_str(), |(day, _)| day);
    format!(
        "Tested: {} on {}, {RUNS} runs of {PHASES} {}, {}, {day}.",
        words::count(plan.components.len(), "component"),
        words::count(plan.lanes.len(), "lane"),
        if plan.layout.is_limited() { "start-up layouts" } else { "memory layouts" },
        plan.machine.processor,
    )
}

/// Name and value of every fact.
pub fn facts(trial: &Trial) -> Vec<(&'static str, String)> {
    let plan = trial.plan;
    let lanes = plan.lanes.iter().map(|lane| {
        let options: Vec<String> =
            lane.options.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let options = if options.is_empty() { String::new() } else { format!(", {}", options.join(", ")) };
        let build =
            qualified::build(plan, lane).map_or(String::new(), |set| format!(", builds of set {set}"));
        format!("{} (core {}{options}{build})", lane.name, lane.core)
    });
    let at_once = match (plan.measure.lanes_at_once, plan.lanes.len()) {
        (false, _) => "",
        (true, 2) => "; both at once",
        (true, _) => "; all at once",
    };
    let components: Vec<&str> = plan.components.iter().map(|component| component.name.as_str()).collect();
    let mut facts = vec![
        ("Components", components.join(", ")),
        ("Arms", format!("{}: base, full, and full without each component", plan.arms.len())),
        ("Lanes", lanes.collect::<Vec<_>>().join("; ") + at_once),
        (
            "Workload",
            format!(
                "{}, {} nodes each, in {} a phase",
                words::count(plan.workload.positions.len(), "position"),
                words::grouped(plan.workload.nodes),
                words::count(plan.measure.processes, "fresh process").replace("processs", "processes"),
            ),
        ),
        (
            "Trial",
            format!("{RUNS} runs of {PHASES} phases, each with {}", qualified::per_phase(&plan.layout)),
        ),
        ("Layout", qualified::layout(&plan.layout)),
        ("Machine", plan.machine.processor.clone()),
        ("Planned", plan.created.clone()),
    ];
    let builds = qualified::bench_counts(plan);
    if let [_, _, ..] = builds.as_slice() {
        facts.insert(3, ("Build sets", builds.join("; ")));
    }
    facts
}
