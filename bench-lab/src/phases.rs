//! The phases of a series, of the trial or of the diagnostics after it: drawn, measured, made records of.

use anyhow::Context;
use protocol::ProcessRecord;
use protocol::plan::{Lane, PhaseOf, Series};

use crate::arm::session::Limits;
use crate::draws::Drawn;
use crate::lanes;
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_phases};
use crate::planned::Planned;
use crate::subject::ArmSet;

/// A series, and what it is drawn from and measured with.
pub struct Phases<'a> {
    /// The plan, and what it is carried out with.
    pub planned: Planned<'a>,
    /// What the plan fixes of the series.
    pub series: Series<'a>,
    /// The arms of every build set, in the plan's order.
    pub sets: Vec<&'a ArmSet>,
    /// What places in it begin with.
    pub part: &'static str,
}

impl Phases<'_> {
    /// Draws the layouts of a phase: for each of its lanes one.
    pub fn draw(&self, of: &PhaseOf, gate: &Gate) -> anyhow::Result<Vec<Drawn>> {
        let Planned { plan, lanes, yard, .. } = self.planned;
        let &PhaseOf { run, phase, .. } = of;
        let of_lane = |&lane: &usize| {
            let startup = |process| self.series.startup(lane, run, phase, process);
            let startups: Vec<u64> = (1..=plan.measure.processes).map(startup).collect();
            let (set, seed) = (self.sets[lanes[lane].build], self.series.draw(lane, run, phase));
            Drawn::arms(set, seed, &startups, yard, gate)
        };
        of.lanes.iter().map(of_lane).collect()
    }

    /// Where a phase is.
    pub fn place(&self, of: &PhaseOf) -> String {
        let lanes: Vec<&Lane> = of.lanes.iter().map(|&lane| &self.planned.lanes[lane]).collect();
        format!("{}, {}", self.run_and_phase(of), lanes::told(&lanes))
    }

    fn run_and_phase(&self, of: &PhaseOf) -> String {
        format!("{}run {}, phase {}", self.part, of.run, of.phase)
    }

    /// Measures a phase on all its lanes at once; the records come lane after lane. `nodes` holds, for every lane, the
    /// node counts that its first phase has fixed.
    pub fn measure(
        &self,
        of: &PhaseOf,
        drawn: &[Drawn],
        nodes: &mut [Option<Vec<u64>>],
        clock: &mut StageClock,
        gate: &Gate,
    ) -> anyhow::Result<Vec<ProcessRecord>> {
        let Planned { plan, lanes, yard, cancel, .. } = self.planned;
        let (&PhaseOf { run, phase, .. }, place) = (of, self.run_and_phase(of));
        let jobs: Vec<PhaseJob<'_>> = of
            .lanes
            .iter()
            .zip(drawn)
            .map(|(&lane, drawn)| PhaseJob {
                place: &place,
                lane: &lanes[lane],
                workload: &plan.workload,
                measure: &plan.measure,
                slots: self.series.slots(lane, run, phase),
                arms: &drawn.images,
                nodes: nodes[lane].as_deref(),
                scratch: yard.scratch(),
                limits: Limits::calibrated(plan.calibration[lane].pace.as_ref()),
            })
            .collect();
        let measured = run_phases(&jobs, clock, gate, cancel)?;
        clock.enter(Stage::Recording);
        let mut records = Vec::new();
        for ((&lane, drawn), measured) in of.lanes.iter().zip(drawn).zip(measured) {
            let first = measured.first().context("no process was measured")?;
            let fixed = || first.searches.iter().map(|search| search.nodes).collect();
            nodes[lane].get_or_insert_with(fixed);
            let record = |m: ProcessMeasurement| {
                let (arm, draw) = (&self.series.arms[m.arm], drawn.record(m.arm, m.process));
                m.recorded((run, phase), &lanes[lane].name, arm, draw)
            };
            records.extend(measured.into_iter().map(record));
        }
        Ok(records)
    }
}
