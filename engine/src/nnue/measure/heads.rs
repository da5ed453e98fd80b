//! The layers after the accumulator, on real sums.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Reads, Traffic};
use crate::nnue::accumulator::Stack;
use crate::nnue::aligned::Aligned;
use crate::nnue::architecture::ACTIVATION_MAX;
use crate::nnue::kernels::{Accumulated, Kernels, Scratch, Simd};
use crate::nnue::network::Network;
use crate::position::Position;

/// Inputs of a chunk: what layer 2 skips at once if all are zero.
fn chunk(network: &Network) -> usize {
    network.head().layer2.layout.together()
}

/// The sums of many positions, and room for their activations.
pub struct Heads {
    network: Arc<Network>,
    samples: Vec<Sample>,
    scratch: Scratch,
}

/// Sums of one position, the side to move's first.
#[derive(Clone)]
struct Sample {
    pieces: [Aligned<i16>; 2],
    threats: Option<[Aligned<i16>; 2]>,
}

impl Sample {
    fn accumulated<'a>(&'a self, network: &'a Network) -> Accumulated<'a> {
        let views = |sums: &'a [Aligned<i16>; 2]| sums.each_ref().map(|sums| &sums[..]);
        Accumulated {
            pieces: views(&self.pieces),
            threats: self.threats.as_ref().map(views),
            base: network.base(),
        }
    }

    /// Layer 2's input of a view and column.
    fn input(&self, network: &Network, view: usize, column: usize) -> i32 {
        let threat = self.threats.as_ref().map_or(0, |threats| i32::from(threats[view][column]));
        (network.base().wide()[column] + i32::from(self.pieces[view][column]) + threat)
            .clamp(0, ACTIVATION_MAX)
    }

    /// View and first column of every chunk that is not zero.
    fn active(&self, network: &Network) -> Vec<(usize, usize)> {
        let chunk = chunk(network);
        let chunks = (0..2).flat_map(|view| {
            (0..network.architecture().width).step_by(chunk).map(move |column| (view, column))
        });
        let active = |view: usize, column: usize| {
            (column..column + chunk).any(|column| self.input(network, view, column) != 0)
        };
        chunks.filter(|&(view, column)| active(view, column)).collect()
    }
}

impl Heads {
    /// The sums of the positions.
    pub fn new<'a>(network: &Arc<Network>, positions: impl IntoIterator<Item = &'a Position>) -> Self {
        let mut stack = Stack::new(Arc::clone(network), Kernels::new(Simd::best()));
        let sample = |position| {
            stack.reset(position);
            let accumulated = stack.accumulated();
            Sample {
                pieces: accumulated.pieces.map(Aligned::copy_of),
                threats: accumulated.threats.map(|threats| threats.map(Aligned::copy_of)),
            }
        };
        Self {
            samples: positions.into_iter().map(sample).collect(),
            network: Arc::clone(network),
            scratch: Scratch::new(network.architecture().inputs()),
        }
    }

    /// The same sums, with all but the first `chunks` active chunks of each position made zero.
    ///
    /// The time between this and [`new`](Self::new) is layer 2's for the chunks between.
    #[must_use]
    pub fn limited(&self, chunks: usize) -> Self {
        let chunk = chunk(&self.network);
        let mut samples = self.samples.clone();
        for sample in &mut samples {
            for (view, column) in sample.active(&self.network).into_iter().skip(chunks) {
                sample.pieces[view][column..][..chunk].fill(i16::MIN);
                if let Some(threats) = &mut sample.threats {
                    threats[view][column..][..chunk].fill(i16::MIN);
                }
            }
        }
        Self {
            network: Arc::clone(&self.network),
            samples,
            scratch: Scratch::new(self.network.architecture().inputs()),
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Chunks of all positions that are not zero.
    pub fn active_chunks(&self) -> usize {
        self.samples.iter().map(|sample| sample.active(&self.network).len()).sum()
    }

    /// Chunks of all positions.
    pub fn chunks(&self) -> usize {
        self.network.architecture().inputs() / chunk(&self.network) * self.len()
    }

    /// Bytes of a chunk's activations.
    pub fn chunk_bytes(&self) -> usize {
        chunk(&self.network) * self.network.head().layer2.layout.input_bytes()
    }

    /// The values of all positions, summed; `sparse` takes only chunks that are not zero.
    pub fn run(&mut self, simd: Simd, sparse: bool) -> i32 {
        let (kernels, head) = (Kernels::new(simd), self.network.head());
        let values = self.samples.iter().map(|sample| {
            let accumulated = sample.accumulated(&self.network);
            head.value(if sparse {
                kernels.forward_by::<true>(&accumulated, head, &mut self.scratch)
            } else {
                kernels.forward_by::<false>(&accumulated, head, &mut self.scratch)
            })
        });
        values.fold(0, i32::wrapping_add)
    }

    /// What [`run`](Self::run) moves.
    pub fn traffic(&self, sparse: bool) -> Traffic {
        let (shape, head) = (self.network.architecture(), self.network.head());
        let together = chunk(&self.network);
        let chunk = size_of::<i16>() * together * shape.hidden2;
        let rest = size_of::<i16>() * (shape.hidden2 + 1) * shape.hidden3;
        let (chunks, distinct) = if sparse {
            let all = self.samples.iter().flat_map(|sample| sample.active(&self.network));
            let distinct = all.collect::<HashSet<_>>().len();
            (self.active_chunks(), distinct)
        } else {
            (self.chunks(), shape.inputs() / together)
        };
        let inputs = shape.inputs() * head.layer2.layout.input_bytes();
        let base = self.network.base();
        let base = base.narrow().map_or(size_of_val(base.wide()), size_of_val);
        Traffic {
            rows: 0,
            // An input is made of its sums and its base, written, and read again by layer 2.
            sums: self.sample_bytes() + (2 * base + 2 * inputs) * self.len(),
            weights: chunks * chunk + rest * self.len(),
            working_set: self.sample_bytes() + base + inputs + distinct * chunk + rest,
        }
    }

    /// Layer 2's weights that [`run`](Self::run) reads.
    pub fn reads(&self, sparse: bool) -> Reads {
        let shape = self.network.architecture();
        let chunk = chunk(&self.network);
        let length = size_of::<i16>() * chunk * shape.hidden2;
        let chunks = |sample: &Sample| -> Vec<usize> {
            match sparse {
                true => sample
                    .active(&self.network)
                    .iter()
                    .map(|&(view, column)| view * shape.width + column)
                    .collect(),
                false => (0..shape.inputs()).step_by(chunk).collect(),
            }
        };
        let places = self.samples.iter().flat_map(chunks).map(|input| input / chunk * length).collect();
        Reads { length, places }
    }

    /// The sums of all positions.
    pub(super) fn sample_bytes(&self) -> usize {
        let shape = self.network.architecture();
        let parts = if shape.has_threats() { 2 } else { 1 };
        parts * shape.inputs() * size_of::<i16>() * self.len()
    }
}
