//! `bench-lab layout sweep`: how much of a gain can be layout?

mod inputs;

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::Context;
use layouts::parts::{Part, Parts};
use protocol::plan::{self, Workload};
use protocol::sweep::{SWEEP_FORMAT, evaluate};
use tempfile::TempDir;

use super::output::{self, Files};
use crate::commands::run::random_seed;
use crate::commands::{Failure, chain, print};
use crate::exit::Exit;
use crate::fault::Fault;
use crate::locks::{self, Holder};
use crate::measure::cores;
use crate::progress::{Progress, duration};
use crate::sweep::{Subject, Sweep, Swept};
use crate::{Cancel, machine, plan_maker};

/// Where results go that the user names no folder for.
const SWEEPS: &str = "sweeps";

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// A capture or an executable, unless the bundle's arm is to be built.
    pub subject: Option<PathBuf>,
    /// A bundle for the arm, the workload, the options and the core.
    pub bundle: Option<PathBuf>,
    /// Which of its arms.
    pub arm: String,
    /// Which of its lanes, if not the first.
    pub lane: Option<String>,
    /// A file of positions.
    pub positions: Option<PathBuf>,
    /// Nodes searched on each.
    pub nodes: Option<u64>,
    /// The core.
    pub core: Option<usize>,
    /// UCI options.
    pub options: Vec<(String, String)>,
    /// How many layouts.
    pub draws: usize,
    /// How often each is measured.
    pub rounds: usize,
    /// How many side by side.
    pub together: usize,
    /// The gain in percent that the user saw.
    pub gain: Option<f64>,
    /// Parts to be left fixed.
    pub without: Vec<Part>,
    /// Master seed.
    pub seed: Option<u64>,
    /// Folder of the results.
    pub out: Option<PathBuf>,
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
pub fn sweep(request: &Request) -> Result<Exit, Failure> {
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let inputs = inputs::Inputs::of(request)?;
    let out = place(request, &inputs.name);
    // Before anything costs time.
    let taken =
        ["sweep.json", "sweep.html"].map(|name| out.join(name)).into_iter().find(|file| file.exists());
    if let Some(taken) = taken {
        let message = format!("{} is there already: name another folder with -o", taken.display());
        return Err(Failure::Usage(message));
    }
    let made = !out.exists();
    output::make_folder(&out)?;
    let progress = Progress::new();
    let result = inputs
        .ready(request, output::scratch(&out)?, &progress, &cancel)
        .and_then(|ready| swept(request, ready, &out, &progress, &cancel));
    progress.finish();
    if result.is_err() && made {
        // Both stay when there is something in them.
        let _ = std::fs::remove_dir(&out);
        if request.out.is_none() {
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
fn place(request: &Request, name: &str) -> PathBuf {
    request.out.clone().unwrap_or_else(|| {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace(':', "");
        Path::new(SWEEPS).join(format!("{name}-{time}"))
    })
}

fn swept(
    request: &Request,
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
    let seed = match request.seed.or(ready.seed) {
        Some(seed) => seed,
        None => random_seed()?,
    };
    let sweep = Sweep {
        subject: &ready.subject,
        parts: ready.parts,
        tables: ready.tables.clone(),
        seed,
        draws: request.draws,
        rounds: request.rounds,
        together: request.together,
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
    let spread = evaluate(&measurements, layouts.len(), request.gain).map_err(anyhow::Error::from)?;
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
        rounds: request.rounds,
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
