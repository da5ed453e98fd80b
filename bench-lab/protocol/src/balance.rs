//! How balanced a plan's order is, recomputed from the plan itself.

use serde::{Deserialize, Serialize};

use crate::plan::{FULL, Plan, PlanFault, SlotPlan};
use crate::schedule::slot_sums;
use crate::{PHASES, RUNS};

/// The order balance of a plan, for every lane in the plan's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// Arm names; the index of an arm below is its index here.
    pub arms: Vec<String>,
    /// One entry for every lane.
    pub lanes: Vec<LaneBalance>,
}

/// The order balance of one lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneBalance {
    /// Lane name.
    pub lane: String,
    /// `mean_slots[run][arm]`: mean number of the arm's slots in that run, each phase's slots
    /// counted from 0.
    pub mean_slots: Vec<Vec<f64>>,
    /// `later[arm]`: runs in which `full` has a later mean slot than the arm.
    pub later: Vec<usize>,
    /// `earlier[arm]`: runs in which `full` has an earlier mean slot than the arm.
    pub earlier: Vec<usize>,
    /// `follows[before][arm]`: how often an arm's slot comes right after another's, in one pass
    /// over the rows of every phase of every run and back to the first row.
    pub follows: Vec<Vec<usize>>,
}

/// Recomputes the order balance of a plan.
///
/// # Errors
/// When the plan is not well formed ([`Plan::check`]).
pub fn balance(plan: &Plan) -> Result<Balance, PlanFault> {
    plan.check()?;
    let arms = plan.arms.len();
    let lanes = (0..plan.lanes.len()).map(|lane| {
        let full_against = |wanted: fn(&u64, &u64) -> bool| {
            let counts = (0..arms).map(|arm| {
                let runs = plan.runs.iter().map(|run| slot_sums(arms, &run.lanes[lane]));
                runs.filter(|sums| wanted(&sums[FULL], &sums[arm])).count()
            });
            counts.collect()
        };
        let mut follows = vec![vec![0; arms]; arms];
        for phase in plan.runs.iter().flat_map(|run| &run.lanes[lane]) {
            for (before, arm) in phase.arms().zip(phase.arms().cycle().skip(1)) {
                follows[before][arm] += 1;
            }
        }
        LaneBalance {
            lane: plan.lanes[lane].name.clone(),
            mean_slots: plan.runs.iter().map(|run| mean_slots(arms, &run.lanes[lane])).collect(),
            later: full_against(u64::gt),
            earlier: full_against(u64::lt),
            follows,
        }
    });
    Ok(Balance { arms: plan.arms.iter().map(|arm| arm.name.clone()).collect(), lanes: lanes.collect() })
}

/// Runs in which `full` has a later mean slot than the arm on the lane; both by index.
///
/// The plan must be well formed ([`Plan::check`]).
pub(crate) fn later_runs(plan: &Plan, lane: usize, arm: usize) -> Vec<bool> {
    let sums = plan.runs.iter().map(|run| slot_sums(plan.arms.len(), &run.lanes[lane]));
    sums.map(|sums| sums[FULL] > sums[arm]).collect()
}

/// Checks the protocol's rule of order: on every lane and against every other arm `full` has a
/// later mean slot in exactly half of the runs and an earlier one in the others, and within the
/// rows of every phase who follows whom is balanced up to the lead row.
///
/// # Errors
/// The first lane, arm and run that break the rule, or [`Plan::check`]'s fault.
pub fn check_balance(plan: &Plan) -> Result<(), PlanFault> {
    plan.check()?;
    for (lane, facts) in plan.lanes.iter().enumerate() {
        for (arm, name) in plan.arms.iter().enumerate().filter(|&(arm, _)| arm != FULL) {
            let mut later = 0;
            for run in &plan.runs {
                let sums = slot_sums(plan.arms.len(), &run.lanes[lane]);
                if sums[FULL] == sums[arm] {
                    return Err(PlanFault::Tied {
                        lane: facts.name.clone(),
                        arm: name.name.clone(),
                        run: run.run,
                    });
                }
                later += usize::from(sums[FULL] > sums[arm]);
            }
            if later != RUNS / 2 {
                return Err(PlanFault::Uneven {
                    lane: facts.name.clone(),
                    arm: name.name.clone(),
                    later,
                    expected: RUNS / 2,
                });
            }
        }
        for run in &plan.runs {
            for (phase, slots) in (1..=PHASES).zip(&run.lanes[lane]) {
                check_carry_over(plan, (lane, run.run, phase), slots)?;
            }
        }
    }
    Ok(())
}

/// A square makes every ordered pair of neighbours equally often, its lead row some once more.
fn check_carry_over(
    plan: &Plan,
    (lane, run, phase): (usize, usize, usize),
    slots: &SlotPlan,
) -> Result<(), PlanFault> {
    let arms = plan.arms.len();
    let mut follows = vec![vec![0; arms]; arms];
    for pair in slots.rows.iter().flat_map(|row| row.windows(2)) {
        follows[pair[0]][pair[1]] += 1;
    }
    let low = (slots.rows.len() - 1) / arms;
    for (before, row) in follows.iter().enumerate() {
        for (arm, &found) in row.iter().enumerate().filter(|&(arm, _)| arm != before) {
            if found != low && found != low + 1 {
                return Err(PlanFault::CarryOver {
                    lane: plan.lanes[lane].name.clone(),
                    run,
                    phase,
                    before: plan.arms[before].name.clone(),
                    arm: plan.arms[arm].name.clone(),
                    found,
                    low,
                    high: low + 1,
                });
            }
        }
    }
    Ok(())
}

fn mean_slots(arms: usize, phases: &[SlotPlan]) -> Vec<f64> {
    let slots: usize = phases.iter().map(|phase| phase.rows.len()).sum();
    let sums = slot_sums(arms, phases);
    sums.iter().map(|&sum| sum as f64 / slots as f64).collect()
}
