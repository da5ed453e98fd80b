//! Synthetic nets that play sensible chess: an [`evaluation`] carried by some of the neurons.
//!
//! A neuron only clamps a sum to 0…255, so everything is put together from clamps:
//!
//! | neurons of a view | activation |
//! |---|---|
//! | 32 steps | `clamp(u + 4080 − 255 j)` with u = Σ end(own) − Σ end(enemy): their sum is u + 4080, in centipawns |
//! | 32 king gates | the phase if the own king stands on that square of the half board, else 0 |
//! | 48 pawn gates | the phase if an own pawn stands on that square, else 0 |
//! | all others | seeded noise, about a fifth of them active, worth a few centipawns together |
//!
//! Layer 2 sees steps and gates of both views and weighs them into one sum E; each of its neurons
//! shows one window of E, narrow ones around equality (1 cp a unit) and wide ones outside (3 cp).
//! Layer 3 copies them, wide windows three times, and the output adds the windows up.

pub mod evaluation;

use std::path::Path;

use super::architecture::{Architecture, ROWS_PER_BUCKET};
use super::noise::Noise;
use super::writer::{WriteError, write_net};
use evaluation::{FULL_PHASE, PHASE, TEMPO, end, middle_minus_end};

const STEPS: usize = 32;
const STEP: i32 = 255;
const KING_GATES: usize = 32;
const PAWN_GATES: usize = 48;
const CARRIERS: usize = STEPS + KING_GATES + PAWN_GATES;
/// Closes a gate whatever the phase, and opens it when the piece is there.
const GATE: i32 = 1020;
/// One of a fixed-point weight.
const ONE: i32 = 1 << 14;

/// Windows of E as (start, width, copies in layer 3): 16 and 32 neurons.
const WINDOWS: [(i32, i32, usize); 16] = [
    (-4020, 750, 3),
    (-3270, 750, 3),
    (-2520, 750, 3),
    (-1770, 750, 3),
    (-1020, 255, 1),
    (-765, 255, 1),
    (-510, 255, 1),
    (-255, 255, 1),
    (0, 255, 1),
    (255, 255, 1),
    (510, 255, 1),
    (765, 255, 1),
    (1020, 750, 3),
    (1770, 750, 3),
    (2520, 750, 3),
    (3270, 750, 3),
];

/// Output weights are multiples of this, so that a net widened to the teacher's output scale keeps
/// every value: 153 · 46 = 138 · 51.
const OUTPUT_STEP: i32 = 46;

/// Why a net of this shape cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// The recipe needs other layers.
    #[error(
        "cannot make a net of shape ({0}): the recipe needs no threat rows, at least {CARRIERS} neurons and hidden 16 and 32"
    )]
    Shape(Architecture),
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes the net of `seed`.
pub fn synthesise(architecture: &Architecture, seed: u64, path: &Path) -> Result<(), SynthError> {
    let a = architecture;
    if a.has_threats() || a.width < CARRIERS || (a.hidden2, a.hidden3) != (16, 32) {
        return Err(SynthError::Shape(a.clone()));
    }
    let mut noise = Noise::new(seed);
    let first = FirstLayer::new(a, &mut noise);
    let (weights2, bias2) = layer2(a, &first.places, &mut noise);
    let (weights3, weights4, bias4) = output_layers(a);
    write_net(path, a, |out| {
        out.put(&first.rows)?;
        out.put(&first.bias)?;
        out.put(&weights2)?;
        out.put(&bias2)?;
        out.put(&weights3)?;
        out.put(&[0_i32; 32])?;
        out.put(&weights4)?;
        out.put(&[bias4])
    })?;
    Ok(())
}

/// Piece rows and bias; `places` says which neuron plays which part.
struct FirstLayer {
    rows: Vec<i16>,
    bias: Vec<i16>,
    places: Vec<usize>,
}

impl FirstLayer {
    fn new(a: &Architecture, noise: &mut Noise) -> Self {
        let places = noise.permutation(a.width);
        let (rows, bias) = noise_neurons(a, noise);
        let mut layer = Self { rows, bias, places };
        for part in 0..CARRIERS {
            let neuron = layer.places[part];
            layer.bias[neuron] = match part {
                0..STEPS => (STEPS as i32 / 2 - part as i32) * STEP,
                _ => -GATE,
            } as i16;
            for (row, values) in layer.rows.chunks_exact_mut(a.width).enumerate() {
                let feature = row % ROWS_PER_BUCKET;
                values[neuron] = carrier_weight(part, feature / 64, feature % 64) as i16;
            }
        }
        layer
    }
}

/// Weight of a piece feature in the carrier `part`.
fn carrier_weight(part: usize, piece: usize, square: usize) -> i32 {
    let kind = piece % 6;
    let own = piece < 6;
    match part {
        0..STEPS => {
            if own {
                end(kind, square)
            } else {
                -end(kind, square ^ 56)
            }
        }
        _ => PHASE[kind] + if own && gate_of(kind, square) == Some(part) { GATE } else { 0 },
    }
}

/// The carrier that an own piece on a square opens.
fn gate_of(kind: usize, square: usize) -> Option<usize> {
    match kind {
        0 if (8..56).contains(&square) => Some(STEPS + KING_GATES + square - 8),
        5 if square % 8 < 4 => Some(STEPS + square / 8 * 4 + square % 8),
        _ => None,
    }
}

/// Rows shared by all buckets up to a small difference, and biases that leave about a fifth active.
fn noise_neurons(a: &Architecture, noise: &mut Noise) -> (Vec<i16>, Vec<i16>) {
    let mut shared = vec![0; ROWS_PER_BUCKET * a.width];
    noise.fill(&mut shared, 25);
    let mut rows = Vec::with_capacity(a.piece_rows() * a.width);
    for _ in 0..a.king_buckets {
        rows.extend(shared.iter().map(|&value| value + noise.bell(5)));
    }
    let bias = (0..a.width).map(|_| noise.bell(40) - 110).collect();
    (rows, bias)
}

fn layer2(a: &Architecture, places: &[usize], noise: &mut Noise) -> (Vec<i16>, Vec<i32>) {
    // Weights in 1/16384 cp a unit of activation, for a window of 255 cp; the other view's are negative.
    let mut weight = vec![0; a.width];
    for (part, &neuron) in places.iter().enumerate() {
        weight[neuron] = match part {
            0..STEPS => ONE / 2,
            _ => i32::from(noise.bell(25)),
        };
    }
    for (kind, square) in (0..64).flat_map(|square| [(0, square), (5, square)]) {
        if let Some(part) = gate_of(kind, square) {
            weight[places[part]] = middle_minus_end(kind, square) * ONE / FULL_PHASE;
        }
    }
    let mut weights = Vec::with_capacity(a.hidden2 * a.inputs());
    let mut bias = Vec::with_capacity(a.hidden2);
    for (start, width, _) in WINDOWS {
        let in_window = |value: i32| rounded(i64::from(value) * 255, i64::from(width));
        weights.extend(weight.iter().map(|&value| in_window(value) as i16));
        weights.extend(weight.iter().map(|&value| in_window(-value) as i16));
        bias.push(in_window((TEMPO - start) * ONE) + ONE / 2);
    }
    (weights, bias)
}

fn output_layers(a: &Architecture) -> (Vec<i16>, Vec<i16>, i32) {
    let mut weights3 = Vec::new();
    let mut weights4 = Vec::new();
    let mut bias4 = 0;
    for (window, (start, width, copies)) in WINDOWS.into_iter().enumerate() {
        let unit = i64::from(a.output_scale) * i64::from(OUTPUT_STEP);
        let weight = OUTPUT_STEP * rounded(i64::from(width) * i64::from(ONE), copies as i64 * unit);
        for _ in 0..copies {
            let mut row = vec![0; a.hidden2];
            row[window] = ONE as i16;
            weights3.extend(row);
            weights4.push(weight as i16);
            if start < 0 {
                bias4 -= 255 * weight;
            }
        }
    }
    (weights3, weights4, bias4)
}

fn rounded(numerator: i64, denominator: i64) -> i32 {
    (2 * numerator + denominator).div_euclid(2 * denominator) as i32
}

#[cfg(test)]
mod tests;
