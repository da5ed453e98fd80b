//! What labs that ended without a word have left undone.
//!
//! Whoever holds a register's lock knows that no other lab writes to it. So a trial in it that seems to run has lost
//! its lab, by `kill -9` or a power cut.

use protocol::canonical::sha256_hex;
use protocol::register::{Component, Elimination, Event, Judgement, Registered, State};

use super::place::seen_from;
use super::{RegisterError, RegisterFile, events};
use crate::folder::{self, Folder};
use crate::{machine, plan_maker};

/// Ends trials that broke off, and brings to the end what is left to do of a judged one; says so, a line each.
pub fn mend(file: &mut RegisterFile) -> Result<Vec<String>, RegisterError> {
    let mut told = Vec::new();
    let boot_id = machine::facts().boot_id;
    let open: Vec<Registered> = file.register().open().cloned().collect();
    for trial in open {
        if let Some((reason, place)) = broken_off(&trial, &boot_id).or_else(|| noted(file, &trial)) {
            told.push(void(file, &trial, reason, place)?);
        }
    }
    let judged = file.register().trials().iter().rev().find_map(|trial| match &trial.state {
        State::Judged(judged) => Some((trial.clone(), judged.clone())),
        _ => None,
    });
    if let Some((trial, judged)) = judged {
        told.extend(verdict(file, &trial, &judged));
        let id = &trial.plan.plan_id;
        let is_noted = file.register().eliminations().any(|gone| gone.plan_id == *id);
        if !judged.unproven.is_empty() && !is_noted {
            file.append(elimination(&trial, &judged, None))?;
            told.push(format!("{}: {} left the bundle", named(&trial), judged.unproven.join(", ")));
        }
    }
    Ok(told)
}

/// The elimination that a verdict leads to.
pub(crate) fn elimination(trial: &Registered, judged: &Judgement, candidate: Option<String>) -> Event {
    let gone = trial.plan.components.iter().filter(|component| judged.unproven.contains(&component.name));
    let components: Vec<Component> = gone.cloned().collect();
    let (plan_id, bundle) = (trial.plan.plan_id.clone(), trial.plan.bundle.clone());
    Event::Elimination(Elimination { plan_id, bundle, components, candidate })
}

/// Why and where an open trial of which no lab takes care has ended, if it has.
fn broken_off(trial: &Registered, boot_id: &str) -> Option<(String, String)> {
    let lab = &trial.plan.lab;
    let same_boot = lab.boot_id == boot_id;
    match trial.state {
        State::Running => {
            let since = if same_boot { "" } else { ", and the machine was started anew since" };
            let place = match trial.runs {
                0 => "before run 1".to_owned(),
                run => format!("in run {run}"),
            };
            Some((format!("the lab (process {}) ended without a word{since}", lab.pid), place))
        }
        State::Paused if !same_boot => Some((
            "the machine was started anew while the trial rested; a pause ends on the boot it began on"
                .to_owned(),
            format!("after run {}", trial.runs),
        )),
        _ => None,
    }
}

/// Why and where a trial has ended that is void in its folder: the register had no room to say so.
fn noted(file: &RegisterFile, trial: &Registered) -> Option<(String, String)> {
    let void =
        own_folder(file, trial)?.read_void().ok()?.filter(|void| void.plan_id == trial.plan.plan_id)?;
    Some((void.reason, void.place))
}

/// Writes that the trial is void, in its folder and in the register.
fn void(
    file: &mut RegisterFile,
    trial: &Registered,
    reason: String,
    place: String,
) -> Result<String, RegisterError> {
    let plan_id = &trial.plan.plan_id;
    let mut written = folder::Void { plan_id: plan_id.clone(), reason, place, time: plan_maker::now() };
    let in_folder = match own_folder(file, trial) {
        None => "; its folder is not there any more".to_owned(),
        Some(folder) => match folder.read_void() {
            // The lab got as far as that before it ended.
            Ok(Some(known)) if known.plan_id == *plan_id => {
                written = known;
                String::new()
            }
            _ => match folder.write_void(&written) {
                Ok(()) => String::new(),
                Err(error) => format!("; this could not be written there: {error}"),
            },
        },
    };
    let told = format!("{} is void, {}: {}{in_folder}", named(trial), written.place, written.reason);
    file.append(Event::Void(events::void(&written)))?;
    Ok(told)
}

/// Writes the verdict that the register has and the folder lacks: it follows from the records.
fn verdict(file: &RegisterFile, trial: &Registered, judged: &Judgement) -> Option<String> {
    let folder = own_folder(file, trial)?;
    if !matches!(folder.read_verdict(), Ok(None)) {
        return None;
    }
    let written = || -> anyhow::Result<bool> {
        let (plan, _) = folder.read_plan()?;
        let (records, digest) = folder.read_records()?;
        let verdict = protocol::judge(&plan, &records, &digest)?;
        let same = sha256_hex(verdict.text()?.as_bytes()) == judged.verdict_sha256;
        if same {
            folder.write_verdict(&verdict)?;
        }
        Ok(same)
    };
    let what = match written() {
        Ok(true) => {
            "its lab ended before verdict.json was written; it follows from the records and is there now"
                .into()
        }
        Ok(false) => {
            "verdict.json is missing, and the records do not give the verdict in the register".into()
        }
        Err(error) => format!("verdict.json is missing and can't be made again: {error}"),
    };
    Some(format!("{}: {what}", named(trial)))
}

/// The trial's folder, if it is still there and still its own.
fn own_folder(file: &RegisterFile, trial: &Registered) -> Option<Folder> {
    let folder = Folder::open(&seen_from(file.path(), &trial.plan.folder)).ok()?;
    let (_, plan_id) = folder.read_plan().ok()?;
    (plan_id == trial.plan.plan_id).then_some(folder)
}

/// A trial as messages name it.
pub(crate) fn named(trial: &Registered) -> String {
    let plan = &trial.plan;
    format!(
        "the trial in {} (bundle {}, plan {})",
        plan.folder,
        plan.bundle,
        plan.plan_id.get(..12).unwrap_or(&plan.plan_id)
    )
}
