//! Sweeps that never ran, with known spread and noise.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Observation, design};

/// What is true.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub layouts: usize,
    pub together: usize,
    pub rounds: usize,
    pub layout_sd: f64,
    pub noise_sd: f64,
    pub phase_sd: f64,
}

impl Truth {
    /// The layouts' true effects; the first is the one as linked.
    pub fn effects(&self, seed: u64) -> Vec<f64> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        (0..=self.layouts).map(|_| self.layout_sd * normal(&mut rng)).collect()
    }
}

/// What would be measured.
pub fn observations(truth: &Truth, seed: u64) -> Vec<Observation> {
    let effects = truth.effects(seed);
    let mut rng = ChaCha20Rng::seed_from_u64(!seed);
    let phases = design::phases(truth.layouts, truth.together, truth.rounds, seed);
    let mut all = Vec::new();
    for (block, phase) in (1..).zip(phases) {
        let common = 1e3 + truth.phase_sd * normal(&mut rng);
        for layout in phase.layouts {
            let value = common + effects[layout] + truth.noise_sd * normal(&mut rng);
            all.push(Observation { block, layout, value });
        }
    }
    all
}

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    StandardNormal.sample(rng)
}
