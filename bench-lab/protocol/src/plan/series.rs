//! A series of phases that a plan fixes: those of the trial, or those of the diagnostics after it.

use super::{Diagnostics, Plan, Run, SlotPlan};
use crate::{PHASES, seed};

/// Phases with arms, an order and layouts of their own.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Names of the arms.
    pub arms: Vec<String>,
    /// The schedule.
    pub runs: &'a [Run],
    /// Phases of a run.
    pub phases: usize,
    seeds: Seeds,
}

/// Where its layouts come from: from the master seed, lane, run, phase, and for a start-up the process.
#[derive(Clone, Copy, Debug)]
struct Seeds {
    draw: fn(u64, &str, usize, usize) -> u64,
    startup: fn(u64, &str, usize, usize, usize) -> u64,
}

/// A phase of its run, on the lanes that are measured at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseOf {
    /// Run, from 1.
    pub run: usize,
    /// Phase of the run, from 1.
    pub phase: usize,
    /// Indices of the lanes.
    pub lanes: Vec<usize>,
}

impl Plan {
    /// The phases of the trial.
    pub fn series(&self) -> Series<'_> {
        Series {
            plan: self,
            arms: self.arms.iter().map(|arm| arm.name.clone()).collect(),
            runs: &self.runs,
            phases: PHASES,
            seeds: Seeds { draw: seed::draw, startup: seed::startup },
        }
    }
}

impl Diagnostics {
    /// Their phases, by a plan that they belong to.
    pub fn series<'a>(&'a self, plan: &'a Plan) -> Series<'a> {
        Series {
            plan,
            arms: self.arms(),
            runs: &self.runs,
            phases: self.phases,
            seeds: Seeds { draw: seed::diagnostics_draw, startup: seed::diagnostics_startup },
        }
    }
}

impl<'a> Series<'a> {
    /// All phases in the order in which they are measured: run by run, in a run phase by phase, of a phase one group
    /// of lanes after another.
    pub fn in_order(&self) -> Vec<PhaseOf> {
        let groups = self.plan.measure.groups(self.plan.lanes.len());
        let mut all = Vec::new();
        for run in self.runs {
            for phase in 1..=self.phases {
                let of = |lanes: &Vec<usize>| PhaseOf { run: run.run, phase, lanes: lanes.clone() };
                all.extend(groups.iter().map(of));
            }
        }
        all
    }

    /// Who runs when in a phase of a lane; run and phase counted from 1.
    ///
    /// # Panics
    /// When the schedule has no such phase.
    pub fn slots(&self, lane: usize, run: usize, phase: usize) -> &'a SlotPlan {
        &self.runs[run - 1].lanes[lane][phase - 1]
    }

    /// Seed of the layout draw that all arms of a phase share.
    pub fn draw(&self, lane: usize, run: usize, phase: usize) -> u64 {
        (self.seeds.draw)(self.plan.layout.seed, &self.plan.lanes[lane].name, run, phase)
    }

    /// Seed of the start-up layout that the processes of this number, from 1, of all arms of a phase share.
    pub fn startup(&self, lane: usize, run: usize, phase: usize, process: usize) -> u64 {
        (self.seeds.startup)(self.plan.layout.seed, &self.plan.lanes[lane].name, run, phase, process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{self, Spec};

    /// A trial of two lanes with diagnostics of two phases.
    fn plan() -> Plan {
        let spec = Spec::new(&[("a", 1.0), ("b", 1.0)], 7).with_lane("other", &[1.0, 1.0]);
        let (mut plan, _) = synthetic::trial(&spec).expect("a sound spec");
        synthetic::diagnostics(&spec, &mut plan, &[(&["a", "b"], 2.0)], 2).expect("sound groups");
        plan
    }

    fn order(series: &Series<'_>) -> Vec<(usize, usize, Vec<usize>)> {
        series.in_order().into_iter().map(|of| (of.run, of.phase, of.lanes)).collect()
    }

    #[test]
    fn lanes_take_turns_within_a_phase_or_share_it() {
        let mut plan = plan();
        let [one, other] = [vec![0], vec![1]];
        let fixed = plan.diagnostics.clone().expect("diagnostics");
        let turns = order(&fixed.series(&plan));
        assert_eq!(turns.len(), 8 * 2 * 2);
        assert_eq!(
            turns[..5],
            [(1, 1, one.clone()), (1, 1, other.clone()), (1, 2, one.clone()), (1, 2, other), (2, 1, one)]
        );
        assert_eq!(order(&plan.series()).len(), 8 * 12 * 2);
        plan.measure.lanes_at_once = true;
        let shared = order(&fixed.series(&plan));
        assert_eq!(shared.len(), 8 * 2);
        assert_eq!(shared[..3], [(1, 1, vec![0, 1]), (1, 2, vec![0, 1]), (2, 1, vec![0, 1])]);
    }

    #[test]
    fn diagnostics_have_arms_an_order_and_layouts_of_their_own() {
        let plan = plan();
        let fixed = plan.diagnostics.as_ref().expect("diagnostics");
        let (trial, diagnostics) = (plan.series(), fixed.series(&plan));
        assert_eq!(trial.arms, ["base", "full", "without:a", "without:b"]);
        assert_eq!(diagnostics.arms, ["base", "full", "without:a+b"]);
        assert_eq!((trial.phases, diagnostics.phases), (12, 2));
        assert_eq!(trial.slots(1, 3, 2), &plan.runs[2].lanes[1][1]);
        assert_eq!(diagnostics.slots(1, 3, 2), &fixed.runs[2].lanes[1][1]);
        assert_eq!(trial.draw(1, 3, 2), seed::draw(7, "other", 3, 2));
        assert_eq!(diagnostics.draw(1, 3, 2), seed::diagnostics_draw(7, "other", 3, 2));
        assert_eq!(trial.startup(1, 3, 2, 1), seed::startup(7, "other", 3, 2, 1));
        assert_eq!(diagnostics.startup(1, 3, 2, 1), seed::diagnostics_startup(7, "other", 3, 2, 1));
    }
}
