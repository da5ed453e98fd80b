//! A slow-down of known size (feature `lab-handicap`), by which the lab shows that it measures rightly.
//!
//! Every node owes a fixed share of its own work, in rounds of a loop of known length. The debt is paid in portions of
//! [`PORTION`] rounds: so few instructions as one node owes would vanish beside the search, because the processor does
//! both at once. What the rounds compute is used by nobody, so that the tree stays the same.

/// Whether this build has it.
pub const ON: bool = cfg!(feature = "lab-handicap");
/// Largest handicap, in hundredths of a percent: twice the work.
pub const MOST: u32 = 10_000;

#[cfg(feature = "lab-handicap")]
pub use on::{Handicap, set};

#[cfg(feature = "lab-handicap")]
mod on {
    use std::hint::black_box;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::MOST;

    /// Rounds that take as many instructions as one node does on average, in the workload of `bundles/truth` on the AVX2
    /// path: counted, as docs/truth.md says.
    const ROUNDS_PER_NODE: u64 = 454;
    /// Rounds that are paid at once.
    const PORTION: u64 = 1024;

    /// Hundredths of a percent, for all searches that begin from now on.
    static HUNDREDTHS: AtomicU32 = AtomicU32::new(0);

    /// Chooses the handicap, in hundredths of a percent.
    pub fn set(hundredths: u32) {
        // No other memory hangs on it: searches begin after the option is set, by the same thread.
        HUNDREDTHS.store(hundredths, Ordering::Relaxed);
    }

    /// What one search owes, in fractions of 1 / [`MOST`] of a round.
    pub struct Handicap {
        a_node: u64,
        owed: u64,
    }

    impl Handicap {
        /// Nothing is owed yet.
        pub fn begin() -> Self {
            Self { a_node: u64::from(HUNDREDTHS.load(Ordering::Relaxed)) * ROUNDS_PER_NODE, owed: 0 }
        }

        /// One more node.
        #[inline]
        pub fn node(&mut self) {
            self.owed += self.a_node;
            if self.owed >= PORTION * u64::from(MOST) {
                self.pay();
            }
        }

        #[cold]
        #[inline(never)]
        fn pay(&mut self) {
            let rounds = self.owed / u64::from(MOST);
            self.owed %= u64::from(MOST);
            let mut state = black_box(self.owed | 1);
            for _ in 0..rounds {
                // Xorshift: each step needs the one before, so that no processor can do two at once.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state = black_box(state);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn debts_are_paid_in_portions_and_in_full() {
            let mut handicap = Handicap { a_node: 150 * ROUNDS_PER_NODE, owed: 0 };
            let mut paid = 0;
            for node in 1..=100_000u64 {
                let before = handicap.owed;
                handicap.node();
                paid += (before + handicap.a_node - handicap.owed) / u64::from(MOST);
                assert!(handicap.owed < PORTION * u64::from(MOST));
                assert_eq!(paid * u64::from(MOST) + handicap.owed, node * handicap.a_node);
            }
            // 1.5 % of the nodes' rounds, up to a portion.
            let due = 100_000 * ROUNDS_PER_NODE * 150 / u64::from(MOST);
            assert!(due - paid <= PORTION, "{due} due, {paid} paid");
        }
    }
}

#[cfg(not(feature = "lab-handicap"))]
pub use off::{Handicap, set};

#[cfg(not(feature = "lab-handicap"))]
mod off {
    /// There is none to choose: the option is refused before.
    pub fn set(_hundredths: u32) {}

    /// Nothing is ever owed.
    pub struct Handicap;

    impl Handicap {
        /// Nothing.
        pub fn begin() -> Self {
            Self
        }

        /// Nothing.
        #[inline(always)]
        pub fn node(&mut self) {}
    }
}
