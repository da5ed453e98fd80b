//! Phase values: how much faster `full` was than another arm, in percentage points.
//!
//! Points are hundredths of a natural logarithm, so that values add up and a swap of the arms
//! changes nothing but the sign.

use crate::RUNS;
use crate::RecordFault;
use crate::plan::FULL;
use crate::record::ProcessRecord;
use crate::statistics::middle_half_mean;
use crate::trial::{Cells, Trial};

/// The phase values of `full` against another arm on one lane, `[run][phase]`.
pub type PhaseValues = Vec<Vec<f64>>;

impl Cells<'_> {
    /// `100 · (ln rate(full) − ln rate(other))` for every run and phase, where an arm's rate is
    /// all nodes over all processor time of its processes in that phase. This is what judges.
    ///
    /// # Errors
    /// [`RecordFault::NotFinite`], which checked records cannot cause.
    ///
    /// # Panics
    /// When `lane` or `other` is not in the table.
    pub fn phase_values(&self, lane: usize, other: usize) -> Result<PhaseValues, RecordFault> {
        self.values(lane, other, total_rate)
    }

    fn values(
        &self,
        lane: usize,
        other: usize,
        value: fn(&[&ProcessRecord], &[&ProcessRecord]) -> f64,
    ) -> Result<PhaseValues, RecordFault> {
        let shape = self.shape();
        let one = |run: usize, phase: usize| {
            let value =
                value(self.processes(lane, run, phase, FULL), self.processes(lane, run, phase, other));
            if value.is_finite() {
                return Ok(value);
            }
            Err(RecordFault::NotFinite {
                run: run + 1,
                phase: phase + 1,
                lane: shape.lanes[lane].clone(),
                arm: shape.arms[other].clone(),
                value,
            })
        };
        (0..RUNS).map(|run| (0..shape.phases).map(|phase| one(run, phase)).collect()).collect()
    }
}

impl Trial<'_> {
    /// What judges: [`Cells::phase_values`].
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// As there.
    pub fn phase_values(&self, lane: usize, other: usize) -> Result<PhaseValues, RecordFault> {
        self.cells().phase_values(lane, other)
    }

    /// The same by the mean of the middle half of the log ratios of single positions, which
    /// weights positions equally: reported, never judged.
    ///
    /// # Errors
    /// As [`phase_values`](Self::phase_values).
    ///
    /// # Panics
    /// As [`phase_values`](Self::phase_values).
    pub fn trimmed_values(&self, lane: usize, other: usize) -> Result<PhaseValues, RecordFault> {
        self.cells().values(lane, other, trimmed)
    }
}

/// `100 · (ln rate(a) − ln rate(b))` with rate = total nodes / total processor time of the
/// processes given; also what an A/A phase measures.
pub fn total_rate(a: &[&ProcessRecord], b: &[&ProcessRecord]) -> f64 {
    100.0 * (log_rate(a) - log_rate(b))
}

fn log_rate(processes: &[&ProcessRecord]) -> f64 {
    let nodes: f64 = processes.iter().map(|p| p.nodes as f64).sum();
    let cpu: f64 = processes.iter().map(|p| p.cpu_ns as f64).sum();
    (nodes / cpu).ln()
}

/// Mean of the middle half of `100 · ln(time of b / time of a)` over the positions, each summed
/// over the processes; a position without nodes says nothing about a rate and is left out.
pub fn trimmed(a: &[&ProcessRecord], b: &[&ProcessRecord]) -> f64 {
    let positions = a.first().map_or(0, |process| process.searches.len());
    let cpu = |processes: &[&ProcessRecord], position: usize| -> f64 {
        let times = processes.iter().map(|p| p.searches[position].cpu_ns as f64);
        times.sum()
    };
    let ratios: Vec<f64> = (0..positions)
        .filter(|&position| a[0].searches[position].nodes > 0)
        .map(|position| 100.0 * (cpu(b, position) / cpu(a, position)).ln())
        .collect();
    middle_half_mean(&ratios)
}
