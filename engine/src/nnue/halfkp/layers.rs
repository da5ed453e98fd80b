//! The layers after the accumulator, and the proof that their sums fit.

use super::{ACTIVATION_MAX, HIDDEN, INPUTS};
use crate::memory::Memory;
use crate::nnue::Refusal;
use crate::nnue::aligned::Aligned;
use crate::nnue::proof::fits;

/// A hidden layer: a row of weights for every output. The file's 8-bit weights are widened once, so that two products
/// at a time are added in 32 bits.
pub struct Layer<const IN: usize> {
    weights: Aligned<i16>,
    /// One for each output.
    pub bias: [i32; HIDDEN],
}

impl<const IN: usize> Layer<IN> {
    /// A layer of the file's arrays.
    pub fn new(weights: &[i8], bias: [i32; HIDDEN]) -> Self {
        assert_eq!(weights.len(), HIDDEN * IN);
        let mut wide = Aligned::zeros(weights.len());
        wide.iter_mut().zip(weights).for_each(|(wide, &weight)| *wide = weight.into());
        Self { weights: wide, bias }
    }

    /// The weights of every output.
    #[inline]
    pub fn rows(&self) -> &[[i16; IN]] {
        self.weights.as_chunks().0
    }

    fn prove(&self, number: u32) -> Result<(), Refusal> {
        let rows = self.rows().iter().zip(self.bias).enumerate();
        let mut proofs = rows.map(|(neuron, (weights, bias))| {
            fits(&format!("hidden layer {number}, neuron {neuron}"), bounds(weights, bias))
        });
        proofs.try_for_each(|proof| proof)
    }
}

/// The hidden layers and the output.
pub struct Layers {
    pub first: Layer<INPUTS>,
    pub second: Layer<HIDDEN>,
    pub output: [i16; HIDDEN],
    pub output_bias: i32,
}

impl Layers {
    /// What they hold.
    pub fn memory(&self) -> Memory {
        self.first.weights.memory() + self.second.weights.memory()
    }

    /// Proves that every sum fits 32 bits, in whatever order it is added up.
    pub fn prove(&self) -> Result<(), Refusal> {
        self.first.prove(1)?;
        self.second.prove(2)?;
        fits("the output layer", bounds(&self.output, self.output_bias))
    }
}

/// Every part of the sum lies between that of all negative terms and that of all positive ones.
fn bounds(weights: &[i16], bias: i32) -> (i64, i64) {
    let terms = weights.iter().map(|&weight| i64::from(weight) * i64::from(ACTIVATION_MAX));
    let low = terms.clone().map(|term| term.min(0)).sum::<i64>();
    let high = terms.map(|term| term.max(0)).sum::<i64>();
    (i64::from(bias) + low, i64::from(bias) + high)
}
