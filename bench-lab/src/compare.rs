//! A comparison: two builds measured in pairs, in the same slots and under the same draws.

use protocol::compare::design::{self, Stage};
use protocol::plan::{BASE, FULL, Lane, Measure, TOTAL_RATE, Workload};

use crate::ahead::ahead;
use crate::arm::session::Limits;
use crate::builds::Yard;
use crate::calibrate::log_rate;
use crate::draws::Drawn;
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, StageClock, run_phase_of_trees, run_phase_timed};
use crate::progress::Progress;
use crate::subject::ArmSet;
use crate::vigil::Vigil;
use crate::{Cancel, Fault, measure};

/// A plays the part of `base`.
const A: usize = BASE;
/// B plays the part of `full`.
const B: usize = FULL;
/// Processor seconds of one process that phases are made for when nobody says how many nodes: with four processes of each, such
/// phases have little noise and take some four seconds.
const PROCESS_SECONDS: f64 = 0.35;
/// Fewest and most nodes on a position that are chosen so.
const NODES: (f64, f64) = (1_000.0, 10_000_000.0);
/// Nodes on a position of the first look at an engine's speed.
pub const FIRST_NODES: u64 = 4_000;

/// What is compared, and how.
#[derive(Clone, Copy)]
pub struct Compare<'a> {
    /// A and B, in this order.
    pub set: &'a ArmSet,
    /// Core and options, as processes are driven.
    pub lane: &'a Lane,
    /// What every process searches.
    pub workload: &'a Workload,
    /// Length of a slot in microseconds.
    pub slice_us: u64,
    /// Fresh processes of each in a phase.
    pub processes: usize,
    /// Master seed.
    pub seed: u64,
    /// Whether both must search the same nodes.
    pub same_tree: bool,
    /// The work folder.
    pub yard: &'a Yard,
    /// Where it tells how far it is; never an interim result.
    pub progress: &'a Progress,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
}

/// What some phases gave.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The value of every phase, percentage points.
    pub values: Vec<f64>,
    /// Nodes and processor nanoseconds of A and B, all phases together.
    pub work: [(u64, u64); 2],
    /// Wall seconds.
    pub seconds: f64,
}

impl Measured {
    /// Nodes per second of processor time of A and B.
    pub fn rates(&self) -> (f64, f64) {
        let rate = |(nodes, ns): (u64, u64)| nodes as f64 / (ns as f64 / 1e9);
        (rate(self.work[A]), rate(self.work[B]))
    }
}

impl Compare<'_> {
    /// Measures so many phases of a stage.
    pub fn phases(&self, stage: Stage, count: usize) -> anyhow::Result<Measured> {
        let gate = Gate::new();
        let slots = design::slot_plans(self.seed, stage, count, self.set.arms.len());
        let draw = |phase| {
            let startup = |process| design::startup(self.seed, stage, phase, process);
            let startups: Vec<u64> = (1..=self.processes).map(startup).collect();
            Drawn::arms(self.set, design::draw(self.seed, stage, phase), &startups, self.yard, &gate)
        };
        let measure = Measure {
            slice_us: self.slice_us,
            processes: self.processes,
            threshold_percent: 0.0,
            judged: TOTAL_RATE.to_owned(),
            lanes_at_once: false,
        };
        let begun = std::time::Instant::now();
        let mut pieces = self.progress.pieces(count);
        let mut all = Measured::default();
        let mut nodes: Option<Vec<u64>> = None;
        let vigil = Vigil::begin()?;
        ahead(&gate, (1..=count).collect(), draw, |draws| {
            for (phase, slots) in (1..).zip(&slots) {
                self.cancel.check()?;
                pieces.at(phase - 1, &format!("{}, phase {phase}", stage.name()));
                let drawn = draws.next(self.cancel)?;
                let job = PhaseJob {
                    place: &format!("{}, phase {phase}", stage.name()),
                    lane: self.lane,
                    workload: self.workload,
                    measure: &measure,
                    slots,
                    arms: &drawn.images,
                    nodes: nodes.as_deref().filter(|_| self.same_tree),
                    scratch: self.yard.scratch(),
                    limits: Limits::default(),
                };
                let measured = self.phase(&job, &gate)?;
                vigil.check()?;
                nodes.get_or_insert_with(|| nodes_of(&measured));
                all.values.push(100.0 * (log_rate(&measured, B) - log_rate(&measured, A)));
                for one in &measured {
                    let (nodes, ns) = &mut all.work[one.arm];
                    (*nodes, *ns) = (*nodes + one.nodes, *ns + one.cpu_ns);
                }
            }
            anyhow::Ok(())
        })?;
        all.seconds = begun.elapsed().as_secs_f64();
        Ok(all)
    }

    fn phase(&self, job: &PhaseJob<'_>, gate: &Gate) -> Result<Vec<ProcessMeasurement>, Fault> {
        match self.same_tree {
            true => {
                let mut clock = StageClock::begin(measure::Stage::Starting);
                run_phase_timed(job, &mut clock, gate, self.cancel)
            }
            false => run_phase_of_trees(job, gate, self.cancel),
        }
    }
}

/// Node counts of the first process, position by position.
fn nodes_of(measured: &[ProcessMeasurement]) -> Vec<u64> {
    measured.first().into_iter().flat_map(|one| one.searches.iter().map(|search| search.nodes)).collect()
}

/// Nodes on each of so many positions that make a process of the slower one last as long as is wanted; two digits of them.
pub fn suitable_nodes(rates: (f64, f64), positions: usize) -> u64 {
    let wanted = rates.0.min(rates.1) * PROCESS_SECONDS / positions as f64;
    let wanted = wanted.clamp(NODES.0, NODES.1);
    let unit = 10f64.powf(wanted.log10().floor() - 1.0);
    ((wanted / unit).round() * unit) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_follow_the_slower_engine_and_are_round() {
        assert_eq!(suitable_nodes((1_000_000.0, 2_000_000.0), 6), 58_000);
        assert_eq!(suitable_nodes((2_000_000.0, 1_234_567.0), 6), 72_000);
        assert_eq!(suitable_nodes((10.0, 10.0), 6), 1_000);
        assert_eq!(suitable_nodes((1e12, 1e12), 1), 10_000_000);
    }

    #[test]
    fn rates_are_nodes_per_second_of_processor_time() {
        let measured = Measured { work: [(1_000, 500_000_000), (900, 300_000_000)], ..Measured::default() };
        assert_eq!(measured.rates(), (2_000.0, 3_000.0));
    }
}
