//! Who runs when: the slot plans of all runs, phases and lanes.
//!
//! A phase is a Williams square over the arms, which ties their mean slots and balances who
//! follows whom, led by one more random row, which decides who is earlier ([`order`]). A lane's
//! eight runs are four random ones and their exact reversals, shuffled: whoever is later in a run
//! is earlier in its reversal, so `full` is later than any other arm in exactly four of the eight.

pub mod order;
pub mod williams;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

use crate::plan::{FULL, Run, SlotPlan};
use crate::{PHASES, RUNS, seed};

/// Why no schedule can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Nothing to compare.
    #[error("a schedule compares arms: found {found}, expected at least 2")]
    TooFewArms {
        /// Arms asked for.
        found: usize,
    },
}

/// Draws the schedule of a trial: [`RUNS`] runs of [`PHASES`] phases on every lane.
///
/// Arm 1 is `full`; over a run its mean slot differs from every other arm's. The same arguments
/// give the same schedule.
///
/// # Errors
/// With fewer than two arms.
pub fn draw<S: AsRef<str>>(arms: usize, lanes: &[S], master: u64) -> Result<Vec<Run>, ScheduleError> {
    draw_phases(arms, PHASES, lanes, |lane| seed::schedule(master, lane))
}

/// Draws the schedule of the diagnostics after a trial, under the same rules of order: [`RUNS`] runs of `phases`
/// phases on every lane.
///
/// # Errors
/// With fewer than two arms.
pub fn draw_diagnostics<S: AsRef<str>>(
    arms: usize,
    phases: usize,
    lanes: &[S],
    master: u64,
) -> Result<Vec<Run>, ScheduleError> {
    draw_phases(arms, phases, lanes, |lane| seed::diagnostics_schedule(master, lane))
}

fn draw_phases<S: AsRef<str>>(
    arms: usize,
    phases: usize,
    lanes: &[S],
    seed: impl Fn(&str) -> u64,
) -> Result<Vec<Run>, ScheduleError> {
    if arms < 2 {
        return Err(ScheduleError::TooFewArms { found: arms });
    }
    let drawn: Vec<Vec<Phases>> =
        lanes.iter().map(|lane| draw_lane(arms, phases, seed(lane.as_ref()))).collect();
    Ok((0..RUNS)
        .map(|run| Run { run: run + 1, lanes: drawn.iter().map(|lane| lane[run].clone()).collect() })
        .collect())
}

/// The slot plans of one run on one lane.
type Phases = Vec<SlotPlan>;

fn draw_lane(arms: usize, phases: usize, seed: u64) -> Vec<Phases> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut runs = Vec::with_capacity(RUNS);
    while runs.len() < RUNS {
        let run: Phases = (0..phases).map(|_| order::phase(arms, &mut rng)).collect();
        if ties(arms, &run) {
            continue;
        }
        runs.push(run.iter().map(order::reversed).collect());
        runs.push(run);
    }
    runs.shuffle(&mut rng);
    runs
}

/// Whether any other arm has the mean slot of `full`.
fn ties(arms: usize, phases: &[SlotPlan]) -> bool {
    let sums = slot_sums(arms, phases);
    (0..arms).any(|arm| arm != FULL && sums[arm] == sums[FULL])
}

/// For every arm the sum of its slot numbers, each phase counted from 0. Every arm has equally
/// many slots, so the sums compare as the means do, without rounding.
pub(crate) fn slot_sums(arms: usize, phases: &[SlotPlan]) -> Vec<u64> {
    let mut sums = vec![0; arms];
    for phase in phases {
        for (slot, arm) in (0..).zip(phase.arms()) {
            sums[arm] += slot;
        }
    }
    sums
}
