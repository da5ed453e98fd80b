//! Nets of the first published shape for chess, HalfKP 256x2-32-32, in the container that they were published in.
//!
//! docs/net-format.md describes the container and its arithmetic. Of the components, those that belong to no shape
//! concern these nets: `eval-cache`, `huge-pages`, and `prefetch-tt`.

mod accumulator;
mod evaluator;
mod features;
mod file;
#[cfg(any(test, feature = "verify-eval"))]
mod formula;
mod kernels;
mod layers;
mod net;
pub mod synth;
#[cfg(test)]
mod testing;

pub(super) use evaluator::HalfKp;
pub(super) use file::{hash, is_container};
pub use net::HalfKpNet;

use bytemuck::{Pod, Zeroable};

/// The name among the shapes.
pub const NAME: &str = "halfkp";

/// Neurons of the first layer, per view.
const WIDTH: usize = 256;
/// Rows of one square of the own king: ten kinds of pieces on 64 squares, and one that no piece has.
const ROWS_PER_KING: usize = 641;
/// Rows of the first layer.
const ROWS: usize = 64 * ROWS_PER_KING;
/// Outputs of each hidden layer.
const HIDDEN: usize = 32;
/// Inputs of the first hidden layer: both views.
const INPUTS: usize = 2 * WIDTH;
/// Upper end of every activation.
const ACTIVATION_MAX: i16 = 127;
/// Fixed-point shift of the hidden layers' weights.
const WEIGHT_SHIFT: u32 = 6;
/// What the output layer's sum is divided by.
const OUTPUT_DIVISOR: i32 = 16;

/// One value for every neuron of the first layer, from a cache line's start on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
struct Row([i16; WIDTH]);
