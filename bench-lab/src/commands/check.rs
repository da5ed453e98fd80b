//! `bench-lab check`: says what a bundle would do, without doing it.

use std::fmt::Write;
use std::path::Path;

use protocol::{PHASES, RUNS};

use super::{Failure, count, print};
use crate::bundle::Bundle;
use crate::exit::Exit;
use crate::progress::duration;

/// Nodes a second that the rough duration assumes.
const ASSUMED_RATE: f64 = 500_000.0;
/// Seconds that starting, relinking and ending add to every arm process.
const ASSUMED_OVERHEAD: f64 = 0.05;

/// Validates the bundle and prints its arms, slots and rough duration.
pub fn check(file: &Path) -> Result<Exit, Failure> {
    print(&describe(&Bundle::read(file)?))?;
    Ok(Exit::Proven)
}

fn describe(bundle: &Bundle) -> String {
    let arms = bundle.arms();
    let measure = &bundle.measure;
    let phases = RUNS * PHASES * bundle.lanes.len();
    let processes = phases * measure.processes * arms.len();
    let nodes = bundle.workload.nodes * bundle.workload.positions.len() as u64;
    let seconds = processes as f64 * (nodes as f64 / ASSUMED_RATE + ASSUMED_OVERHEAD);
    let mut text = format!("bundle {}: good\n\narms\n", bundle.name);
    let mut line = |words: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{words}");
    };
    for arm in &arms {
        let on: Vec<&str> =
            bundle.states(arm).filter(|(_, on)| *on).map(|(component, _)| component.name.as_str()).collect();
        line(format!(
            "  {:<24} {}",
            arm.name,
            if on.is_empty() { "nothing on".into() } else { on.join(", ") }
        ));
    }
    line("\ncomponents".into());
    for component in &bundle.components {
        let costs = if component.costs.is_empty() { "nothing".into() } else { component.costs.join(", ") };
        line(format!("  {:<24} may cost {costs}", component.name));
    }
    line("\nlanes".into());
    for lane in &bundle.lanes {
        let options: Vec<String> =
            lane.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let options = options.join(" ");
        line(format!("  {:<24} core {}  {options}", lane.name, lane.core).trim_end().to_string());
    }
    line("\nsame-tree proof".into());
    for level in &bundle.identity.levels {
        line(format!("  {} positions at {} nodes, every arm and lane", level.positions, level.nodes));
    }
    line("\nslots".into());
    let slice = measure.slice_us as f64 / 1000.0;
    line(format!(
        "  {RUNS} runs of {PHASES} phases on {}: {phases} phases",
        count(bundle.lanes.len(), "lane")
    ));
    let each = count(measure.processes, "process");
    line(format!("  a phase: {} arms, {each} of each, alternating every {slice} ms", arms.len()));
    let positions = count(bundle.workload.positions.len(), "position");
    line(format!("  a process: {positions} at {} nodes", bundle.workload.nodes));
    let rough = duration(seconds);
    line(format!(
        "\nroughly {rough} at an assumed {ASSUMED_RATE} nodes a second; `run` finds out before it plans"
    ));
    text
}
