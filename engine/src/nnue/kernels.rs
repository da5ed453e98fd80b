//! The integer kernels: one plain version and one for each vector width, chosen at run time.
//!
//! All give the same values, bit for bit. Whole kernels are compiled for a processor, not single
//! instructions; which one runs is decided once a call.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;
#[cfg(test)]
mod tests;

use super::aligned::Aligned;
use super::architecture::WIDTH_STEP;
use super::head::{Head, Layer};
use crate::memory::Memory;

/// A set of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// Plain Rust, on every processor.
    Scalar,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Simd {
    /// All, the widest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Scalar];

    /// The widest that this processor has.
    pub fn best() -> Self {
        Self::ALL.into_iter().find(|simd| simd.is_available()).unwrap_or(Self::Scalar)
    }

    /// Reads `auto`, `scalar`, `avx2` or `avx512`; `None` for anything else.
    pub fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "auto" => Some(Self::best()),
            "scalar" => Some(Self::Scalar),
            "avx2" => Some(Self::Avx2),
            "avx512" => Some(Self::Avx512),
            _ => None,
        }
    }

    /// Whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && Self::Avx2.is_available()
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl std::fmt::Display for Simd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

/// Rows of one table to add to an accumulator and to subtract from it.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub table: &'a [T],
    pub added: &'a [u32],
    pub removed: &'a [u32],
}

impl<T> Rows<'_, T> {
    /// Panics unless the table has every row, so that kernels may read without further checks.
    #[inline]
    fn check(&self, width: usize) {
        let rows = self.table.len() / width;
        let last = self.added.iter().chain(self.removed).fold(0, |last, &row| last.max(row as usize + 1));
        assert!(last <= rows, "row {last} of {rows}");
    }
}

/// Both views' accumulators of a position, and what to add after widening.
#[derive(Clone, Copy)]
pub(super) struct Accumulated<'a> {
    /// Piece sums of the side to move, then of the other side.
    pub pieces: [&'a [i16]; 2],
    /// Threat sums likewise; `None` for nets without threat rows.
    pub threats: Option<[&'a [i16]; 2]>,
    /// Bias and zero points.
    pub base: &'a [i32],
}

/// Largest layer after the accumulator.
const MAX_HIDDEN: usize = 64;

/// The component `sparse-head`: layer 2 takes only the chunks that are not zero, which are listed when
/// the activations are made. Without it, it takes all.
const SPARSE: bool = cfg!(feature = "sparse-head");

/// The component `fused-update`: an accumulator takes all rows of a move in one pass. Without it, it
/// takes one pass a row.
const FUSED: bool = cfg!(feature = "fused-update");

/// Activations between accumulator and layer 2.
pub(super) struct Scratch {
    /// Layer 2's inputs: both views, 0…255.
    inputs: Aligned<i16>,
    /// A bit for every chunk (two neighbouring inputs), set if it is not zero; a word for [`BLOCK`]
    /// inputs.
    nonzero: Vec<u32>,
    /// Numbers of the chunks that are not zero, and room for one more register to be written behind
    /// them. Listing them while the accumulators are still read cost a tenth of the whole search in
    /// about every tenth process, depending on where its pages lay; so it is a pass of its own.
    active: Vec<u16>,
}

/// Inputs that a word of [`Scratch::nonzero`] speaks of.
const BLOCK: usize = 64;
const _: () = assert!(WIDTH_STEP.is_multiple_of(BLOCK) && BLOCK == 2 * u32::BITS as usize);

impl Scratch {
    pub fn new(inputs: usize) -> Self {
        Self {
            inputs: Aligned::zeros(inputs),
            nonzero: vec![0; inputs / BLOCK],
            active: vec![0; inputs / 2 + 32],
        }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        self.inputs.memory() + Memory::of_list(&self.nonzero) + Memory::of_list(&self.active)
    }

    /// Panics unless kernels may read `width` values of every view and write as many activations.
    #[inline]
    fn check(&self, width: usize, sums: &[[&[i16]; 2]]) {
        assert!(width.is_multiple_of(WIDTH_STEP) && self.inputs.len() == 2 * width);
        assert!(self.nonzero.len() == 2 * width / BLOCK && self.active.len() == width + 32);
        assert!(sums.iter().flatten().all(|sums| sums.len() == width));
    }
}

impl Layer {
    /// Panics unless every input has its weights.
    #[inline]
    fn check(&self, inputs: &[i16]) {
        assert!(inputs.len().is_multiple_of(2) && inputs.len() * self.outputs() == self.weights.len());
    }
}

/// The output layer's sum over layer 3's activations. Sixty-four products of 16 and 8 bits fit.
#[inline(always)]
fn output(head: &Head, hidden3: &[i16; MAX_HIDDEN]) -> i32 {
    head.output.iter().zip(hidden3).map(|(&weight, &input)| i32::from(weight) * i32::from(input)).sum()
}

/// A [`Simd`] that this processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels(Simd);

impl Kernels {
    /// The wanted kernels, or the best ones if the processor lacks them.
    pub fn new(simd: Simd) -> Self {
        Self(if simd.is_available() { simd } else { Simd::best() })
    }

    /// Which ones.
    pub fn simd(self) -> Simd {
        self.0
    }

    /// `target` = `source` with rows of both tables added and removed, wrapping.
    #[inline]
    pub fn update(self, source: &[i16], target: &mut [i16], wide: Rows<'_, i16>, narrow: Rows<'_, i8>) {
        self.update_by::<FUSED>(source, target, wide, narrow);
    }

    #[inline]
    fn update_by<const FUSED: bool>(
        self,
        source: &[i16],
        target: &mut [i16],
        wide: Rows<'_, i16>,
        narrow: Rows<'_, i8>,
    ) {
        assert!(source.len() == target.len() && source.len().is_multiple_of(WIDTH_STEP));
        wide.check(source.len());
        narrow.check(source.len());
        match self.0 {
            Simd::Scalar => scalar::update::<FUSED>(source, target, wide, narrow),
            // SAFETY: `new` has checked that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if cfg!(feature = "acc512") => unsafe {
                avx512::update::<FUSED>(source, target, wide, narrow)
            },
            // SAFETY: the same; AVX-512 is available only where AVX2 is.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 | Simd::Avx512 => unsafe { avx2::update::<FUSED>(source, target, wide, narrow) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::update::<FUSED>(source, target, wide, narrow),
        }
    }

    /// The output layer's weighted sum, without its bias.
    #[inline]
    pub fn forward(self, accumulated: &Accumulated<'_>, head: &Head, scratch: &mut Scratch) -> i32 {
        self.forward_by::<SPARSE>(accumulated, head, scratch)
    }

    #[inline]
    pub(super) fn forward_by<const SPARSE: bool>(
        self,
        accumulated: &Accumulated<'_>,
        head: &Head,
        scratch: &mut Scratch,
    ) -> i32 {
        match self.0 {
            Simd::Scalar => scalar::forward::<SPARSE>(accumulated, head, scratch),
            // SAFETY: `new` has checked that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2::forward::<SPARSE>(accumulated, head, scratch) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512::forward::<SPARSE>(accumulated, head, scratch) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::forward::<SPARSE>(accumulated, head, scratch),
        }
    }
}
