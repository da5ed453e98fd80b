//! `bench-lab compare`: by how much is B faster than A? In minutes, and not a verdict.

mod inputs;
mod side;
mod values;

use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgGroup, Args};
use layouts::parts::Part;
use protocol::calibration::points;
use protocol::compare::design::Stage;
use protocol::compare::{COMPARISON_FORMAT, Comparison, Estimate, Outcome, Sizing, size};
use protocol::plan::{self, BASE, Identity, Workload};
use protocol::statistics::standard_deviation;

use super::arguments::{ArmOfBundle, at_least, decimal, jobs, number, option};
use super::{Failure, chain, count, link, print, run, same_tree};
use crate::arm::session::Limits;
use crate::builds::{Shop, Yard};
use crate::compare::{Compare, FIRST_NODES, Measured, suitable_nodes};
use crate::draws::Drawn;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::identity::{IdentityJob, IdentitySet, Level};
use crate::locks::{self, Holder};
use crate::measure::{Gate, cores};
use crate::progress::{Progress, duration};
use crate::subject::ArmSet;
use crate::{Cancel, machine, output, plan_maker};

use inputs::Inputs;

/// Phases whose spread fixes the number of those that count.
const CALIBRATION_PHASES: usize = 10;

/// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("form").args(["json", "commit_message"]))]
pub struct Arguments {
    /// What is there: an executable or a capture; with --bundle also an arm of it, a commit, branch or tag, or `.`, built as --arm says
    #[arg(required_unless_present = "values")]
    a: Option<String>,
    /// What may be faster
    #[arg(required_unless_present = "values")]
    b: Option<String>,
    /// A bundle, or a file with no more than its [build]: how commits are built; its workload, options and core count too
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    #[command(flatten)]
    of: ArmOfBundle,
    /// Wanted half width of the 93 % interval in percent: a short calibration fixes how many phases that takes
    #[arg(long, value_name = "PERCENT", default_value_t = 0.25, value_parser = resolution)]
    resolution: f64,
    /// Give up, before measuring, if more phases would be needed
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number::<usize>(12, 100_000))]
    max_phases: usize,
    /// A file of positions, one FEN a line [default: the bundle's, else a few that come with the lab]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Nodes searched on each [default: the bundle's, else so many that a process takes about a third of a second]
    #[arg(long, value_name = "N", value_parser = at_least::<u64>(1))]
    nodes: Option<u64>,
    /// Processor core to measure on, from 0 [default: the bundle's, else the last one]
    #[arg(long, value_name = "N", value_parser = at_least::<usize>(0))]
    core: Option<usize>,
    /// A UCI option; one whose name ends in File is a path
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// The net of both: the same as --option EvalFile=FILE
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Fresh processes of each in a phase [default: the bundle's, else 4]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1, 64))]
    processes: Option<usize>,
    /// The trees are known to differ: compare nodes per second alone
    #[arg(long, conflicts_with = "full_tree")]
    different_trees: bool,
    /// Compare the trees as far as a trial does
    #[arg(long)]
    full_tree: bool,
    /// The engines have no `bench` command
    #[arg(long)]
    no_bench: bool,
    /// Leave a part of the layout as it is: order, padding, phase, segments, heap, stack, mapping, tables or copy
    #[arg(long, value_name = "PART")]
    without: Vec<Part>,
    /// Master seed [default: the bundle's, else random]
    #[arg(long, value_name = "N", value_parser = at_least::<u64>(0))]
    seed: Option<u64>,
    /// Jobs that builds may run at once
    #[arg(long, value_name = "N", value_parser = jobs())]
    jobs: Option<usize>,
    /// Measure nothing: judge nodes per second of your own, `A B` a line, from a file or `-`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["a", "b", "bundle"])]
    values: Option<PathBuf>,
    /// The numbers of a line don't belong together
    #[arg(long, requires = "values")]
    unpaired: bool,
    /// Print JSON, with the keys that docs/daily.md explains
    #[arg(long)]
    json: bool,
    /// Print a block for a commit message
    #[arg(long)]
    commit_message: bool,
}

fn resolution(text: &str) -> Result<f64, String> {
    let wanted = decimal(text.trim().trim_end_matches('%')).ok();
    let possible = wanted.filter(|wanted| (0.01..=20.0).contains(wanted));
    possible.ok_or_else(|| "expected a number of percent from 0.01 to 20".to_owned())
}

/// The exit code of an outcome. "Not resolved" has its own: it is neither yes nor no.
pub fn exit(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Faster => Exit::Proven,
        Outcome::Slower => Exit::NotProven,
        Outcome::NotResolved => Exit::NotResolved,
    }
}

/// Compares, and tells the answer.
pub fn compare(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(file) = &arguments.values {
        return values::values(file, arguments);
    }
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let inputs = Inputs::of(arguments)?;
    let holder = Holder::this(&inputs.told());
    let _core = locks::cores([inputs.driven.core], &holder).map_err(anyhow::Error::from)?;
    let progress = Progress::new();
    let result = compared(arguments, inputs, &progress, &cancel);
    progress.finish();
    let compared = match result {
        Err(Failure::Other(error)) => return Err(explained(error, &cancel)),
        result => result?,
    };
    let text = match (arguments.json, arguments.commit_message) {
        (true, _) => output::json(&compared)?,
        (_, true) => reports::compare::commit_message(&compared),
        _ => reports::compare::table(&compared),
    };
    print(&text)?;
    Ok(exit(compared.outcome))
}

/// Which failure an error is.
fn explained(error: anyhow::Error, cancel: &Cancel) -> Failure {
    match error.downcast_ref::<Fault>() {
        _ if cancel.is_cancelled() => Failure::Void("interrupted: nothing was kept".to_owned()),
        Some(Fault::NodesDiffer { .. }) => Failure::Layouts(format!(
            "{}: the trees differ in what is measured; --different-trees compares nodes per second alone",
            chain(&error)
        )),
        _ => Failure::Other(error),
    }
}

fn compared(
    arguments: &Arguments,
    inputs: Inputs,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Comparison, Failure> {
    let created = plan_maker::now();
    let yard = match &inputs.bundle {
        Some(bundle) => Yard::of(bundle)?,
        None => Yard::free("compare")?,
    };
    let linker = link::command()?;
    let set = inputs.open(&Shop { yard: &yard, jobs: arguments.jobs, linker: &linker, progress, cancel })?;
    let seed = run::seed(arguments.seed.or(inputs.seed()))?;
    if !set.is_linked() {
        progress.say(
            "start-up layouts only: executables cannot be relinked; give captures or commits to draw everything",
        );
    }
    if !cores::room(inputs.driven.core).map_err(anyhow::Error::from)?.lab {
        progress
            .say("warning: there is no other core for the lab itself, so that it disturbs what it measures");
    }
    let notes = notes(&inputs, &set, seed, &yard)?;
    notes.iter().for_each(|note| progress.say(&format!("note: {note}")));
    let identity = match arguments.different_trees {
        true => None,
        false => Some(trees(&inputs, &set, &yard, progress, cancel)?),
    };

    let first = Workload::new(inputs.positions.clone(), inputs.nodes.unwrap_or(FIRST_NODES));
    let compare = Compare {
        set: &set,
        lane: &inputs.driven,
        workload: &first,
        slice_us: inputs.slice_us,
        processes: inputs.processes,
        seed,
        same_tree: identity.is_some(),
        yard: &yard,
        progress,
        cancel,
    };
    let workload = match inputs.nodes {
        Some(_) => first.clone(),
        None => {
            progress.step("looking how fast they are");
            let rates = Compare { processes: 1, ..compare }.phases(Stage::Calibration, 1)?.rates();
            Workload::new(inputs.positions.clone(), suitable_nodes(rates, inputs.positions.len()))
        }
    };
    let compare = Compare { workload: &workload, ..compare };
    let sizing = sizing(arguments, &compare, progress)?;
    let measured = compare.phases(Stage::Measurement, sizing.phases)?;
    let estimate = Estimate::paired(&measured.values).map_err(anyhow::Error::from)?;
    let [a, b] = &inputs.sides;
    Ok(Comparison {
        format: COMPARISON_FORMAT,
        created,
        a: a.side(&set, 0),
        b: b.side(&set, 1),
        layout: plan::Layout {
            scheme: layouts::SCHEME.to_owned(),
            seed,
            parts: plan_maker::parts_outside(&set.parts, |part| set.can_draw(part)),
            tables: set.tables.clone(),
        },
        lane: inputs.planned.clone(),
        slice_us: inputs.slice_us,
        processes: inputs.processes,
        identity,
        sizing,
        rates: measured.rates(),
        seconds: measured.seconds,
        outcome: estimate.outcome(),
        estimate,
        values: measured.values,
        notes,
        tool: plan_maker::tool(std::slice::from_ref(&set))?,
        machine: machine::facts(),
        workload,
    })
}

/// What qualifies the answer whatever is measured.
fn notes(inputs: &Inputs, set: &ArmSet, seed: u64, yard: &Yard) -> anyhow::Result<Vec<String>> {
    let mut notes = inputs.bundle.as_ref().map_or_else(Vec::new, |bundle| bundle.profile_notes());
    notes.extend(set.notes());
    let made_from = |arm: usize| (&set.subject(arm).planned.inputs_sha256, &set.arms[arm].options);
    if made_from(0) == made_from(1) {
        notes.push("A and B are the very same: what differs is noise of this machine".to_owned());
    }
    let drawn = Drawn::arms(set, seed, &[], yard, &Gate::new())?;
    let found = drawn.unscattered(BASE);
    if found.moved > 0 {
        notes.push(format!(
            "{} that no draw scatters lie elsewhere in B ({}{}): their part of the difference may be luck",
            count(found.moved, "static object"),
            found.names.join(", "),
            if found.moved > found.names.len() { ", …" } else { "" }
        ));
    }
    Ok(notes)
}

/// Proves that both search the same tree.
fn trees(
    inputs: &Inputs,
    set: &ArmSet,
    yard: &Yard,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Identity, Failure> {
    let levels: Vec<Level> = inputs
        .levels
        .iter()
        .map(|level| Level { positions: inputs.suite[..level.positions].to_vec(), nodes: level.nodes })
        .collect();
    let job = IdentityJob {
        sets: &[IdentitySet { name: set.name.clone(), arms: set.natural() }],
        lanes: std::slice::from_ref(&inputs.driven),
        levels: &levels,
        bench: &inputs.bench,
        scratch: yard.scratch(),
        limits: Limits::default(),
    };
    match same_tree::prove(&job, progress, cancel) {
        Err(Failure::Trees(difference)) => Err(Failure::Layouts(format!(
            "{difference}\nthey do different work: nodes per second say little then; --different-trees compares them all the same"
        ))),
        result => result,
    }
}

/// Fixes the number of phases from the spread of a few that are thrown away.
fn sizing(arguments: &Arguments, compare: &Compare<'_>, progress: &Progress) -> Result<Sizing, Failure> {
    let Measured { values, seconds, .. } = compare.phases(Stage::Calibration, CALIBRATION_PHASES)?;
    let sd = standard_deviation(&values);
    let size = |percent: f64| size::phases(sd, CALIBRATION_PHASES - 1, points(percent));
    let (phases, each) = (size(arguments.resolution), seconds / CALIBRATION_PHASES as f64);
    let most = arguments.max_phases;
    if phases > most {
        let coarse = (1..).map(|step| f64::from(step) * 0.05).find(|&percent| size(percent) <= most);
        return Err(Failure::Unresolved(format!(
            "a resolution of ±{} % takes {phases} phases at this noise (a phase value has a standard deviation of {sd:.2} points), \
             about {}: more than {most}; make the machine quiet (bench-lab doctor), ask for --resolution {:.2}, or allow --max-phases {phases}",
            arguments.resolution,
            duration(each * phases as f64),
            coarse.unwrap_or(f64::INFINITY),
        )));
    }
    progress.say(&format!(
        "a phase value has a standard deviation of {sd:.2} points: {phases} phases for ±{} %, about {}",
        arguments.resolution,
        duration(each * phases as f64)
    ));
    Ok(Sizing {
        resolution_percent: arguments.resolution,
        calibration_phases: CALIBRATION_PHASES,
        sd,
        phases,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_resolved_is_neither_yes_nor_no() {
        let codes =
            [Outcome::Faster, Outcome::Slower, Outcome::NotResolved].map(|outcome| exit(outcome).code());
        assert_eq!(codes, [0, 3, 6]);
    }

    #[test]
    fn resolutions_are_percent() {
        assert_eq!(resolution("0.5 %"), Ok(0.5));
        for bad in ["0", "-1", "25", "NaN", "fine"] {
            assert!(resolution(bad).is_err(), "{bad}");
        }
    }
}
