//! The trial: 8 runs of 12 phases on every lane, measured and recorded, nothing computed.

use anyhow::{Context, bail};
use protocol::plan::{self, Lane, PhaseOf};
use protocol::{Plan, seed};

use crate::Cancel;
use crate::ahead::{Ahead, ahead};
use crate::arm::session::Limits;
use crate::builds::Yard;
use crate::bundle::Bundle;
use crate::draws::Drawn;
use crate::fixed::Fixed;
use crate::folder::{Draws, Folder, RecordsWriter, Timing};
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_phase_timed};
use crate::progress::Progress;
use crate::subject::ArmSet;
use crate::vigil::Vigil;

/// Everything a trial works with.
pub struct Trial<'a> {
    /// What is fixed.
    pub plan: &'a Plan,
    /// Its id.
    pub plan_id: &'a str,
    /// The bundle it was made from.
    pub bundle: &'a Bundle,
    /// The arms of every build set, in the plan's order.
    pub sets: &'a [ArmSet],
    /// The lanes as arms are driven on them, in the plan's order.
    pub lanes: &'a [Lane],
    /// Where it links.
    pub yard: &'a Yard,
    /// Where it records.
    pub folder: &'a Folder,
    /// Where it tells how far it is.
    pub progress: &'a Progress,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
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
    pub fn run(&self, begin: &mut dyn FnMut(usize) -> anyhow::Result<()>) -> Result<Timing, Broken> {
        let gate = Gate::new();
        let make = |phase| self.draw(phase, &gate);
        ahead(&gate, plan::phases(&self.plan.runs), make, |draws| {
            let mut course = Course {
                trial: self,
                place: "before run 1".to_string(),
                nodes: vec![None; self.lanes.len()],
                clock: StageClock::begin(Stage::Checking),
                draws: Draws::default(),
                gate: &gate,
            };
            match course.all(draws, begin) {
                Ok(()) => Ok(Timing::of(&course.clock, course.draws, gate.worked())),
                Err(reason) => Err(Broken { reason, place: course.place }),
            }
        })
    }

    /// What is looked at again before every run.
    fn fixed(&self) -> Fixed<'_> {
        let &Trial { plan, plan_id, folder, bundle, sets, lanes, .. } = self;
        Fixed { plan, plan_id, folder, bundle, sets, lanes }
    }

    /// Draws the layouts of a phase.
    fn draw(&self, of: PhaseOf<'_>, gate: &Gate) -> anyhow::Result<Drawn> {
        let (master, lane) = (self.plan.layout.seed, &self.lanes[of.lane]);
        let startup = |process| seed::startup(master, &lane.name, of.run, of.phase, process);
        let startups: Vec<u64> = (1..=self.plan.measure.processes).map(startup).collect();
        let seed = seed::draw(master, &lane.name, of.run, of.phase);
        Drawn::arms(&self.sets[lane.build], seed, &startups, self.yard, gate)
    }
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
    fn all(
        &mut self,
        draws: &mut Ahead<Drawn>,
        begin: &mut dyn FnMut(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let trial = self.trial;
        let mut records = trial.folder.records()?;
        let phases = plan::phases(&trial.plan.runs);
        let mut pieces = trial.progress.pieces(phases.len());
        let vigil = Vigil::begin()?;
        for (done, &of) in phases.iter().enumerate() {
            if of.phase == 1 && of.lane == 0 {
                self.clock.enter(Stage::Checking);
                self.place = format!("before run {}", of.run);
                let differs = trial.fixed().differences();
                if !differs.is_empty() {
                    bail!("not as planned:\n  {}", differs.join("\n  "));
                }
                trial.cancel.check()?;
                begin(of.run)?;
            }
            self.place = format!("run {}, phase {}, lane {}", of.run, of.phase, trial.lanes[of.lane].name);
            trial.cancel.check()?;
            pieces.at(done, &self.place);
            self.clock.enter(Stage::Drawing);
            let drawn = draws.next(trial.cancel)?;
            self.phase(of, drawn, &vigil, &mut records)?;
            self.clock.enter(Stage::Ending);
            draws.release();
        }
        // The last stage counts from its change on.
        self.clock.enter(Stage::Ending);
        Ok(())
    }

    fn phase(
        &mut self,
        of: PhaseOf<'_>,
        drawn: &Drawn,
        vigil: &Vigil,
        records: &mut RecordsWriter,
    ) -> anyhow::Result<()> {
        let (trial, PhaseOf { run, phase, lane, slots }) = (self.trial, of);
        let job = PhaseJob {
            place: &format!("run {run}, phase {phase}"),
            lane: &trial.lanes[lane],
            workload: &trial.plan.workload,
            measure: &trial.plan.measure,
            slots,
            arms: &drawn.images,
            nodes: self.nodes[lane].as_deref(),
            scratch: trial.yard.scratch(),
            limits: Limits::calibrated(trial.plan.calibration[lane].pace.as_ref()),
        };
        let measured = run_phase_timed(&job, &mut self.clock, self.gate, trial.cancel)?;
        vigil.check()?;
        self.clock.enter(Stage::Recording);
        if self.nodes[lane].is_none() {
            let first = measured.first().context("no process was measured")?;
            self.nodes[lane] = Some(first.searches.iter().map(|search| search.nodes).collect());
        }
        let record = |m: ProcessMeasurement| {
            let (arm, draw) = (&trial.plan.arms[m.arm].name, drawn.record(m.arm, m.process));
            m.recorded((run, phase), &trial.lanes[lane].name, arm, draw)
        };
        records.append(&measured.into_iter().map(record).collect::<Vec<_>>())?;
        let (relinks, seconds) = drawn.relinks();
        self.draws.count += 1;
        self.draws.relinks += relinks;
        self.draws.relink_seconds += seconds;
        Ok(())
    }
}
