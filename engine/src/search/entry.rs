//! One entry of the transposition table, packed into ten bytes.
//!
//! | bytes | content |
//! |---|---|
//! | 0–1 | lower 16 bits of the position's hash |
//! | 2–3 | move, 0 for none |
//! | 4–5 | score, mates counted from the node |
//! | 6–7 | static value before fifty-move damping, or [`NO_VALUE`] |
//! | 8 | depth |
//! | 9 | bits 0–1 bound (0 marks an empty entry), bit 2 principal variation, bits 3–7 generation |

use bytemuck::{Pod, Zeroable};

use crate::position::Move;

/// Stands for "not evaluated": the side to move was in check.
pub const NO_VALUE: i32 = i16::MIN as i32;
/// Generations are counted modulo this.
pub const GENERATIONS: u8 = 32;

/// What a score says about the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score.
    Upper = 1,
    /// The true value is at least the score.
    Lower = 2,
    /// The score is the true value.
    Exact = 3,
}

impl Bound {
    /// Whether a score of this kind settles a search with a window closed around `beta`.
    pub fn cuts(self, score: i32, beta: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score < beta,
        }
    }
}

/// What is known about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Best or refuting move; [`Move::NULL`] for none. Two positions can share an entry: prove it legal before use.
    pub best: Move,
    /// Score, mates counted from the node.
    pub score: i32,
    /// Static value before fifty-move damping, or [`NO_VALUE`].
    pub value: i32,
    /// Depth searched; 0 for quiescence.
    pub depth: i32,
    /// What the score is worth.
    pub bound: Bound,
    /// The position was once on a principal variation.
    pub on_pv: bool,
}

/// The ten bytes.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Entry {
    key: u16,
    best: u16,
    score: i16,
    value: i16,
    depth: u8,
    flags: u8,
}

const _: () = assert!(size_of::<Entry>() == 10);

impl Entry {
    /// Packs what is known about the position whose hash ends in `key`.
    pub fn pack(key: u16, known: Known, generation: u8) -> Self {
        debug_assert!(generation < GENERATIONS && (0..=255).contains(&known.depth));
        Self {
            key,
            best: known.best.bits(),
            score: known.score as i16,
            value: known.value as i16,
            depth: known.depth as u8,
            flags: known.bound as u8 | (known.on_pv as u8) << 2 | generation << 3,
        }
    }

    /// Unpacks; `None` when the entry is empty.
    pub fn unpack(self) -> Option<Known> {
        let bound = match self.flags & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Known {
            best: Move::from_bits(self.best),
            score: self.score.into(),
            value: self.value.into(),
            depth: self.depth.into(),
            bound,
            on_pv: self.flags & 4 != 0,
        })
    }

    /// Nothing was stored here since the table was cleared.
    pub fn is_empty(self) -> bool {
        self.flags & 3 == 0
    }

    /// Whether it speaks of a position whose hash ends in `key`.
    pub fn matches(self, key: u16) -> bool {
        self.key == key && !self.is_empty()
    }

    /// Depth searched.
    pub fn depth(self) -> i32 {
        self.depth.into()
    }

    /// The move, [`Move::NULL`] for none.
    pub fn best(self) -> Move {
        Move::from_bits(self.best)
    }

    /// How many searches ago it was stored, as seen from `generation`.
    pub fn age(self, generation: u8) -> i32 {
        (generation.wrapping_sub(self.flags >> 3) & (GENERATIONS - 1)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packing_keeps_everything(
            key: u16, best: u16, score: i16, value: i16, depth in 0..=255, kind in 0..3, on_pv: bool,
            generation in 0..GENERATIONS, later in 0..GENERATIONS,
        ) {
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][kind as usize];
            let best = Move::from_bits(best);
            let known = Known { best, score: score.into(), value: value.into(), depth, bound, on_pv };
            let entry = Entry::pack(key, known, generation);
            prop_assert_eq!(entry.unpack(), Some(known));
            prop_assert!(entry.matches(key) && !entry.matches(key ^ 1) && !entry.is_empty());
            prop_assert_eq!((entry.depth(), entry.best()), (depth, best));
            prop_assert_eq!(entry.age((generation + later) % GENERATIONS), i32::from(later));
        }
    }

    #[test]
    fn a_fresh_entry_is_empty() {
        assert!(Entry::default().is_empty());
        assert_eq!(Entry::default().unpack(), None);
        assert!(!Entry::default().matches(0));
    }

    #[test]
    fn bounds_cut_on_their_own_side() {
        let table = [
            (Bound::Exact, 10, true),
            (Bound::Exact, 30, true),
            (Bound::Lower, 20, true),
            (Bound::Lower, 19, false),
            (Bound::Upper, 19, true),
            (Bound::Upper, 20, false),
        ];
        for (bound, score, cuts) in table {
            assert_eq!(bound.cuts(score, 20), cuts, "{bound:?} {score}");
        }
    }
}
