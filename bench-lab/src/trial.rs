//! The trial: 8 runs of 12 phases on every lane, measured and recorded, nothing computed.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use protocol::plan::Lane;
use protocol::{PHASES, RUNS, seed};

use crate::ahead::{Ahead, ahead};
use crate::arm::session::Limits;
use crate::builds::kept;
use crate::draws::Drawn;
use crate::folder::{Draws, RecordsWriter, Timing};
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_phases};
use crate::planned::Planned;
use crate::vigil::Vigil;
use crate::{Pause, lanes, pause};

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
        let gate = Gate::new();
        let make = |phase| self.draw(phase, &gate);
        ahead(&gate, self.phases(), make, |draws| {
            let mut course = Course {
                trial: self,
                place: format!("before run {}", self.earlier.runs + 1),
                nodes: (0..self.planned.lanes.len())
                    .map(|lane| self.earlier.nodes.get(lane).cloned())
                    .collect(),
                clock: StageClock::begin(Stage::Checking),
                draws: Draws::default(),
                gate: &gate,
            };
            let ended = course.all(draws, begin);
            self.pause.at(None);
            let timing = || Timing::of(&course.clock, course.draws, gate.worked());
            match ended {
                Ok(None) => Ok(Ended::Finished(timing())),
                Ok(Some((after_run, kept))) => Ok(Ended::Paused { after_run, kept, timing: timing() }),
                Err(reason) => Err(Broken { reason, place: course.place }),
            }
        })
    }

    /// All phases that are to be measured, in this order.
    fn phases(&self) -> Vec<PhaseOf> {
        let Planned { plan, lanes, .. } = self.planned;
        let groups = plan.measure.groups(lanes.len());
        let mut phases = Vec::new();
        for run in &plan.runs[self.earlier.runs..] {
            for phase in 1..=PHASES {
                phases.extend(groups.iter().map(|lanes| PhaseOf {
                    run: run.run,
                    phase,
                    lanes: lanes.clone(),
                }));
            }
        }
        phases
    }

    /// Draws the layouts of a phase: for each of its lanes one.
    fn draw(&self, of: PhaseOf, gate: &Gate) -> anyhow::Result<Vec<Drawn>> {
        let Planned { plan, sets, lanes, yard, .. } = self.planned;
        let of_lane = |&lane: &usize| {
            let (master, lane) = (plan.layout.seed, &lanes[lane]);
            let startup = |process| seed::startup(master, &lane.name, of.run, of.phase, process);
            let startups: Vec<u64> = (1..=plan.measure.processes).map(startup).collect();
            let seed = seed::draw(master, &lane.name, of.run, of.phase);
            Drawn::arms(&sets[lane.build], seed, &startups, yard, gate)
        };
        of.lanes.iter().map(of_lane).collect()
    }

    /// Where a phase is.
    fn place(&self, of: &PhaseOf) -> String {
        let lanes: Vec<&Lane> = of.lanes.iter().map(|&lane| &self.planned.lanes[lane]).collect();
        format!("run {}, phase {}, {}", of.run, of.phase, lanes::told(&lanes))
    }
}

/// A phase of its run, on the lanes that are measured at once.
#[derive(Clone, Debug)]
struct PhaseOf {
    run: usize,
    phase: usize,
    lanes: Vec<usize>,
}

/// A trial under way.
struct Course<'a> {
    trial: &'a Trial<'a>,
    place: String,
    /// Node counts that the first phase of every lane has fixed.
    nodes: Vec<Option<Vec<u64>>>,
    clock: StageClock,
    draws: Draws,
    /// Keeps the drawing of the next phase away from the slots of this one.
    gate: &'a Gate,
}

impl Course<'_> {
    /// Measures to the end, or up to a pause: after which run, and where its arms are kept.
    fn all(
        &mut self,
        draws: &mut Ahead<Vec<Drawn>>,
        begin: &mut dyn FnMut(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<(usize, PathBuf)>> {
        let trial = self.trial;
        let Planned { plan, lanes, folder, progress, cancel, .. } = trial.planned;
        let mut records = match trial.earlier.runs {
            0 => folder.records()?,
            _ => folder.more_records()?,
        };
        let phases = trial.phases();
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
            self.place = trial.place(of);
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
        let Planned { plan, lanes, yard, cancel, .. } = self.trial.planned;
        let &PhaseOf { run, phase, .. } = of;
        let place = format!("run {run}, phase {phase}");
        let jobs: Vec<PhaseJob<'_>> = of
            .lanes
            .iter()
            .zip(drawn)
            .map(|(&lane, drawn)| PhaseJob {
                place: &place,
                lane: &lanes[lane],
                workload: &plan.workload,
                measure: &plan.measure,
                slots: &plan.runs[run - 1].lanes[lane][phase - 1],
                arms: &drawn.images,
                nodes: self.nodes[lane].as_deref(),
                scratch: yard.scratch(),
                limits: Limits::calibrated(plan.calibration[lane].pace.as_ref()),
            })
            .collect();
        let measured = run_phases(&jobs, &mut self.clock, self.gate, cancel)?;
        vigil.check()?;
        self.clock.enter(Stage::Recording);
        let mut lines = Vec::new();
        for ((&lane, drawn), measured) in of.lanes.iter().zip(drawn).zip(measured) {
            let first = measured.first().context("no process was measured")?;
            let nodes = || first.searches.iter().map(|search| search.nodes).collect();
            self.nodes[lane].get_or_insert_with(nodes);
            let record = |m: ProcessMeasurement| {
                let (arm, draw) = (&plan.arms[m.arm].name, drawn.record(m.arm, m.process));
                m.recorded((run, phase), &lanes[lane].name, arm, draw)
            };
            lines.extend(measured.into_iter().map(record));
            let (relinks, seconds) = drawn.relinks();
            self.draws.count += 1;
            self.draws.relinks += relinks;
            self.draws.relink_seconds += seconds;
        }
        Ok(records.append(&lines)?)
    }
}
