//! Diagnostics: after run 8, components removed together, measured as in the trial and recorded beside it.

use anyhow::Context;
use protocol::plan::{self, PhaseOf};
use protocol::{ProcessRecord, seed};

use crate::ahead::ahead;
use crate::arm::session::Limits;
use crate::draws::Drawn;
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_phase_timed};
use crate::planned::Planned;
use crate::vigil::Vigil;

/// Everything that the diagnostics work with.
pub struct Diagnosis<'a> {
    /// The plan, and what it is carried out with.
    pub planned: Planned<'a>,
    /// Its part for them.
    pub fixed: &'a plan::Diagnostics,
}

impl Diagnosis<'_> {
    /// Measures everything; what is measured is in the folder's records of diagnostics.
    pub fn run(&self) -> anyhow::Result<()> {
        let Planned { lanes, folder, progress, cancel, .. } = self.planned;
        self.planned.check()?;
        let arms = self.fixed.arms();
        let mut records = folder.diagnostic_records()?;
        let mut nodes: Vec<Option<Vec<u64>>> = vec![None; lanes.len()];
        let phases = plan::phases(&self.fixed.runs);
        let mut pieces = progress.pieces(phases.len());
        let (gate, vigil) = (Gate::new(), Vigil::begin()?);
        ahead(
            &gate,
            phases.clone(),
            |of| self.draw(of, &gate),
            |draws| {
                for (done, &of) in phases.iter().enumerate() {
                    cancel.check()?;
                    let lane = &lanes[of.lane];
                    let place = format!("diagnostics, run {}, phase {}", of.run, of.phase);
                    pieces.at(done, &format!("{place}, lane {}", lane.name));
                    let drawn = draws.next(cancel)?;
                    let measured = self.measure(of, drawn, &place, nodes[of.lane].as_deref(), &gate)?;
                    vigil.check()?;
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
        let Planned { plan, sets, lanes, yard, .. } = self.planned;
        let (master, lane) = (plan.layout.seed, &lanes[of.lane]);
        let startup = |process| seed::diagnostics_startup(master, &lane.name, of.run, of.phase, process);
        let startups: Vec<u64> = (1..=plan.measure.processes).map(startup).collect();
        let seed = seed::diagnostics_draw(master, &lane.name, of.run, of.phase);
        let set = sets[lane.build].joint.as_deref().context("no arms for diagnostics were built")?;
        Drawn::arms(set, seed, &startups, yard, gate)
    }

    fn measure(
        &self,
        of: PhaseOf<'_>,
        drawn: &Drawn,
        place: &str,
        nodes: Option<&[u64]>,
        gate: &Gate,
    ) -> anyhow::Result<Vec<ProcessMeasurement>> {
        let Planned { plan, lanes, yard, cancel, .. } = self.planned;
        let job = PhaseJob {
            place,
            lane: &lanes[of.lane],
            workload: &plan.workload,
            measure: &plan.measure,
            slots: of.slots,
            arms: &drawn.images,
            nodes,
            scratch: yard.scratch(),
            limits: Limits::calibrated(plan.calibration[of.lane].pace.as_ref()),
        };
        Ok(run_phase_timed(&job, &mut StageClock::begin(Stage::Starting), gate, cancel)?)
    }
}
