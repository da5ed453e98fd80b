//! Diagnostics: after run 8, components removed together, measured as in the trial and recorded beside it.

use anyhow::{Context, bail};
use protocol::plan::{self, Lane, PhaseOf};
use protocol::{Plan, ProcessRecord, seed};

use crate::Cancel;
use crate::ahead::ahead;
use crate::arm::session::Limits;
use crate::builds::Yard;
use crate::bundle::Bundle;
use crate::draws::Drawn;
use crate::fixed::Fixed;
use crate::folder::Folder;
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_phase_timed};
use crate::progress::Progress;
use crate::subject::ArmSet;

/// Everything that the diagnostics work with.
pub struct Diagnosis<'a> {
    /// What is fixed.
    pub plan: &'a Plan,
    /// Its id.
    pub plan_id: &'a str,
    /// Its part for them.
    pub fixed: &'a plan::Diagnostics,
    /// The bundle it was made from.
    pub bundle: &'a Bundle,
    /// The arms of the trial, of every build set; each holds those of the diagnostics.
    pub sets: &'a [ArmSet],
    /// The lanes as arms are driven on them.
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

impl Diagnosis<'_> {
    /// Measures everything; what is measured is in the folder's records of diagnostics.
    pub fn run(&self) -> anyhow::Result<()> {
        let &Diagnosis { plan, plan_id, folder, bundle, sets, lanes, .. } = self;
        let differs = Fixed { plan, plan_id, folder, bundle, sets, lanes }.differences();
        if !differs.is_empty() {
            bail!("not as planned:\n  {}", differs.join("\n  "));
        }
        let arms = self.fixed.arms();
        let mut records = self.folder.diagnostic_records()?;
        let mut nodes: Vec<Option<Vec<u64>>> = vec![None; self.lanes.len()];
        let phases = plan::phases(&self.fixed.runs);
        let mut pieces = self.progress.pieces(phases.len());
        let gate = Gate::new();
        ahead(
            &gate,
            phases.clone(),
            |of| self.draw(of, &gate),
            |draws| {
                for (done, &of) in phases.iter().enumerate() {
                    self.cancel.check()?;
                    let lane = &self.lanes[of.lane];
                    let place = format!("diagnostics, run {}, phase {}", of.run, of.phase);
                    pieces.at(done, &format!("{place}, lane {}", lane.name));
                    let drawn = draws.next(self.cancel)?;
                    let measured = self.measure(of, drawn, &place, nodes[of.lane].as_deref(), &gate)?;
                    let first = measured.first().context("no process was measured")?;
                    nodes[of.lane] = Some(first.searches.iter().map(|search| search.nodes).collect());
                    let record = |m: ProcessMeasurement| {
                        let (arm, draw) = (&arms[m.arm], drawn.record(m.arm, m.process));
                        m.recorded((of.run, of.phase), &lane.name, arm, draw)
                    };
                    records.append(&measured.into_iter().map(record).collect::<Vec<ProcessRecord>>())?;
                    draws.release();
                }
                Ok(())
            },
        )
    }

    /// Draws the layouts of a phase.
    fn draw(&self, of: PhaseOf<'_>, gate: &Gate) -> anyhow::Result<Drawn> {
        let (master, lane) = (self.plan.layout.seed, &self.lanes[of.lane]);
        let startup = |process| seed::diagnostics_startup(master, &lane.name, of.run, of.phase, process);
        let startups: Vec<u64> = (1..=self.plan.measure.processes).map(startup).collect();
        let seed = seed::diagnostics_draw(master, &lane.name, of.run, of.phase);
        let set = self.sets[lane.build].joint.as_deref().context("no arms for diagnostics were built")?;
        Drawn::arms(set, seed, &startups, self.yard, gate)
    }

    fn measure(
        &self,
        of: PhaseOf<'_>,
        drawn: &Drawn,
        place: &str,
        nodes: Option<&[u64]>,
        gate: &Gate,
    ) -> anyhow::Result<Vec<ProcessMeasurement>> {
        let job = PhaseJob {
            place,
            lane: &self.lanes[of.lane],
            workload: &self.plan.workload,
            measure: &self.plan.measure,
            slots: of.slots,
            arms: &drawn.images,
            nodes,
            scratch: self.yard.scratch(),
            limits: Limits::calibrated(self.plan.calibration[of.lane].pace.as_ref()),
        };
        Ok(run_phase_timed(&job, &mut StageClock::begin(Stage::Starting), gate, self.cancel)?)
    }
}
