//! Which layouts are measured together, and when.
//!
//! Seeds come from the sweep's master seed as those of a trial do (see [`crate::seed`]): the first eight bytes of the
//! SHA-256 of a line of text.
//!
//! | seed | text |
//! |---|---|
//! | a layout: draw and start-up | `sweep-layout master=M layout=I` |
//! | the groups of a round | `sweep-groups master=M round=R` |
//! | the slots of a phase | `sweep-slots master=M phase=P` |

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

use super::AS_LINKED;
use crate::seed::of_text;

/// One phase: layouts whose processes run in turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Round, from 1.
    pub round: usize,
    /// The layout as linked, and some of the drawn ones (from 1).
    pub layouts: Vec<usize>,
}

/// The phases of all rounds. In every round each of the `layouts` drawn layouts is measured once, in groups of at most
/// `together`, drawn anew: over the rounds each layout meets many others under equal conditions. The layout as linked is
/// in every group and ties them together.
pub fn phases(layouts: usize, together: usize, rounds: usize, master: u64) -> Vec<Phase> {
    let groups = layouts.div_ceil(together.max(1)).max(1);
    let mut phases = Vec::with_capacity(rounds * groups);
    for round in 1..=rounds {
        let seed = of_text(&format!("sweep-groups master={master} round={round}"));
        let mut order: Vec<usize> = (1..=layouts).collect();
        order.shuffle(&mut ChaCha20Rng::seed_from_u64(seed));
        for group in 0..groups {
            let members = order.iter().copied().skip(group).step_by(groups);
            phases.push(Phase { round, layouts: [AS_LINKED].into_iter().chain(members).collect() });
        }
    }
    phases
}

/// Seed of a drawn layout, counted from 1; `bench-lab layout draw --seed` makes the same layout of it.
pub fn layout_seed(master: u64, layout: usize) -> u64 {
    of_text(&format!("sweep-layout master={master} layout={layout}"))
}

/// Seed of the slot plan of a phase, counted from 1.
pub fn slots_seed(master: u64, phase: usize) -> u64 {
    of_text(&format!("sweep-slots master={master} phase={phase}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_round_has_every_layout_once_and_the_linked_one_in_every_phase(
            layouts in 1usize..60, together in 1usize..9, rounds in 1usize..6, master: u64,
        ) {
            let phases = phases(layouts, together, rounds, master);
            for round in 1..=rounds {
                let of_round: Vec<&Phase> = phases.iter().filter(|phase| phase.round == round).collect();
                let mut drawn = Vec::new();
                for phase in &of_round {
                    prop_assert_eq!(phase.layouts[0], AS_LINKED);
                    prop_assert!((1..=together).contains(&(phase.layouts.len() - 1)));
                    drawn.extend_from_slice(&phase.layouts[1..]);
                }
                drawn.sort_unstable();
                prop_assert_eq!(drawn, (1..=layouts).collect::<Vec<_>>());
                let sizes = of_round.iter().map(|phase| phase.layouts.len());
                prop_assert!(sizes.clone().max().unwrap_or(0) - sizes.min().unwrap_or(0) <= 1, "even groups");
            }
        }
    }

    #[test]
    fn groups_change_from_round_to_round_and_hang_on_the_seed() {
        let some = phases(20, 4, 2, 7);
        assert_eq!(some, phases(20, 4, 2, 7));
        assert_ne!(some, phases(20, 4, 2, 8));
        assert_ne!(some[0].layouts, some[5].layouts);
    }

    #[test]
    fn seeds_are_those_of_the_documented_text() {
        // printf 'sweep-layout master=42 layout=3' | sha256sum
        assert_eq!(layout_seed(42, 3), 0x51f6_bdbd_910f_83c2);
        assert_ne!(layout_seed(42, 3), layout_seed(42, 4));
        assert_ne!(slots_seed(42, 3), layout_seed(42, 3));
    }
}
