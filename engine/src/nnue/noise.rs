//! Seeded random weights that look like trained ones.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A stream of random numbers that depends on nothing but its seed.
pub(super) struct Noise(ChaCha8Rng);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A draw from a bell curve around zero: four bytes' sum, so never beyond 3.45 deviations.
    pub fn bell(&mut self, deviation: i32) -> i16 {
        let [a, b, c, d] = self.0.next_u32().to_le_bytes().map(i32::from);
        // The sum's mean is 510 and its deviation 147.8.
        ((a + b + c + d - 510) * deviation / 148) as i16
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(limit)) >> 32) as u32
    }

    /// Fills a row with bell draws.
    pub fn fill(&mut self, row: &mut [i16], deviation: i32) {
        for value in row {
            *value = self.bell(deviation);
        }
    }

    /// `0..count` in random order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, self.below(i as u32 + 1) as usize);
        }
        order
    }
}
