//! Sweeps that never ran, with known spread and noise.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{DrawnLayout, Measurement, Observation, SWEEP_FORMAT, Sweep, SweepError, design, evaluate};
use crate::canonical::sha256_hex;
use crate::plan::{Lane, Layout, LayoutPart, PartState, Tool, Workload};
use crate::synthetic::machine;

/// Nodes of every synthetic measurement.
const NODES: u64 = 1_000_000;

/// What is true.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// Drawn layouts.
    pub layouts: usize,
    /// Most of them in a phase.
    pub together: usize,
    /// How often each is measured.
    pub rounds: usize,
    /// Deviation between layouts, percentage points.
    pub layout_sd: f64,
    /// Deviation of one measurement.
    pub noise_sd: f64,
    /// Deviation of what a phase has in common.
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

/// A whole sweep; `relinked` says whether more than starts could be drawn.
///
/// # Errors
/// As [`evaluate`].
pub fn sweep(truth: &Truth, seed: u64, gain: Option<f64>, relinked: bool) -> Result<Sweep, SweepError> {
    let measurement = |one: Observation| {
        let seconds = NODES as f64 / (one.value / 100.0).exp();
        Measurement {
            round: 1 + (one.block - 1) / truth.layouts.div_ceil(truth.together),
            phase: one.block,
            layout: one.layout,
            nodes: NODES,
            // Values are about 1000: e¹⁰ nodes a second.
            cpu_ns: (seconds * 1e9).round() as u64,
            wall_ns: (seconds * 5e9).round() as u64,
            counters: None,
        }
    };
    let measurements: Vec<Measurement> = observations(truth, seed).into_iter().map(measurement).collect();
    let layout = |number: usize| DrawnLayout {
        seed: (number > 0).then(|| design::layout_seed(seed, number)),
        executable_sha256: sha256_hex(format!("synthetic layout {number}").as_bytes()),
        moved_functions: (if relinked && number > 0 { 800 } else { 0 }, 800),
        moved_data: (if relinked && number > 0 { 1190 } else { 0 }, 1200),
        heap_offset: 4096 * number as u64,
        stack_offset: 16 * number as u64,
        mapping_offset: 8192 * number as u64,
        tables: None,
    };
    let state = if relinked { PartState::Drawn } else { PartState::NotScattered };
    let parts = [("order", state), ("stack", PartState::Drawn), ("mapping", PartState::Fixed)];
    Ok(Sweep {
        format: SWEEP_FORMAT,
        name: "synthetic".to_owned(),
        created: "2026-01-01T00:00:00Z".to_owned(),
        subject_sha256: sha256_hex(b"synthetic subject"),
        layout: Layout {
            scheme: "synthetic/1".to_owned(),
            seed,
            parts: parts.map(|(part, state)| LayoutPart { part: part.to_owned(), state }).to_vec(),
            tables: None,
        },
        lane: Lane {
            name: "sweep".to_owned(),
            core: 1,
            options: BTreeMap::from([("Hash".to_owned(), "16".to_owned())]),
            files: BTreeMap::new(),
            build: 0,
        },
        workload: Workload::new(vec!["synthetic position".to_owned()], NODES),
        slice_us: 5_000,
        rounds: truth.rounds,
        layouts: (0..=truth.layouts).map(layout).collect(),
        spread: evaluate(&measurements, truth.layouts + 1, gain)?,
        measurements,
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sha256: sha256_hex(b"synthetic tool"),
            evaluator: crate::EVALUATOR,
            linker: None,
        },
        machine: machine(),
    })
}

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    StandardNormal.sample(rng)
}
