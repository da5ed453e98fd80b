//! The layers after the accumulator, packed for the kernels.

use super::aligned::Aligned;
use super::architecture::{ACTIVATION_MAX, Architecture, WEIGHT_SHIFT};
use super::proof::Layers;
use crate::memory::Memory;

/// One dense layer with weights as [chunk][output][2]: a chunk is two neighbouring inputs, which a
/// multiply-add takes at once for all outputs.
pub struct Layer {
    /// Chunks one after the other.
    pub weights: Aligned<i16>,
    /// One for each output.
    pub bias: Aligned<i32>,
}

impl Layer {
    fn pack(weights: &[i16], bias: &[i32]) -> Self {
        let (outputs, inputs) = (bias.len(), weights.len() / bias.len());
        let mut packed = Aligned::zeros(weights.len());
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            for (chunk, pair) in row.chunks_exact(2).enumerate() {
                packed[(chunk * outputs + output) * 2..][..2].copy_from_slice(pair);
            }
        }
        Self { weights: packed, bias: Aligned::copy_of(bias) }
    }

    fn memory(&self) -> Memory {
        self.weights.memory() + self.bias.memory()
    }

    /// Number of outputs.
    #[inline]
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }
}

/// Layers 2, 3 and the output.
pub struct Head {
    /// Over both views' activations.
    pub layer2: Layer,
    /// Over layer 2's.
    pub layer3: Layer,
    /// Weights of the output, for layer 3's activations.
    pub output: Aligned<i16>,
    /// Bias of the output.
    pub output_bias: i32,
    scale: i64,
}

impl Head {
    pub(super) fn pack(architecture: &Architecture, layers: &Layers<'_>) -> Self {
        Self {
            layer2: Layer::pack(layers.weights2, layers.bias2),
            layer3: Layer::pack(layers.weights3, layers.bias3),
            output: Aligned::copy_of(layers.weights4),
            output_bias: layers.bias4,
            scale: i64::from(architecture.output_scale),
        }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        self.layer2.memory() + self.layer3.memory() + self.output.memory()
    }

    /// Centipawns from the output layer's weighted sum. The loader has proved that this fits.
    #[inline]
    pub fn value(&self, sum: i32) -> i32 {
        let unit = i64::from(ACTIVATION_MAX) << WEIGHT_SHIFT;
        ((i64::from(self.output_bias) + i64::from(sum)) * self.scale / unit) as i32
    }
}
