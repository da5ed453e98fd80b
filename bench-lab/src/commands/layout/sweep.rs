//! `bench-lab layout sweep`: how much of a gain can be layout?

mod inputs;

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::Context;
use clap::Args;
use layouts::parts::{Part, Parts};
use protocol::plan::{self, Workload};
use protocol::sweep::{SWEEP_FORMAT, evaluate};
use tempfile::TempDir;

use crate::commands::arguments::{ArmOfBundle, at_least, number, option, percent};
use crate::commands::{Failure, chain, print, run};
use crate::exit::Exit;
use crate::fault::Fault;
use crate::locks::{self, Holder};
use crate::measure::cores;
use crate::output::{self, Files};
use crate::progress::{Progress, duration};
use crate::sweep::{Subject, Sweep, Swept};
use crate::{Cancel, machine, plan_maker};

/// Where results go that the user names no folder for.
const SWEEPS: &str = "sweeps";

/// Arguments of `layout sweep`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// A capture; or an executable, of which only the start-up layout can be drawn
    #[arg(value_name = "CAPTURE|EXECUTABLE")]
    subject: Option<PathBuf>,
    /// Take workload, options and core from a bundle; without a capture, build one of its arms; the arm's options count in any case
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    #[command(flatten)]
    of: ArmOfBundle,
    /// A file of positions, one FEN a line
    #[arg(long, value_name = "FILE", requires = "nodes")]
    positions: Option<PathBuf>,
    /// Nodes searched on each position
    #[arg(long, value_name = "N", requires = "positions", value_parser = at_least::<u64>(1))]
    nodes: Option<u64>,
    /// Processor core to measure on, from 0; the lab itself uses another one
    #[arg(long, value_name = "N", value_parser = at_least::<usize>(0))]
    core: Option<usize>,
    /// A UCI option; one whose name ends in File is a path
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// How many layouts
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>(2, 1000))]
    draws: usize,
    /// How often each is measured
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<usize>(2, 1000))]
    rounds: usize,
    /// How many are measured side by side; the fewer, the less they wear each other's caches
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<usize>(1, 16))]
    together: usize,
    /// The gain that you measured last, in percent
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    gain: Option<f64>,
    /// Leave a part as it is: order, padding, phase, segments, heap, stack, mapping, tables or copy
    #[arg(long, value_name = "PART")]
    without: Vec<Part>,
    /// Master seed [default: the bundle's, else random]
    #[arg(long, value_name = "N", value_parser = at_least::<u64>(0))]
    seed: Option<u64>,
    /// Folder of the results [default: sweeps/<name>-<UTC time>]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What is swept and how, once everything is there.
struct Ready {
    name: String,
    subject: Subject,
    planned: plan::Lane,
    driven: plan::Lane,
    workload: Workload,
    slice_us: u64,
    parts: Parts,
    tables: Option<plan::TablesOption>,
    seed: Option<u64>,
    scratch: TempDir,
}

/// Measures, writes `sweep.json` and `sweep.html`, and tells the answer.
pub fn sweep(arguments: &Arguments) -> Result<Exit, Failure> {
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let inputs = inputs::Inputs::of(arguments)?;
    let out = place(arguments, &inputs.name);
    // Before anything costs time.
    let taken =
        ["sweep.json", "sweep.html"].map(|name| out.join(name)).into_iter().find(|file| file.exists());
    if let Some(taken) = taken {
        let message = format!("{} is there already: name another folder with -o", taken.display());
        return Err(Failure::Usage(message));
    }
    let made = !out.exists();
    output::make_folder(&out, output::ELSEWHERE)?;
    let progress = Progress::new();
    let result = inputs
        .ready(arguments, output::scratch(&out)?, &progress, &cancel)
        .and_then(|ready| swept(arguments, ready, &out, &progress, &cancel));
    progress.finish();
    if result.is_err() && made {
        // Both stay when there is something in them.
        let _ = std::fs::remove_dir(&out);
        if arguments.out.is_none() {
            let _ = std::fs::remove_dir(SWEEPS);
        }
    }
    match result {
        Err(Failure::Other(error)) => Err(explained(error, &cancel)),
        result => result,
    }
}

/// Which failure an error is.
fn explained(error: anyhow::Error, cancel: &Cancel) -> Failure {
    match error.downcast_ref::<Fault>() {
        _ if cancel.is_cancelled() => Failure::Void("interrupted: nothing was kept".to_owned()),
        Some(Fault::NodesDiffer { .. }) => Failure::Layouts(format!(
            "{}: the search depends on where things lie in memory (an uninitialised value, an address as a key) or is not \
             repeatable; one thread and a fixed number of nodes must give one count",
            chain(&error)
        )),
        _ => Failure::Other(error),
    }
}

/// The folder of the results.
fn place(arguments: &Arguments, name: &str) -> PathBuf {
    arguments.out.clone().unwrap_or_else(|| {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace(':', "");
        Path::new(SWEEPS).join(format!("{name}-{time}"))
    })
}

fn swept(
    arguments: &Arguments,
    ready: Ready,
    out: &Path,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Exit, Failure> {
    if let Subject::Executable(..) = ready.subject {
        progress.say(
            "start-up layouts only: an executable cannot be relinked; give a capture to draw everything",
        );
    }
    let holder = Holder::this(&format!("a sweep of {}", ready.name));
    let _core = locks::cores([ready.driven.core], &holder).map_err(anyhow::Error::from)?;
    if !cores::room(ready.driven.core).map_err(anyhow::Error::from)?.lab {
        progress
            .say("warning: there is no other core for the lab itself, so that it disturbs what it measures");
    }
    let seed = run::seed(arguments.seed.or(ready.seed))?;
    let sweep = Sweep {
        subject: &ready.subject,
        parts: ready.parts,
        tables: ready.tables.clone(),
        seed,
        draws: arguments.draws,
        rounds: arguments.rounds,
        together: arguments.together,
        lane: &ready.driven,
        workload: &ready.workload,
        slice_us: ready.slice_us,
        scratch: ready.scratch.path(),
        progress,
        cancel,
    };
    let (created, begun) = (plan_maker::now(), Instant::now());
    let Swept { layouts, measurements } =
        sweep.run().with_context(|| format!("the sweep of {} broke off", ready.name))?;
    let seconds = begun.elapsed().as_secs_f64();
    let spread = evaluate(&measurements, layouts.len(), arguments.gain).map_err(anyhow::Error::from)?;
    let finished = protocol::sweep::Sweep {
        format: SWEEP_FORMAT,
        name: ready.name.clone(),
        created,
        subject_sha256: ready.subject.sha256().to_owned(),
        layout: plan::Layout {
            scheme: layouts::SCHEME.to_owned(),
            seed,
            parts: sweep.layout_parts(),
            tables: ready.tables.clone(),
        },
        lane: ready.planned.clone(),
        workload: ready.workload.clone(),
        slice_us: ready.slice_us,
        rounds: arguments.rounds,
        layouts,
        measurements,
        spread,
        tool: plan_maker::tool(&[])?,
        machine: machine::facts(),
    };
    let table = reports::sweep::table(&finished).context("the sweep can't be told")?;
    let page = reports::sweep::html(&finished).context("the page can't be drawn")?;
    let json = protocol::canonical::to_bytes(&finished).context("the sweep has no JSON form")?;
    let (json_file, page_file) = (out.join("sweep.json"), out.join("sweep.html"));
    let mut files = Files::new();
    files.add(&json_file, &json)?;
    files.add(&page_file, page.as_bytes())?;
    files.finish()?;
    print(&format!(
        "{table}\n{} in {}, master seed {seed}\nwrote {} and {}\n",
        ready.name,
        duration(seconds),
        json_file.display(),
        page_file.display()
    ))?;
    Ok(Exit::Proven)
}
