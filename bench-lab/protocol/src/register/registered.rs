//! What the register knows of one trial, event by event.

use super::{Diagnosed, Event, Judgement, Pause, Planned, Start, Void};
use crate::RUNS;

/// A trial as the register tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Line of its plan, from 1.
    pub line: usize,
    /// When the plan was registered.
    pub time: String,
    /// Its plan; the lab is the one that ran it last.
    pub plan: Planned,
    /// Runs that were begun.
    pub runs: usize,
    /// What became of it.
    pub state: State,
    /// What the register knows of its diagnostics, once they have been measured.
    pub diagnosed: Option<Diagnosed>,
}

/// What became of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It runs, or its lab ended without a word.
    Running,
    /// It rests between two runs.
    Paused,
    /// It broke off.
    Void(Void),
    /// It is judged.
    Judged(Judgement),
}

impl State {
    /// The state in words.
    pub fn words(&self) -> &'static str {
        match self {
            State::Running => "running",
            State::Paused => "paused",
            State::Void(_) => "void",
            State::Judged(judged) if judged.proven => "proven",
            State::Judged(_) => "not proven",
        }
    }
}

impl Registered {
    /// Whether neither a verdict nor a void has ended it.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Running | State::Paused)
    }

    /// Takes one more event of this trial, or says what could have happened instead.
    pub(super) fn take(&mut self, event: &Event) -> Result<(), String> {
        match (event, &self.state) {
            (Event::Start(Start { run, .. }), State::Running) if *run == self.runs + 1 && *run <= RUNS => {
                self.runs = *run;
            }
            (Event::Pause(Pause { after_run, .. }), State::Running)
                if *after_run == self.runs && *after_run < RUNS =>
            {
                self.state = State::Paused;
            }
            (Event::Resume(resume), State::Paused) => {
                self.plan.lab = resume.lab.clone();
                self.state = State::Running;
            }
            (Event::Void(void), State::Running | State::Paused) => self.state = State::Void(void.clone()),
            (Event::Verdict(judged), State::Running) if self.runs == RUNS => {
                self.state = State::Judged(judged.clone());
            }
            (Event::Elimination(gone), State::Judged(judged))
                if !gone.components.is_empty()
                    && gone.components.iter().all(|c| judged.unproven.contains(&c.name)) => {}
            (Event::Diagnostics(measured), State::Judged(_)) if self.diagnosed.is_none() => {
                self.diagnosed = Some(measured.clone());
            }
            _ => return Err(self.expected()),
        }
        Ok(())
    }

    /// What can happen next to this trial.
    fn expected(&self) -> String {
        let trial = format!("of the trial in line {}, ", self.line);
        match &self.state {
            State::Running if self.runs == RUNS => format!("{trial}its verdict, or that it is void"),
            State::Running => {
                let run = self.runs + 1;
                format!("{trial}the start of run {run}, a pause after run {}, or that it is void", self.runs)
            }
            State::Paused => format!("{trial}that it goes on, or that it is void"),
            State::Void(_) => format!("nothing more of the trial in line {}, which is void", self.line),
            State::Judged(judged) if judged.unproven.is_empty() => match self.diagnosed {
                None => format!("{trial}its diagnostics"),
                Some(_) => format!("nothing more of the trial in line {}, which is judged", self.line),
            },
            State::Judged(judged) => {
                let diagnostics = if self.diagnosed.is_none() { "its diagnostics, or " } else { "" };
                format!("{trial}{diagnostics}the elimination of {}", judged.unproven.join(", "))
            }
        }
    }
}
