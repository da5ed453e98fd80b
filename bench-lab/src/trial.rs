//! The trial: 8 runs of 12 phases on every lane, measured and recorded, nothing computed.

use std::time::Instant;

use anyhow::{Context, bail};
use protocol::plan::{Lane, SlotPlan};
use protocol::{PHASES, Plan, ProcessRecord, RUNS, seed};

use crate::arm::session::Limits;
use crate::builds::Yard;
use crate::bundle::Bundle;
use crate::draws::Drawn;
use crate::folder::{Folder, RecordsWriter, Timing};
use crate::measure::{PhaseJob, run_phase};
use crate::progress::Progress;
use crate::subject::ArmSet;
use crate::{Cancel, fixed};

/// Everything a trial works with.
pub struct Trial<'a> {
    /// What is fixed.
    pub plan: &'a Plan,
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
    /// Measures everything; what is measured is in the folder's records.
    pub fn run(&self) -> Result<Timing, Broken> {
        let mut course = Course {
            trial: self,
            place: "before run 1".to_string(),
            nodes: vec![None; self.lanes.len()],
            relinks: 0,
            timing: Timing::default(),
        };
        let begun = Instant::now();
        match course.all() {
            Ok(()) => {
                let mut timing = course.timing;
                timing.trial_seconds = begun.elapsed().as_secs_f64();
                timing.measuring_share = timing.measuring_seconds / timing.trial_seconds;
                timing.mean_draw_seconds /= timing.draws as f64;
                timing.mean_relink_seconds /= course.relinks as f64;
                Ok(timing)
            }
            Err(reason) => Err(Broken { reason, place: course.place }),
        }
    }
}

/// A trial under way.
struct Course<'a> {
    trial: &'a Trial<'a>,
    place: String,
    /// Node counts that the first phase of every lane has fixed.
    nodes: Vec<Option<Vec<u64>>>,
    /// Executables that were linked so far.
    relinks: usize,
    /// Sums until the end makes means of them.
    timing: Timing,
}

impl Course<'_> {
    fn all(&mut self) -> anyhow::Result<()> {
        let trial = self.trial;
        let mut records = trial.folder.records()?;
        let mut pieces = trial.progress.pieces(RUNS * PHASES * trial.lanes.len());
        let mut done = 0;
        for run in &trial.plan.runs {
            self.place = format!("before run {}", run.run);
            let differs = fixed::differences(trial.plan, trial.bundle, trial.sets)?;
            if !differs.is_empty() {
                bail!("not as planned:\n  {}", differs.join("\n  "));
            }
            for phase in 1..=PHASES {
                for (lane, slots) in run.lanes.iter().enumerate() {
                    self.place = format!("run {}, phase {phase}, lane {}", run.run, trial.lanes[lane].name);
                    trial.cancel.check()?;
                    pieces.at(done, &self.place);
                    self.phase(run.run, phase, lane, &slots[phase - 1], &mut records)?;
                    done += 1;
                }
            }
        }
        Ok(())
    }

    fn phase(
        &mut self,
        run: usize,
        phase: usize,
        lane: usize,
        slots: &SlotPlan,
        records: &mut RecordsWriter,
    ) -> anyhow::Result<()> {
        let trial = self.trial;
        let (measure, master) = (&trial.plan.measure, trial.plan.layout.seed);
        let name = &trial.lanes[lane].name;
        let startups: Vec<u64> =
            (1..=measure.processes).map(|process| seed::startup(master, name, run, phase, process)).collect();

        let begun = Instant::now();
        let set = &trial.sets[trial.lanes[lane].build];
        let drawn = Drawn::arms(set, seed::draw(master, name, run, phase), &startups, trial.yard)?;
        self.timing.draws += 1;
        self.timing.mean_draw_seconds += begun.elapsed().as_secs_f64();
        let (relinks, seconds) = drawn.relinks();
        self.relinks += relinks;
        self.timing.mean_relink_seconds += seconds;

        let begun = Instant::now();
        let measured = run_phase(
            &PhaseJob {
                place: &format!("run {run}, phase {phase}"),
                lane: &trial.lanes[lane],
                workload: &trial.plan.workload,
                measure,
                slots,
                arms: &drawn.images,
                nodes: self.nodes[lane].as_deref(),
                scratch: trial.yard.scratch(),
                limits: Limits::default(),
            },
            trial.cancel,
        )?;
        self.timing.measuring_seconds += begun.elapsed().as_secs_f64();

        if self.nodes[lane].is_none() {
            let first = measured.first().context("no process was measured")?;
            self.nodes[lane] = Some(first.searches.iter().map(|search| search.nodes).collect());
        }
        let record = |m: crate::measure::ProcessMeasurement| ProcessRecord {
            run,
            phase,
            lane: name.clone(),
            process: m.process,
            arm: trial.plan.arms[m.arm].name.clone(),
            draw: drawn.record(m.arm, m.process),
            slots: m.slots,
            nodes: m.nodes,
            cpu_ns: m.cpu_ns,
            wall_ns: m.wall_ns,
            counters: m.counters,
            searches: m.searches,
        };
        records.append(&measured.into_iter().map(record).collect::<Vec<_>>())?;
        Ok(())
    }
}
