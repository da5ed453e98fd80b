//! The slot order of one phase.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::williams;
use crate::plan::SlotPlan;

/// Draws the slot plan of one phase from a seed: a random lead row, then the rows of a Williams
/// square over the arms, relabelled and shuffled.
///
/// From three arms on it is redrawn until no arm follows itself anywhere in the repeated rows, so
/// no arm ever runs for two slots at a stretch. (With two arms some arm must.)
///
/// `arms` is at least 1.
pub fn slot_plan(arms: usize, seed: u64) -> SlotPlan {
    phase(arms, &mut ChaCha20Rng::seed_from_u64(seed))
}

pub(crate) fn phase(arms: usize, rng: &mut impl Rng) -> SlotPlan {
    loop {
        let mut rows = williams::square(arms);
        let mut labels: Vec<usize> = (0..arms).collect();
        labels.shuffle(rng);
        for arm in rows.iter_mut().flatten() {
            *arm = labels[*arm];
        }
        rows.shuffle(rng);
        let mut lead: Vec<usize> = (0..arms).collect();
        lead.shuffle(rng);
        rows.insert(0, lead);
        let plan = SlotPlan { rows };
        if arms < 3 || !repeats(&plan) {
            return plan;
        }
    }
}

/// Rows in reverse order, each read backwards.
pub(crate) fn reversed(plan: &SlotPlan) -> SlotPlan {
    let rows = plan.rows.iter().rev();
    SlotPlan { rows: rows.map(|row| row.iter().rev().copied().collect()).collect() }
}

/// Whether an arm follows itself from one row to the next, or from the last to the first.
fn repeats(plan: &SlotPlan) -> bool {
    let next = plan.rows.iter().cycle().skip(1);
    plan.rows.iter().zip(next).any(|(row, next)| row.last() == next.first())
}
