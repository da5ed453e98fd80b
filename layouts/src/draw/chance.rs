//! Chance that depends on a seed and a name alone.

use sha2::{Digest, Sha256};

/// A source of numbers: the same seed, purpose and name always give the same.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    seed: u64,
}

impl Chance {
    /// The source of this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// 64 even bits.
    pub fn bits(self, purpose: &str, name: &str) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_le_bytes());
        hash.update(purpose);
        hash.update([0]);
        hash.update(name);
        let mut bits = [0; 8];
        bits.copy_from_slice(&hash.finalize()[..8]);
        u64::from_le_bytes(bits)
    }

    /// A number below `bound`, which is small against 2⁶⁴ and not zero.
    pub fn below(self, bound: u64, purpose: &str, name: &str) -> u64 {
        self.bits(purpose, name) % bound
    }
}
