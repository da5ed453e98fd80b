//! The register: its chain, and what it says of this trial.

use super::{DIAGNOSTICS, Misfit, PLAN, RECORDS, RegisterFile, VERDICT};
use crate::Verdict;
use crate::canonical::sha256_hex;
use crate::plan::Plan;
use crate::register::{Component, Event, Register, Registered, State};

/// A register that has the trial's plan.
pub(super) struct Known<'a> {
    name: &'a str,
    register: Register,
    plan_id: String,
}

/// Reads the register and compares its line of the plan; none when a plan from before the register is not in it.
pub(super) fn planned<'a>(
    file: &RegisterFile<'a>,
    plan: &Plan,
    plan_id: &str,
) -> Result<Option<Known<'a>>, Misfit> {
    let register = read(file)?;
    let Some(trial) = register.trial(plan_id) else {
        absent(file, &register, plan, plan_id)?;
        return Ok(None);
    };
    same_plan(file.name, trial, plan)?;
    Ok(Some(Known { name: file.name, plan_id: plan_id.to_owned(), register }))
}

impl Known<'_> {
    /// Compares what the register says of the trial's end; the line of its plan and the number of lines.
    pub(super) fn ended(&self, verdict: &Verdict) -> Result<(usize, usize), Misfit> {
        let line = match self.register.trial(&self.plan_id) {
            Some(trial) => {
                ended(self.name, &self.register, trial, verdict)?;
                trial.line
            }
            None => 0,
        };
        Ok((line, self.register.entries().len()))
    }

    /// Compares the digest of the diagnostics, if they are there, with the register's; the line that vouches for them.
    pub(super) fn diagnosed(&self, found: Option<&str>) -> Result<Option<usize>, Misfit> {
        let noted = self.register.entries().iter().find_map(|entry| match &entry.event {
            Event::Diagnostics(noted) if noted.plan_id == self.plan_id => Some((entry.n, noted)),
            _ => None,
        });
        let Some((line, noted)) = noted else { return Ok(None) };
        let expected = &noted.records_sha256;
        if found == Some(expected.as_str()) {
            return Ok(Some(line));
        }
        let found = found.map_or("none".to_owned(), |digest| format!("SHA-256 {digest}"));
        let by = format!("line {line} of {}", self.name);
        Err(Misfit::file(DIAGNOSTICS, format!("found {found}, expected SHA-256 {expected} as {by} says")))
    }
}

/// Reads the register.
fn read(file: &RegisterFile<'_>) -> Result<Register, Misfit> {
    Register::read(file.bytes).map_err(|fault| {
        let told = fault.to_string();
        let what = told.split_once(": ").map_or(told.as_str(), |(_, what)| what);
        Misfit::line(file.name, fault.line(), what)
    })
}

/// Reads the register and looks whether it says that the trial is void, as its folder does; the line of the plan and the
/// number of lines, or none when the plan is not in it.
pub(super) fn compare_void(file: &RegisterFile<'_>, plan_id: &str) -> Result<Option<(usize, usize)>, Misfit> {
    let register = read(file)?;
    match register.trial(plan_id) {
        None => Ok(None),
        Some(Registered { line, state: State::Void(_), .. }) => Ok(Some((*line, register.entries().len()))),
        Some(trial) => {
            let what =
                format!("found the trial of line {} {}, expected it void", trial.line, trial.state.words());
            Err(Misfit::file(file.name, format!("{what} as void.json says")))
        }
    }
}

/// A plan that the register does not have.
fn absent(file: &RegisterFile<'_>, register: &Register, plan: &Plan, plan_id: &str) -> Result<(), Misfit> {
    let here = register.trials().iter().find(|trial| (file.is_here)(&trial.plan.folder));
    match (here, plan.attempt) {
        (Some(trial), _) => {
            let (id, line) = (&trial.plan.plan_id, trial.line);
            let what = format!(
                "found SHA-256 {plan_id}, expected {id} as line {line} of {} says of this folder",
                file.name
            );
            Err(Misfit::file(PLAN, what))
        }
        (None, Some(attempt)) => {
            let what = format!(
                "found no plan {plan_id}, expected it as attempt {attempt} at bundle {}; if it was registered elsewhere, \
                 name that register with --register",
                plan.bundle
            );
            Err(Misfit::file(file.name, what))
        }
        (None, None) => Ok(()),
    }
}

/// The line of the plan says what the plan says.
fn same_plan(name: &str, trial: &Registered, plan: &Plan) -> Result<(), Misfit> {
    let known = &trial.plan;
    let components = |all: &[Component]| {
        let told: Vec<String> = all.iter().map(|c| format!("{} ({})", c.name, c.switch)).collect();
        told.join(", ")
    };
    let attempt = |number: Option<usize>| number.map_or("none".to_owned(), |number| number.to_string());
    for (what, found, expected) in [
        ("bundle", known.bundle.clone(), plan.bundle.clone()),
        ("SHA-256 of the bundle", known.bundle_sha256.clone(), plan.bundle_sha256.clone()),
        ("components", components(&known.components), components(&Component::of(plan))),
        ("attempt", attempt(Some(known.attempt)), attempt(plan.attempt)),
    ] {
        same(name, trial.line, what, &found, &expected, PLAN)?;
    }
    Ok(())
}

/// The lines of verdict and elimination say what plan and records give.
fn ended(name: &str, register: &Register, trial: &Registered, verdict: &Verdict) -> Result<(), Misfit> {
    let line_of = |is: &dyn Fn(&Event) -> bool| {
        let own = |event: &Event| event.plan_id() == Some(trial.plan.plan_id.as_str()) && is(event);
        register.entries().iter().find(|entry| own(&entry.event)).map_or(trial.line, |entry| entry.n)
    };
    let judged = match &trial.state {
        State::Judged(judged) => judged,
        State::Void(void) => {
            let line = line_of(&|event| matches!(event, Event::Void(_)));
            let what = format!("found the trial void, {}: {}; expected its verdict", void.place, void.reason);
            return Err(Misfit::line(name, line, what));
        }
        state => {
            let what =
                format!("found the trial of line {} {}, expected its verdict", trial.line, state.words());
            return Err(Misfit::file(name, what));
        }
    };
    let line = line_of(&|event| matches!(event, Event::Verdict(_)));
    let text = verdict.text().map_err(|e| Misfit::file(VERDICT, e))?;
    let unproven: Vec<&str> =
        verdict.components.iter().filter(|c| !c.passed).map(|c| c.component.as_str()).collect();
    for (what, found, expected, by) in [
        ("SHA-256 of the records", judged.records_sha256.clone(), verdict.records_sha256.clone(), RECORDS),
        ("SHA-256 of the verdict", judged.verdict_sha256.clone(), sha256_hex(text.as_bytes()), VERDICT),
        ("proven", judged.proven.to_string(), verdict.proven.to_string(), VERDICT),
        ("unproven", judged.unproven.join(", "), unproven.join(", "), VERDICT),
    ] {
        same(name, line, what, &found, &expected, by)?;
    }
    let gone = register.eliminations().find(|gone| gone.plan_id == trial.plan.plan_id);
    match gone {
        None if unproven.is_empty() => Ok(()),
        None => {
            let what =
                format!("found no elimination, expected that of {} as {VERDICT} gives", unproven.join(", "));
            Err(Misfit::file(name, what))
        }
        Some(gone) => {
            let names: Vec<&str> = gone.components.iter().map(|c| c.name.as_str()).collect();
            let line = line_of(&|event| matches!(event, Event::Elimination(_)));
            same(name, line, "eliminated", &names.join(", "), &unproven.join(", "), VERDICT)
        }
    }
}

fn same(name: &str, line: usize, what: &str, found: &str, expected: &str, by: &str) -> Result<(), Misfit> {
    if found == expected {
        return Ok(());
    }
    let none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
    let (found, expected) = (none(found), none(expected));
    Err(Misfit::line(name, line, format!("{what}: found {found}, expected {expected} as {by} gives")))
}
