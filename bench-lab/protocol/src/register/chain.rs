//! The whole register: read, checked, continued.

use std::collections::BTreeSet;

use super::{Component, Diagnosed, Entry, Event, FIRST, Planned, RegisterFault, Registered, State};
use crate::canonical::sha256_hex;
use crate::misread;

/// A register in which every line fits the ones before.
#[derive(Clone, Debug, Default)]
pub struct Register {
    entries: Vec<Entry>,
    trials: Vec<Registered>,
    /// SHA-256 of the last line.
    head: Option<String>,
}

impl Register {
    /// Reads a whole register.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn read(bytes: &[u8]) -> Result<Register, RegisterFault> {
        let mut register = Register::default();
        for (line, bytes) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let Some(text) = bytes.strip_suffix(b"\n") else {
                return Err(RegisterFault::Torn { line, bytes: bytes.len() });
            };
            let entry: Entry = serde_json::from_slice(text)
                .map_err(|e| RegisterFault::NotAnEntry { line, found: misread::told(&e) })?;
            check_text(line, text, &entry)?;
            register.push(entry)?;
        }
        Ok(register)
    }

    /// The entry that continues the register by an event.
    ///
    /// # Errors
    /// When the event cannot have happened after those before.
    pub fn next(&self, time: &str, event: Event) -> Result<Entry, RegisterFault> {
        let line = self.entries.len() + 1;
        let mut trials = self.trials.clone();
        story(&mut trials, line, time, &event)?;
        Entry::new(line, time.to_owned(), event, self.head().to_owned()).map_err(|e| unserialisable(line, &e))
    }

    /// Takes the entry of the next line.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn push(&mut self, entry: Entry) -> Result<(), RegisterFault> {
        let line = self.entries.len() + 1;
        let digest = entry.digest().map_err(|e| unserialisable(line, &e))?;
        if digest != entry.sha256 {
            return Err(RegisterFault::Changed { line, found: digest, expected: entry.sha256 });
        }
        if entry.n != line {
            return Err(RegisterFault::Number { line, found: entry.n });
        }
        if entry.previous != self.head() {
            let (found, expected) = (self.head().to_owned(), entry.previous);
            return Err(RegisterFault::Chain { line, found, expected });
        }
        story(&mut self.trials, line, &entry.time, &entry.event)?;
        let text = entry.line().map_err(|e| unserialisable(line, &e))?;
        self.head = Some(sha256_hex(&text));
        self.entries.push(entry);
        Ok(())
    }

    /// SHA-256 of the last line; [`FIRST`] when there is none.
    pub fn head(&self) -> &str {
        self.head.as_deref().unwrap_or(FIRST)
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All trials, in the order of their plans.
    pub fn trials(&self) -> &[Registered] {
        &self.trials
    }

    /// The trial with this plan.
    pub fn trial(&self, plan_id: &str) -> Option<&Registered> {
        self.trials.iter().find(|trial| trial.plan.plan_id == plan_id)
    }

    /// Trials without verdict or void.
    pub fn open(&self) -> impl Iterator<Item = &Registered> {
        self.trials.iter().filter(|trial| trial.is_open())
    }

    /// The plans so far for a bundle: those of its name, and those of the same set of switches.
    pub fn attempts<'a>(
        &'a self,
        bundle: &'a str,
        components: &'a [Component],
    ) -> impl Iterator<Item = &'a Registered> {
        attempts(&self.trials, bundle, components)
    }
}

fn attempts<'a>(
    trials: &'a [Registered],
    bundle: &'a str,
    components: &'a [Component],
) -> impl Iterator<Item = &'a Registered> {
    let own = switches(components);
    trials.iter().filter(move |trial| trial.plan.bundle == bundle || switches(&trial.plan.components) == own)
}

/// The set of switches that makes two bundles the same one.
pub(super) fn switches(components: &[Component]) -> BTreeSet<&str> {
    components.iter().map(|component| component.switch.as_str()).collect()
}

/// The whole lines at the begin of a register, and what is left of one that was cut off.
pub fn whole_lines(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    bytes.split_at(end)
}

/// Tells the trials what happened.
fn story(trials: &mut Vec<Registered>, line: usize, time: &str, event: &Event) -> Result<(), RegisterFault> {
    let fault = |expected| RegisterFault::Story { line, found: told(event), expected };
    match event {
        Event::Torn(_) => Ok(()),
        Event::Plan(plan) => {
            if let Some(earlier) = trials.iter().find(|trial| trial.plan.plan_id == plan.plan_id) {
                return Err(fault(format!("another plan than in line {}", earlier.line)));
            }
            let attempt = attempts(trials, &plan.bundle, &plan.components).count() + 1;
            if plan.attempt != attempt {
                return Err(fault(format!("attempt {attempt}")));
            }
            trials.push(Registered {
                line,
                time: time.to_owned(),
                plan: plan.clone(),
                runs: 0,
                state: State::Running,
                diagnosed: None,
            });
            Ok(())
        }
        event => {
            let plan_id = event.plan_id();
            match trials.iter_mut().find(|trial| Some(trial.plan.plan_id.as_str()) == plan_id) {
                Some(trial) => trial.take(event).map_err(fault),
                None => Err(fault("a plan with this id in a line before".to_owned())),
            }
        }
    }
}

/// An event in words.
fn told(event: &Event) -> String {
    match event {
        Event::Plan(Planned { bundle, attempt, plan_id, .. }) => {
            format!("plan {} for bundle {bundle}, attempt {attempt}", short(plan_id))
        }
        Event::Start(start) => format!("the start of run {} of plan {}", start.run, short(&start.plan_id)),
        Event::Pause(pause) => {
            format!("a pause of plan {} after run {}", short(&pause.plan_id), pause.after_run)
        }
        Event::Diagnostics(Diagnosed { plan_id, .. }) => {
            format!("the diagnostics of plan {}", short(plan_id))
        }
        other => {
            let plan = other.plan_id().map_or(String::new(), |id| format!(" of plan {}", short(id)));
            format!("a {}{plan}", other.name())
        }
    }
}

/// As much of an id as people compare.
fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// The text of a line must be the one that the entry makes.
fn check_text(line: usize, found: &[u8], entry: &Entry) -> Result<(), RegisterFault> {
    let expected = entry.line().map_err(|e| unserialisable(line, &e))?;
    if expected == found {
        return Ok(());
    }
    let same = found.iter().zip(&expected).take_while(|(a, b)| a == b).count();
    let part = |bytes: &[u8]| {
        let rest = &bytes[same.saturating_sub(8).min(bytes.len())..];
        String::from_utf8_lossy(&rest[..rest.len().min(24)]).into_owned()
    };
    Err(RegisterFault::NotCanonical { line, column: same + 1, found: part(found), expected: part(&expected) })
}

fn unserialisable(line: usize, error: &serde_json::Error) -> RegisterFault {
    RegisterFault::NotAnEntry { line, found: format!("what cannot be written ({error})") }
}
