//! `bench-lab run`: the whole protocol, from a bundle to a verdict.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Context;
use protocol::plan::{Identity, Lane, without};
use protocol::register::Event;

use super::follow::follow;
use super::{Failure, chain, count, eliminated, link, same_tree};
use crate::arm::session::Limits;
use crate::builds::{self, Shop, Yard};
use crate::bundle::{BadBundle, Bundle};
use crate::draws::Drawn;
use crate::exit::Exit;
use crate::folder::Folder;
use crate::identity::{IdentityJob, IdentitySet, Level};
use crate::locks::{self, Holder};
use crate::measure::Gate;
use crate::plan_maker::{self, Fixed};
use crate::planned::Planned;
use crate::progress::Progress;
use crate::register::{self, RegisterFile};
use crate::subject::ArmSet;
use crate::trial::{Earlier, Trial};
use crate::{Cancel, Pause, aa, candidate, idle, lanes, signals};

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The bundle file.
    pub bundle: PathBuf,
    /// The trial's folder, unless it is to be named after the bundle and the time.
    pub out: Option<PathBuf>,
    /// Master seed of layouts and order, instead of the bundle's or a random one.
    pub seed: Option<u64>,
    /// Jobs that cargo may run at once.
    pub jobs: Option<usize>,
    /// The register, unless it is that of the bundle's repository.
    pub register: Option<PathBuf>,
    /// Begin the trial even if noise is bound to break it.
    pub anyway: bool,
}

/// Runs a trial.
pub fn run(request: &Request) -> Result<Exit, Failure> {
    let bundle = Bundle::read(&request.bundle)?;
    let progress = Progress::new();
    let (cancel, pause) = signals::of_trial(&progress).context("cannot listen to signals")?;
    let holder = Holder::this(&format!("bundle {}", bundle.name));
    let path = request.register.clone().unwrap_or_else(|| register::beside(&bundle.file));
    let mut register = super::register::open(&path, &holder, |told| progress.say(told))?;
    eliminated::refuse(&mut register, &bundle)?;
    let _cores =
        locks::cores(bundle.lanes.iter().map(|lane| lane.core), &holder).map_err(anyhow::Error::from)?;
    let folder = Folder::create(&out(request, &bundle))?;
    let result = trial(request, &bundle, &folder, &mut register, &progress, (&cancel, &pause));
    progress.finish();
    if result.is_err() {
        folder.abandon();
    }
    match result {
        // Nothing was planned yet, so nothing is void; the exit code says that the trial broke off.
        Err(Failure::Other(error)) if cancel.is_cancelled() => Err(Failure::Void(format!(
            "interrupted before the plan was made ({}): nothing was kept",
            chain(&error)
        ))),
        result => result,
    }
}

fn out(request: &Request, bundle: &Bundle) -> PathBuf {
    request.out.clone().unwrap_or_else(|| {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace(':', "");
        PathBuf::from("trials").join(format!("{}-{time}", bundle.name))
    })
}

fn trial(
    request: &Request,
    bundle: &Bundle,
    folder: &Folder,
    register: &mut RegisterFile,
    progress: &Progress,
    (cancel, pause): (&Cancel, &Pause),
) -> Result<Exit, Failure> {
    bundle.profile_notes().iter().for_each(|note| progress.say(&format!("warning: {note}")));
    let yard = Yard::of(bundle)?;
    for waiting in yard.waiting() {
        progress.say(&format!("a paused trial waits: bench-lab resume {}", waiting.display()));
    }
    let linker = link::command()?;
    let shop = Shop { yard: &yard, jobs: request.jobs, linker: &linker, progress, cancel };
    let built = builds::build(bundle, &shop)?;
    progress.step("preparing the captured links");
    let sets = ArmSet::open_all(bundle, built, &yard)?;
    sets.iter().try_for_each(|set| set.check_effects(bundle))?;
    let planned = bundle.lanes.iter().map(lanes::planned).collect::<anyhow::Result<Vec<_>>>()?;
    let driven: Vec<Lane> = bundle
        .lanes
        .iter()
        .zip(&planned)
        .map(|(lane, p)| lanes::driven(lane, p))
        .collect::<Result<_, _>>()?;
    let seed = seed(request.seed.or(bundle.layout.seed))?;

    drawn_once(bundle, &sets, seed, &yard, progress)?;
    let identity = proven(bundle, &sets, &driven, &yard, progress, cancel)?;
    let bench =
        aa::Bench { bundle, sets: &sets, lanes: &driven, master: seed, yard: &yard, progress, cancel };
    let calibration = bench.measure()?;
    match aa::hopeless(&calibration) {
        Some(why) if !request.anyway => {
            return Err(Failure::Unresolved(format!(
                "{why}\nno trial was begun: give phases more work, make the machine quiet (bench-lab doctor), or insist with --anyway"
            )));
        }
        Some(why) => progress.say(&format!("warning: {why}")),
        None => {}
    }
    let attempt = register.register().attempts(&bundle.name, &candidate::components(bundle)).count() + 1;
    let fixed = Fixed { sets: &sets, lanes: planned, attempt, seed, identity, calibration };
    let plan = plan_maker::make(bundle, fixed)?;
    let plan_id = folder.write_plan(&plan)?;
    let registered = register::planned(&plan, &plan_id, register.path(), folder.path());
    if let Err(error) = register.append(Event::Plan(registered)) {
        // Nothing was measured by it: it is nobody's attempt at anything.
        folder.withdraw_plan().map_err(anyhow::Error::from)?;
        return Err(error.into());
    }
    progress.say(&format!(
        "plan {} fixed in {}, attempt {attempt} at bundle {}",
        &plan_id[..12],
        folder.path().display(),
        bundle.name
    ));

    let planned = Planned {
        plan: &plan,
        plan_id: &plan_id,
        bundle,
        sets: &sets,
        lanes: &driven,
        yard: &yard,
        folder,
        progress,
        cancel,
    };
    follow(&Trial { planned, pause, earlier: Earlier::default() }, register, None)
}

/// Refuses components that change nothing, and says, before anything is measured, which will be unproven whatever is
/// measured.
fn drawn_once(
    bundle: &Bundle,
    sets: &[ArmSet],
    seed: u64,
    yard: &Yard,
    progress: &Progress,
) -> Result<(), Failure> {
    progress.step("drawing once, to see what no draw scatters");
    for set in sets {
        let drawn = Drawn::arms(set, seed, &[], yard, &Gate::new())?;
        let idle = idle::find(bundle, set, &drawn)?;
        if !idle.is_empty() {
            return Err(BadBundle(idle).into());
        }
        for (number, component) in bundle.components.iter().enumerate() {
            let found = drawn.unscattered(without(number));
            if found.moved > 0 {
                progress.say(&format!(
                    "warning: component {} will be unproven on {}: it changes the place of {} that no draw scatters ({}{})",
                    component.name,
                    set.told_lanes(bundle),
                    count(found.moved, "static object"),
                    found.names.join(", "),
                    if found.moved > found.names.len() { ", …" } else { "" }
                ));
            }
        }
    }
    Ok(())
}

/// Proves that all arms search the same tree on every lane.
fn proven(
    bundle: &Bundle,
    sets: &[ArmSet],
    driven: &[Lane],
    yard: &Yard,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Identity, Failure> {
    let proven = |set: &ArmSet| IdentitySet {
        name: set.name.clone(),
        arms: set.natural().into_iter().chain(set.natural_joint()).collect(),
    };
    let proven: Vec<IdentitySet> = sets.iter().map(proven).collect();
    let suite = &bundle.identity.suite;
    let level = |l: &protocol::plan::IdentityLevel| Level {
        positions: suite[..l.positions].to_vec(),
        nodes: l.nodes,
    };
    let levels: Vec<Level> = bundle.identity.levels.iter().map(level).collect();
    let job = IdentityJob {
        sets: &proven,
        lanes: &lanes::proven(driven, &bundle.identity),
        levels: &levels,
        bench: &bundle.identity.bench,
        scratch: yard.scratch(),
        limits: Limits::default(),
    };
    same_tree::prove(&job, progress, cancel)
}

/// The seed that somebody chose, or a random one.
pub(super) fn seed(chosen: Option<u64>) -> anyhow::Result<u64> {
    if let Some(seed) = chosen {
        return Ok(seed);
    }
    let mut bytes = [0; 8];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.context("cannot draw a seed from /dev/urandom")?;
    Ok(u64::from_le_bytes(bytes))
}
