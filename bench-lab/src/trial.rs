//! The trial: 8 runs of 12 phases on every lane, measured and recorded, nothing computed.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use protocol::plan::PhaseOf;
use protocol::{PHASES, RUNS};

use crate::ahead::{Ahead, ahead};
use crate::builds::kept;
use crate::draws::Drawn;
use crate::folder::{Draws, RecordsWriter, Timing};
use crate::measure::{Gate, Stage, StageClock};
use crate::phases::Phases;
use crate::planned::Planned;
use crate::vigil::Vigil;
use crate::{Pause, pause};

/// Everything a trial works with.
pub struct Trial<'a> {
    /// Its plan, and what that is carried out with.
    pub planned: Planned<'a>,
    /// Whether it shall pause after a run.
    pub pause: &'a Pause,
    /// What was measured before a pause.
    pub earlier: Earlier,
}

/// What a trial that goes on has measured already.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Runs that have ended.
    pub runs: usize,
    /// For every lane, the node counts that its first phase has fixed; empty before the first run.
    pub nodes: Vec<Vec<u64>>,
}

/// How a trial came to an end for now.
#[derive(Debug)]
pub enum Ended {
    /// All its runs are recorded.
    Finished(Timing),
    /// It waits after a run.
    Paused {
        /// The run.
        after_run: usize,
        /// Where everything that it needs to go on is.
        kept: PathBuf,
        /// Where the time of this part went.
        timing: Timing,
    },
}

/// Why and where a trial broke off.
#[derive(Debug)]
pub struct Broken {
    /// What happened.
    pub reason: anyhow::Error,
    /// Where: run, phase and lane.
    pub place: String,
}

impl Trial<'_> {
    /// Measures everything; what is measured is in the folder's records. `begin` is told every run before its first
    /// phase.
    pub fn run(&self, begin: &mut dyn FnMut(usize) -> anyhow::Result<()>) -> Result<Ended, Broken> {
        let Planned { plan, sets, lanes, .. } = self.planned;
        let gate = Gate::new();
        let phases =
            Phases { planned: self.planned, series: plan.series(), sets: sets.iter().collect(), part: "" };
        let mut left = phases.series.in_order();
        left.retain(|of| of.run > self.earlier.runs);
        let make = |of: PhaseOf| phases.draw(&of, &gate);
        ahead(&gate, left.clone(), make, |draws| {
            let mut course = Course {
                trial: self,
                phases: &phases,
                place: format!("before run {}", self.earlier.runs + 1),
                nodes: (0..lanes.len()).map(|lane| self.earlier.nodes.get(lane).cloned()).collect(),
                clock: StageClock::begin(Stage::Checking),
                draws: Draws::default(),
                gate: &gate,
            };
            let ended = course.all(&left, draws, begin);
            self.pause.at(None);
            let timing = || Timing::of(&course.clock, course.draws, gate.worked());
            match ended {
                Ok(None) => Ok(Ended::Finished(timing())),
                Ok(Some((after_run, kept))) => Ok(Ended::Paused { after_run, kept, timing: timing() }),
                Err(reason) => Err(Broken { reason, place: course.place }),
            }
        })
    }
}

/// A trial under way.
struct Course<'a> {
    trial: &'a Trial<'a>,
    phases: &'a Phases<'a>,
    place: String,
    /// Node counts that the first phase of every lane has fixed.
    nodes: Vec<Option<Vec<u64>>>,
    clock: StageClock,
    draws: Draws,
    /// Keeps the drawing of the next phase away from the slots of this one.
    gate: &'a Gate,
}

impl Course<'_> {
    /// Measures these phases to the end, or up to a pause: after which run, and where its arms are kept.
    fn all(
        &mut self,
        phases: &[PhaseOf],
        draws: &mut Ahead<Vec<Drawn>>,
        begin: &mut dyn FnMut(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<(usize, PathBuf)>> {
        let trial = self.trial;
        let Planned { plan, lanes, folder, progress, cancel, .. } = trial.planned;
        let mut records = match trial.earlier.runs {
            0 => folder.records()?,
            _ => folder.more_records()?,
        };
        let mut pieces = progress.pieces(phases.len());
        let (begun, of_run) = (Instant::now(), PHASES * plan.measure.groups(lanes.len()).len());
        let vigil = Vigil::begin()?;
        for (done, of) in phases.iter().enumerate() {
            if of.phase == 1 && of.lanes[0] == 0 {
                self.clock.enter(Stage::Checking);
                self.place = format!("before run {}", of.run);
                trial.planned.check()?;
                cancel.check()?;
                begin(of.run)?;
            }
            self.place = self.phases.place(of);
            cancel.check()?;
            trial.pause.at(Some(pause::Course {
                run: of.run,
                left: of_run - done % of_run,
                each: begun.elapsed() / done.max(1) as u32,
                since: Instant::now(),
            }));
            pieces.at(done, &self.place);
            self.clock.enter(Stage::Drawing);
            let drawn = draws.next(cancel)?;
            self.phase(of, drawn, &vigil, &mut records)?;
            self.clock.enter(Stage::Ending);
            draws.release();
            if (done + 1) % of_run == 0
                && of.run < RUNS
                && let Some(kept) = self.pause(of.run)
            {
                self.clock.enter(Stage::Ending);
                return Ok(Some((of.run, kept)));
            }
        }
        // The last stage counts from its change on.
        self.clock.enter(Stage::Ending);
        Ok(None)
    }

    /// Keeps what the trial needs to go on, if somebody wants a pause after this run. Without room for that it
    /// does not pause.
    fn pause(&self, run: usize) -> Option<PathBuf> {
        let &Trial { planned: Planned { plan_id, sets, yard, folder, progress, .. }, pause, .. } = self.trial;
        if !pause.is_wanted() && !folder.is_pause_wanted() {
            return None;
        }
        pause.forget();
        let kept = folder.forget_pause().map_err(anyhow::Error::from).and_then(|()| {
            let trial = folder.path().canonicalize().context("cannot open the trial's folder")?;
            Ok(kept::keep(yard, plan_id, &trial, sets)?)
        });
        kept.inspect_err(|error| {
            progress.say(&format!("no pause after run {run}, the trial goes on: {error:#}"));
        })
        .ok()
    }

    /// Measures a phase on all its lanes and records it.
    fn phase(
        &mut self,
        of: &PhaseOf,
        drawn: &[Drawn],
        vigil: &Vigil,
        records: &mut RecordsWriter,
    ) -> anyhow::Result<()> {
        let measured = self.phases.measure(of, drawn, &mut self.nodes, &mut self.clock, self.gate)?;
        vigil.check()?;
        for drawn in drawn {
            let (relinks, seconds) = drawn.relinks();
            self.draws.count += 1;
            self.draws.relinks += relinks;
            self.draws.relink_seconds += seconds;
        }
        Ok(records.append(&measured)?)
    }
}
