//! Components without proof: refused where they come back, and what is left of their bundle.

use std::path::{Component as Part, Path, PathBuf};

use protocol::register::{Ban, Component, Elimination, Event, Judgement, Register};

use super::{Failure, count};
use crate::bundle::{Bundle, Switch};
use crate::candidate::{self, Leaving};
use crate::register::{self, RegisterError, RegisterFile};

/// Refuses a bundle that holds components which an earlier trial of it did not prove, and writes what is left of it.
pub(super) fn refuse(file: &mut RegisterFile, bundle: &Bundle) -> Result<(), Failure> {
    let components = candidate::components(bundle);
    let bans = file.register().bans(&bundle.name, &components);
    if bans.is_empty() {
        return Ok(());
    }
    let leaving = leaving(file.path(), bundle, &bans);
    let name = candidate::name(bundle, &leaving, file.register());
    let told = told(file.path(), bundle, &bans);
    let events = eliminations(file.register(), bundle, &bans, name.as_deref());
    events.into_iter().try_for_each(|event| file.append(event)).map_err(anyhow::Error::from)?;
    let left = candidate::write(bundle, &leaving, name.as_deref());
    Err(Failure::Usage(format!("{told}\n{}", left.advice(leaving.len()))))
}

/// The same by a register that is only read: another lab may be writing to it. Nothing is written.
pub(super) fn refuse_unwritten(register: &Register, path: &Path, bundle: &Bundle) -> Result<(), Failure> {
    let components = candidate::components(bundle);
    let bans = register.bans(&bundle.name, &components);
    match bans.is_empty() {
        true => Ok(()),
        false => Err(Failure::Usage(told(path, bundle, &bans))),
    }
}

/// Registers that components have left their bundle and writes what is left of it; says so.
pub(super) fn after(
    file: &mut RegisterFile,
    bundle: &Bundle,
    judged: &Judgement,
) -> Result<Option<String>, RegisterError> {
    let Some(trial) = file.register().trial(&judged.plan_id).cloned() else { return Ok(None) };
    if judged.unproven.is_empty() {
        return Ok(None);
    }
    let folder = tidy(&register::seen_from(file.path(), &trial.plan.folder));
    let why =
        |name: &String| Leaving { name: name.clone(), why: why(bundle, name, &folder, &judged.plan_id) };
    let leaving: Vec<Leaving> = judged.unproven.iter().map(why).collect();
    let name = candidate::name(bundle, &leaving, file.register());
    file.append(register::elimination(&trial, judged, name.clone()))?;
    let left = candidate::write(bundle, &leaving, name.as_deref());
    let gone = judged.unproven.join(", ");
    let verb = if leaving.len() == 1 { "leaves" } else { "leave" };
    Ok(Some(format!(
        "{gone} {verb} bundle {} and may not come back; {}",
        bundle.name,
        left.advice(leaving.len())
    )))
}

/// What is not yet noted of a candidate: one event for every trial that did not prove one of the components.
fn eliminations(register: &Register, bundle: &Bundle, bans: &[Ban<'_>], name: Option<&str>) -> Vec<Event> {
    let is_noted = register
        .eliminations()
        .any(|gone| gone.bundle == bundle.name && name.is_some() && gone.candidate.as_deref() == name);
    if is_noted || name.is_none() {
        return Vec::new();
    }
    let mut events: Vec<Elimination> = Vec::new();
    for ban in bans {
        let plan_id = &ban.trial.plan.plan_id;
        match events.iter_mut().find(|event| event.plan_id == *plan_id) {
            Some(event) => event.components.push(ban.eliminated.clone()),
            None => events.push(Elimination {
                plan_id: plan_id.clone(),
                bundle: bundle.name.clone(),
                components: vec![ban.eliminated.clone()],
                candidate: name.map(str::to_owned),
            }),
        }
    }
    events.into_iter().map(Event::Elimination).collect()
}

fn leaving(path: &Path, bundle: &Bundle, bans: &[Ban<'_>]) -> Vec<Leaving> {
    let one = |ban: &Ban<'_>| {
        let plan = &ban.trial.plan;
        let folder = tidy(&register::seen_from(path, &plan.folder));
        let name = ban.component.name.clone();
        Leaving { why: why(bundle, &name, &folder, &plan.plan_id), name }
    };
    bans.iter().map(one).collect()
}

/// What the bundle without a component says in its place.
fn why(bundle: &Bundle, name: &str, folder: &Path, plan_id: &str) -> String {
    let switch = bundle.components.iter().find(|c| c.name == *name).map(|c| &c.switch);
    let stays = match switch {
        Some(Switch::Define { off: Some(_), .. } | Switch::Option { .. }) => true,
        Some(Switch::Patch(patch)) => patch.in_tree,
        _ => false,
    };
    let stays = if stays { "; without its switch it is as the engine has it, in every arm" } else { "" };
    let folder = folder.file_name().unwrap_or(folder.as_os_str()).display();
    format!("trial {folder} (plan {}) did not prove it{stays}", plan_id.get(..12).unwrap_or(plan_id))
}

fn told(path: &Path, bundle: &Bundle, bans: &[Ban<'_>]) -> String {
    let mut text = format!(
        "{}: {} of bundle {} had no proof in an earlier trial and may not be in it again:",
        bundle.file.display(),
        count(bans.len(), "component"),
        bundle.name
    );
    for ban in bans {
        let plan = &ban.trial.plan;
        let folder = tidy(&register::seen_from(path, &plan.folder));
        let Component { name, switch } = ban.component;
        let known = if ban.eliminated == ban.component {
            String::new()
        } else {
            format!(", known as {} ({})", ban.eliminated.name, ban.eliminated.switch)
        };
        text.push_str(&format!(
            "\n  {name} ({switch}){known}: trial {}, plan {}",
            folder.display(),
            plan.plan_id
        ));
    }
    text
}

/// A path without `x/..`.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        let is_name = matches!(tidy.components().next_back(), Some(Part::Normal(_)));
        match part {
            Part::CurDir => {}
            Part::ParentDir if is_name => {
                tidy.pop();
            }
            part => tidy.push(part),
        }
    }
    if tidy.as_os_str().is_empty() { PathBuf::from(".") } else { tidy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_without_detours() {
        for (path, told) in
            [("results/../trials/a", "trials/a"), ("./a", "a"), ("a/..", "."), ("../a", "../a")]
        {
            assert_eq!(tidy(Path::new(path)), PathBuf::from(told));
        }
    }
}
