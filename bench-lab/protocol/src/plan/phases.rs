//! The phases of a schedule in the order in which they are measured.

use super::{Run, SlotPlan};

/// A phase of a lane in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseOf<'a> {
    /// Run, from 1.
    pub run: usize,
    /// Phase of the run, from 1.
    pub phase: usize,
    /// Index of the lane.
    pub lane: usize,
    /// Who runs when.
    pub slots: &'a SlotPlan,
}

/// All phases: run by run, in a run phase by phase, of a phase lane by lane.
pub fn phases(runs: &[Run]) -> Vec<PhaseOf<'_>> {
    let mut phases = Vec::new();
    for run in runs {
        let count = run.lanes.iter().map(Vec::len).min().unwrap_or(0);
        for phase in 1..=count {
            let lanes = run.lanes.iter().enumerate();
            phases.extend(lanes.map(|(lane, slots)| PhaseOf {
                run: run.run,
                phase,
                lane,
                slots: &slots[phase - 1],
            }));
        }
    }
    phases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule;

    #[test]
    fn lanes_take_turns_within_a_phase() {
        let runs = schedule::draw_diagnostics(3, 2, &["a", "b"], 7).expect("enough arms");
        let phases = phases(&runs);
        let order: Vec<_> = phases.iter().map(|of| (of.run, of.phase, of.lane)).collect();
        assert_eq!(order.len(), 8 * 2 * 2);
        assert_eq!(order[..5], [(1, 1, 0), (1, 1, 1), (1, 2, 0), (1, 2, 1), (2, 1, 0)]);
        assert!(phases.iter().all(|of| *of.slots == runs[of.run - 1].lanes[of.lane][of.phase - 1]));
    }
}
