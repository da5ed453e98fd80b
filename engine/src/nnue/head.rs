//! The layers after the accumulator, packed for the kernels.

use super::aligned::Aligned;
use super::architecture::{ACTIVATION_MAX, Architecture, HIDDEN_SIZES, WEIGHT_SHIFT};
use super::proof::Layers;
use crate::memory::Memory;

/// Largest layer after the accumulator.
pub const MAX_HIDDEN: usize = HIDDEN_SIZES[HIDDEN_SIZES.len() - 1];

/// How the weights of a layer lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `[pair][output][2]`: a multiply-add takes two neighbouring inputs at once for all outputs.
    Pairs,
    /// `[input][output]`: any two inputs can be taken at once, after their weights are interleaved.
    Singles,
}

impl Layout {
    /// For a layer of which only inputs that are not zero are read: what fills whole cache lines.
    fn sparse(outputs: usize) -> Self {
        if outputs * size_of::<i16>() < 64 { Self::Pairs } else { Self::Singles }
    }

    /// Inputs that are read together.
    #[inline]
    pub fn together(self) -> usize {
        match self {
            Self::Pairs => 2,
            Self::Singles => 1,
        }
    }

    /// Bytes of an activation as the vector kernels keep it.
    #[inline]
    pub fn input_bytes(self) -> usize {
        match self {
            Self::Pairs => size_of::<i16>(),
            Self::Singles => size_of::<u8>(),
        }
    }
}

/// One dense layer.
pub struct Layer {
    /// Those of one more pair or input follow the last, all zero: lists of inputs are filled up with its
    /// number.
    pub weights: Aligned<i16>,
    /// One for each output.
    pub bias: Aligned<i32>,
    /// The order of the weights.
    pub layout: Layout,
    inputs: usize,
}

impl Layer {
    /// Packs weights that lie as `[output][input]`.
    fn pack(weights: &[i16], bias: &[i32], layout: Layout) -> Self {
        let (outputs, inputs) = (bias.len(), weights.len() / bias.len());
        let together = layout.together();
        let mut packed = Aligned::zeros((inputs + together) * outputs);
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            for (number, values) in row.chunks_exact(together).enumerate() {
                packed[(number * outputs + output) * together..][..together].copy_from_slice(values);
            }
        }
        Self { weights: packed, bias: Aligned::copy_of(bias), layout, inputs }
    }

    fn memory(&self) -> Memory {
        self.weights.memory() + self.bias.memory()
    }

    /// Number of outputs.
    #[inline]
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Number of inputs.
    #[inline]
    pub fn inputs(&self) -> usize {
        self.inputs
    }
}

/// Layers 2, 3 and the output.
pub struct Head {
    /// Over both views' activations.
    pub layer2: Layer,
    /// Over layer 2's; in pairs.
    pub layer3: Layer,
    /// Weights of the output, for layer 3's activations; zeros behind the last.
    pub output: [i16; MAX_HIDDEN],
    /// Bias of the output.
    pub output_bias: i32,
    scale: i64,
}

impl Head {
    pub(super) fn pack(architecture: &Architecture, layers: &Layers<'_>) -> Self {
        let mut output = [0; MAX_HIDDEN];
        output[..layers.weights4.len()].copy_from_slice(layers.weights4);
        Self {
            layer2: Layer::pack(layers.weights2, layers.bias2, Layout::sparse(architecture.hidden2)),
            layer3: Layer::pack(layers.weights3, layers.bias3, Layout::Pairs),
            output,
            output_bias: layers.bias4,
            scale: i64::from(architecture.output_scale),
        }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        self.layer2.memory() + self.layer3.memory()
    }

    /// Centipawns from the output layer's weighted sum. The loader has proved that this fits.
    #[inline]
    pub fn value(&self, sum: i32) -> i32 {
        let unit = i64::from(ACTIVATION_MAX) << WEIGHT_SHIFT;
        ((i64::from(self.output_bias) + i64::from(sum)) * self.scale / unit) as i32
    }
}
