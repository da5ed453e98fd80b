//! Draws, starts and slots of a comparison's phases.
//!
//! Seeds come from the master seed as those of a trial do (see [`crate::seed`]): the first eight bytes of the SHA-256 of a line
//! of text. `STAGE` is `calibration` or `measurement`.
//!
//! | seed | text |
//! |---|---|
//! | layout draw | `compare-draw master=M stage=STAGE phase=P` |
//! | process start-up | `compare-startup master=M stage=STAGE phase=P process=Q` |
//! | slot plans | `compare-slots master=M stage=STAGE` |

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

use crate::plan::SlotPlan;
use crate::schedule::order;
use crate::seed::of_text;

/// Which phases are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Those whose spread alone is looked at, to fix the number of the others.
    Calibration,
    /// Those that count.
    Measurement,
}

impl Stage {
    /// As in the texts of seeds and for people.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Calibration => "calibration",
            Stage::Measurement => "measurement",
        }
    }
}

/// Seed of the layout draw that A and B share in a phase, counted from 1.
pub fn draw(master: u64, stage: Stage, phase: usize) -> u64 {
    of_text(&format!("compare-draw master={master} stage={} phase={phase}", stage.name()))
}

/// Seed of the start-up layout that the processes numbered `process` share.
pub fn startup(master: u64, stage: Stage, phase: usize, process: usize) -> u64 {
    of_text(&format!(
        "compare-startup master={master} stage={} phase={phase} process={process}",
        stage.name()
    ))
}

/// The slot plans of an even number of phases over `arms` arms: half of them drawn, the others their exact reversals,
/// shuffled, so that each arm is earlier than each other in exactly half of the phases.
pub fn slot_plans(master: u64, stage: Stage, phases: usize, arms: usize) -> Vec<SlotPlan> {
    let seed = of_text(&format!("compare-slots master={master} stage={}", stage.name()));
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let drawn: Vec<SlotPlan> = (0..phases.div_ceil(2)).map(|_| order::phase(arms, &mut rng)).collect();
    let reversed: Vec<SlotPlan> = drawn.iter().map(order::reversed).collect();
    let mut plans: Vec<SlotPlan> = drawn.into_iter().chain(reversed).collect();
    plans.shuffle(&mut rng);
    plans.truncate(phases);
    plans
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_is_earlier_in_half_of_the_phases(half in 1usize..40, arms in 2usize..5, master: u64) {
            let plans = slot_plans(master, Stage::Measurement, 2 * half, arms);
            prop_assert_eq!(plans.len(), 2 * half);
            let mean = |plan: &SlotPlan, arm: usize| {
                let own = (0..).zip(plan.arms()).filter(|&(_, a)| a == arm).map(|(slot, _)| slot);
                own.sum::<usize>()
            };
            for other in 1..arms {
                let earlier = plans.iter().filter(|plan| mean(plan, 0) < mean(plan, other)).count();
                let later = plans.iter().filter(|plan| mean(plan, 0) > mean(plan, other)).count();
                prop_assert_eq!(earlier, later);
            }
        }
    }

    #[test]
    fn seeds_are_those_of_the_documented_text() {
        // printf 'compare-draw master=42 stage=measurement phase=3' | sha256sum
        assert_eq!(draw(42, Stage::Measurement, 3), 0xff32_24d5_0586_0d02);
        assert_ne!(draw(42, Stage::Calibration, 3), draw(42, Stage::Measurement, 3));
        assert_ne!(startup(42, Stage::Calibration, 3, 1), startup(42, Stage::Calibration, 3, 2));
        assert_ne!(
            slot_plans(1, Stage::Measurement, 12, 2),
            slot_plans(2, Stage::Measurement, 12, 2),
            "hangs on the seed"
        );
    }
}
