//! A register as a table and as JSON.

use protocol::register::{Register, Registered, State};
use serde::Serialize;

use crate::qualified;
use crate::table::aligned;
use crate::words::{count, listed, printable};

/// One line a trial, what became of it below, and how many attempts every bundle has had.
pub fn table(register: &Register) -> String {
    let head = ["line", "planned", "bundle", "attempt", "plan", "runs", "state", "trial"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    rows.extend(register.trials().iter().map(row));
    let mut lines: Vec<String> = aligned(&rows, &[0, 3, 5]).lines().map(str::to_owned).collect();
    let mut text = format!("{}\n", lines.remove(0));
    for (trial, line) in register.trials().iter().zip(lines) {
        text.push_str(&format!("{line}\n"));
        notes(register, trial).iter().for_each(|note| text.push_str(&format!("      {note}\n")));
    }
    let trials = register.trials().len();
    text.push_str(&format!("\n{} in {}\n", count(trials, "trial"), count(register.entries().len(), "line")));
    for (bundle, attempts) in bundles(register) {
        text.push_str(&format!("bundle {bundle}: {}\n", qualified::attempts(attempts)));
    }
    text.push_str(&format!("SHA-256 of the last line: {}\n", register.head()));
    printable(&text)
}

/// The same for programs.
pub fn json(register: &Register) -> String {
    let trials = register.trials().iter().map(|trial| view(register, trial)).collect();
    let view = View { lines: register.entries().len(), head: register.head(), trials };
    // Such a value always has a JSON form.
    let mut text = serde_json::to_string_pretty(&view).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct View<'a> {
    lines: usize,
    head: &'a str,
    trials: Vec<TrialView<'a>>,
}

#[derive(Serialize)]
struct TrialView<'a> {
    line: usize,
    planned: &'a str,
    bundle: &'a str,
    plan_id: &'a str,
    attempt: usize,
    components: Vec<&'a str>,
    trial: &'a str,
    runs: usize,
    state: &'static str,
    void: Option<VoidView<'a>>,
    eliminated: Vec<&'a str>,
    candidate: Option<&'a str>,
}

#[derive(Serialize)]
struct VoidView<'a> {
    place: &'a str,
    reason: &'a str,
}

fn view<'a>(register: &'a Register, trial: &'a Registered) -> TrialView<'a> {
    let plan = &trial.plan;
    let void = match &trial.state {
        State::Void(void) => Some(VoidView { place: &void.place, reason: &void.reason }),
        _ => None,
    };
    let (eliminated, candidate) = eliminated(register, trial);
    TrialView {
        line: trial.line,
        planned: &trial.time,
        bundle: &plan.bundle,
        plan_id: &plan.plan_id,
        attempt: plan.attempt,
        components: plan.components.iter().map(|component| component.name.as_str()).collect(),
        trial: &plan.folder,
        runs: trial.runs,
        state: trial.state.words(),
        void,
        eliminated,
        candidate,
    }
}

fn row(trial: &Registered) -> Vec<String> {
    let plan = &trial.plan;
    vec![
        trial.line.to_string(),
        trial.time.clone(),
        plan.bundle.clone(),
        plan.attempt.to_string(),
        plan.plan_id.get(..12).unwrap_or(&plan.plan_id).to_owned(),
        format!("{}/{}", trial.runs, protocol::RUNS),
        trial.state.words().to_owned(),
        plan.folder.clone(),
    ]
}

fn notes(register: &Register, trial: &Registered) -> Vec<String> {
    let mut notes = Vec::new();
    if let State::Void(void) = &trial.state {
        notes.push(format!("{}: {}", void.place, void.reason.replace('\n', " ")));
    }
    let (gone, candidate) = eliminated(register, trial);
    if !gone.is_empty() {
        let left = candidate.map_or(String::new(), |name| format!("; what is left is {name}"));
        notes.push(format!("without proof: {}{left}", listed(&gone)));
    }
    notes
}

/// What left the bundle by this trial, and the first bundle without it.
fn eliminated<'a>(register: &'a Register, trial: &Registered) -> (Vec<&'a str>, Option<&'a str>) {
    let of_trial = || register.eliminations().filter(|gone| gone.plan_id == trial.plan.plan_id);
    let gone = of_trial()
        .next()
        .map_or(Vec::new(), |gone| gone.components.iter().map(|component| component.name.as_str()).collect());
    (gone, of_trial().find_map(|gone| gone.candidate.as_deref()))
}

/// Every bundle by its name, in the order of first plans, with the attempts of its last plan.
fn bundles(register: &Register) -> Vec<(&str, usize)> {
    let mut bundles: Vec<(&str, usize)> = Vec::new();
    for trial in register.trials() {
        let plan = &trial.plan;
        match bundles.iter_mut().find(|(known, _)| *known == plan.bundle) {
            Some((_, attempts)) => *attempts = plan.attempt,
            None => bundles.push((&plan.bundle, plan.attempt)),
        }
    }
    bundles
}
