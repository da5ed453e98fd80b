//! `bench-lab check`: says what a bundle would do, without doing it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use protocol::plan::PartState;
use protocol::{PHASES, RUNS};

use super::{Failure, count, eliminated, print};
use crate::bundle::{Build, Bundle};
use crate::exit::Exit;
use crate::locks::Holder;
use crate::plan_maker;
use crate::progress::duration;
use crate::register::{self, RegisterError};

/// Nodes a second that the rough duration assumes.
const ASSUMED_RATE: f64 = 1_000_000.0;
/// Seconds that starting, relinking and ending add to every arm process.
const ASSUMED_OVERHEAD: f64 = 0.05;

/// Validates the bundle and prints its builds, arms, slots and rough duration.
pub fn check(file: &Path, register: Option<PathBuf>) -> Result<Exit, Failure> {
    let bundle = Bundle::read(file)?;
    admitted(&bundle, &register.unwrap_or_else(|| register::beside(file)))?;
    print(&describe(&bundle))?;
    for note in bundle.profile_notes() {
        super::warn(&format!("warning: {note}"));
    }
    Ok(Exit::Proven)
}

/// How large a loss may be without being declared.
fn tolerance(bundle: &Bundle) -> String {
    let protocol::losses::Tolerance { memory, executable_size, start_up_time, lane_percent } =
        &bundle.tolerance;
    format!(
        "memory {} % or {} KiB, executable size {} % or {} KiB, start-up time {} % or {} ms, another lane's speed {} %",
        memory.percent,
        memory.least / 1024,
        executable_size.percent,
        executable_size.least / 1024,
        start_up_time.percent,
        start_up_time.least as f64 / 1e6,
        lane_percent
    )
}

/// Refuses what `run` would refuse by the register.
fn admitted(bundle: &Bundle, path: &Path) -> Result<(), Failure> {
    if !path.exists() {
        return Ok(());
    }
    let holder = Holder::this(&format!("bundle {}", bundle.name));
    match super::register::open(path, &holder, super::warn) {
        Ok(mut file) => eliminated::refuse(&mut file, bundle),
        // A lab that runs, or a folder that can't be written to, does not keep anybody from reading.
        Err(RegisterError::Lock(_)) => {
            let (known, _) = register::read(path).map_err(anyhow::Error::from)?;
            eliminated::refuse_unwritten(&known, path, bundle)
        }
        Err(error) => Err(anyhow::Error::from(error).into()),
    }
}

fn describe(bundle: &Bundle) -> String {
    let arms = bundle.arms();
    let measure = &bundle.measure;
    let phases = RUNS * PHASES * bundle.lanes.len();
    // What is measured at once takes no more time.
    let in_turn = phases / if measure.lanes_at_once { bundle.lanes.len() } else { 1 };
    let processes = in_turn * measure.processes * arms.len();
    let nodes = bundle.workload.nodes * bundle.workload.positions.len() as u64;
    let seconds = processes as f64 * (nodes as f64 / ASSUMED_RATE + ASSUMED_OVERHEAD);
    let mut text = format!("bundle {}: good\n\nbuilds\n", bundle.name);
    let mut line = |words: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{words}");
    };
    for set in &bundle.builds {
        let told = set.build.to_string().replace('\n', &format!("\n{:27}", ""));
        line(format!("  {:<24} {told}", set.name));
    }
    line("\narms".into());
    for arm in &arms {
        let on = bundle.states(arm).filter(|(_, is_on)| *is_on).map(|(component, _)| component.name.as_str());
        let on: Vec<&str> = on.collect();
        let on = if on.is_empty() { "nothing on".to_string() } else { on.join(", ") };
        line(format!("  {:<24} {on}", arm.name));
    }
    line("\ncomponents".into());
    for component in &bundle.components {
        let costs = if component.costs.is_empty() { "nothing".into() } else { component.costs.join(", ") };
        line(format!("  {:<24} {}; may cost {costs}", component.name, component.switch));
    }
    line(format!("\nlet pass undeclared\n  {}", tolerance(bundle)));
    if let Some(diagnostics) = &bundle.diagnostics {
        line("\ndiagnostics, after the trial and outside the verdict".into());
        for arm in bundle.joint_arms() {
            line(format!("  {:<24} {RUNS} runs of {}", arm.name, count(diagnostics.phases, "phase")));
        }
    }
    line("\nlayout".into());
    for (state, words) in
        [(PartState::Drawn, "drawn"), (PartState::Fixed, "fixed"), (PartState::NotScattered, "not scattered")]
    {
        let parts = plan_maker::layout_parts(bundle).into_iter().filter(|part| part.state == state);
        let parts: Vec<String> = parts.map(|part| part.part).collect();
        if !parts.is_empty() {
            line(format!("  {words}: {}", parts.join(", ")));
        }
    }
    if matches!(bundle.builds[0].build, Build::Prebuilt(_)) {
        line("  prebuilt executables cannot be linked anew: the verdict will be limited".into());
    }
    line("\nlanes".into());
    for lane in &bundle.lanes {
        let options: Vec<String> =
            lane.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let options = options.join(" ");
        let builds = &bundle.builds[lane.build].name;
        let builds = if bundle.builds.len() > 1 { format!("builds {builds}  ") } else { String::new() };
        line(format!("  {:<24} core {}  {builds}{options}", lane.name, lane.core).trim_end().to_string());
    }
    line("\nsame-tree proof".into());
    for level in &bundle.identity.levels {
        line(format!("  {} positions at {} nodes, every arm and lane", level.positions, level.nodes));
    }
    for path in &bundle.identity.paths {
        let options: Vec<String> = path.iter().map(|(name, value)| format!("{name}={value}")).collect();
        line(format!("  the same with {} on every lane", options.join(" ")));
    }
    line("\nslots".into());
    let slice = measure.slice_us as f64 / 1000.0;
    line(format!(
        "  {RUNS} runs of {PHASES} phases on {}{}: {phases} phases",
        count(bundle.lanes.len(), "lane"),
        if measure.lanes_at_once { " at once" } else { "" }
    ));
    let each = count(measure.processes, "process");
    line(format!("  a phase: {} arms, {each} of each, alternating every {slice} ms", arms.len()));
    let positions = count(bundle.workload.positions.len(), "position");
    line(format!("  a process: {positions} at {} nodes", bundle.workload.nodes));
    let rough = duration(seconds);
    line(format!(
        "\nroughly {rough}, not counting builds and calibration, at an assumed {ASSUMED_RATE} nodes a second; `bench-lab aa` measures it"
    ));
    text
}
