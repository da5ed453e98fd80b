//! `bench-lab resume`: lets a paused trial go on, if everything is as it was.

use std::path::Path;

use anyhow::{Context, anyhow};
use protocol::plan::Lane;
use protocol::register::{Event, Lab, Resume, State};
use protocol::{PHASES, Plan, ProcessRecord};

use super::Failure;
use super::follow::{follow, void};
use crate::builds::{BuildError, Yard, kept};
use crate::bundle::Bundle;
use crate::exit::Exit;
use crate::folder::{Break, Folder, Paused};
use crate::locks::{self, Holder};
use crate::planned::Planned;
use crate::progress::Progress;
use crate::register::RegisterFile;
use crate::subject::ArmSet;
use crate::trial::{Broken, Earlier, Trial};
use crate::{hash, lanes, machine, plan_maker, signals};

/// Why a trial that neither rests nor has ended cannot go on.
const NOT_PAUSED: &str = "the trial is not paused: its lab ended without a word";

/// Goes on with a paused trial.
pub fn resume(dir: &Path) -> Result<Exit, Failure> {
    let folder = Folder::open(dir).map_err(anyhow::Error::from)?;
    let (plan, plan_id) = folder.read_plan().map_err(anyhow::Error::from)?;
    let paused = waiting(&folder, &plan_id)?;
    let place = format!("after run {}", paused.after_run);
    let holder = Holder::this(&format!("bundle {}", plan.bundle));
    let (mut register, torn) = RegisterFile::open(&paused.register, &holder)?;
    let progress = Progress::new();
    torn.iter().for_each(|told| progress.say(told));
    let broken = |register: &mut RegisterFile, reason: anyhow::Error| {
        // The plan that was registered, whatever its file holds now.
        void(&folder, Some(register), &paused.plan_id, Broken { reason, place: place.clone() })
    };
    let known = register.register().trial(&paused.plan_id);
    if known.is_some_and(|trial| trial.state == State::Running) {
        return Err(broken(&mut register, anyhow!("{NOT_PAUSED}")));
    }
    let records = unchanged(&folder, &plan, &plan_id, &paused);
    let records = records.map_err(|reason| broken(&mut register, reason))?;
    let (cancel, pause) = signals::of_trial(&progress).context("cannot listen to signals")?;
    let bundle = Bundle::read(&paused.bundle)
        .map_err(|problems| broken(&mut register, anyhow!("the bundle is no longer good: {problems}")))?;
    let _cores =
        locks::cores(bundle.lanes.iter().map(|lane| lane.core), &holder).map_err(anyhow::Error::from)?;
    let yard = Yard::of(&bundle)?;
    progress.step("preparing the captured links again");
    let built = kept::take(&bundle, &plan, &paused.kept).map_err(|error| match error {
        lost @ BuildError::Lost { .. } => broken(&mut register, lost.into()),
        error => error.into(),
    })?;
    let sets = ArmSet::open_all(&bundle, built, &yard)?;
    let lanes = bundle.lanes.iter().zip(&plan.lanes);
    let lanes: Vec<Lane> = lanes
        .map(|(lane, planned)| lanes::driven(lane, planned))
        .collect::<Result<_, _>>()
        .map_err(|reason| broken(&mut register, reason))?;

    let planned = Planned {
        plan: &plan,
        plan_id: &plan_id,
        bundle: &bundle,
        sets: &sets,
        lanes: &lanes,
        yard: &yard,
        folder: &folder,
        progress: &progress,
        cancel: &cancel,
    };
    let trial = Trial { planned, pause: &pause, earlier: earlier(&plan, &records, paused.after_run) };
    let lab = Lab { pid: std::process::id(), boot_id: paused.boot_id.clone() };
    register.append(Event::Resume(Resume { plan_id: plan_id.clone(), lab }))?;
    // From here on it runs or is void.
    folder.end_pause().map_err(anyhow::Error::from)?;
    progress.say(&format!("going on after run {}, paused since {}", paused.after_run, paused.time));
    let rest = Break { after_run: paused.after_run, from: paused.time.clone(), to: plan_maker::now() };
    let ended = follow(&trial, &mut register, Some((paused.timing.clone(), rest)));
    progress.finish();
    if !matches!(ended, Ok(Exit::Paused)) {
        kept::forget(&paused.kept)?;
    }
    ended
}

/// The pause of a trial that can be ended.
fn waiting(folder: &Folder, plan_id: &str) -> Result<Paused, Failure> {
    let dir = folder.path().display();
    if let Some(void) = folder.read_void().map_err(anyhow::Error::from)? {
        return Err(Failure::Void(format!("{dir} is void, {}: {}", void.place, void.reason)));
    }
    if folder.is_at_work().map_err(anyhow::Error::from)? {
        return Err(Failure::Usage(format!("a lab is at work on {dir}: there is nothing to resume")));
    }
    if folder.read_verdict().map_err(anyhow::Error::from)?.is_some() {
        return Err(Failure::Usage(format!("{dir} has its verdict: there is nothing to resume")));
    }
    match folder.read_paused().map_err(anyhow::Error::from)? {
        Some(paused) => Ok(paused),
        None => {
            let reason = anyhow!("{NOT_PAUSED}");
            let place = format!("after {} records", folder.count_records().unwrap_or(0));
            // Its register tells the same at the next start of a lab.
            Err(void(folder, None, plan_id, Broken { reason, place }))
        }
    }
}

/// The records so far, if boot, plan, records and bundle are what they were.
fn unchanged(
    folder: &Folder,
    plan: &Plan,
    plan_id: &str,
    paused: &Paused,
) -> anyhow::Result<Vec<ProcessRecord>> {
    let same = |what: &str, planned: &str, found: &str| match planned == found {
        true => Ok(()),
        false => Err(anyhow!("{what}: planned {planned}, found {found}")),
    };
    let boot_id = machine::facts().boot_id;
    same("the machine was started anew since the pause; its boot id", &paused.boot_id, &boot_id)?;
    same("plan.json", &paused.plan_id, plan_id)?;
    plan.check().context("the plan does not agree with itself")?;
    let (records, digest) = folder.read_records()?;
    same("records.jsonl", &paused.records_sha256, &digest)?;
    let of_run = PHASES * plan.lanes.len() * plan.arms.len() * plan.measure.processes;
    let (count, expected) = (records.len().to_string(), (of_run * paused.after_run).to_string());
    same("the number of records", &expected, &count)?;
    let bundle = hash::of_file(&paused.bundle);
    let bundle = bundle.with_context(|| format!("cannot read the bundle {}", paused.bundle.display()))?;
    same("the bundle file", &plan.bundle_sha256, &bundle)?;
    Ok(records)
}

/// What was measured before the pause, as the next runs need it.
fn earlier(plan: &Plan, records: &[ProcessRecord], runs: usize) -> Earlier {
    let first = |lane: &Lane| records.iter().find(|record| record.lane == lane.name);
    let nodes = |record: &ProcessRecord| record.searches.iter().map(|search| search.nodes).collect();
    Earlier { runs, nodes: plan.lanes.iter().filter_map(first).map(nodes).collect() }
}
