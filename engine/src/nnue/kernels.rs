//! The integer kernels: one plain version and one for each vector width, chosen at run time.
//!
//! All give the same values, bit for bit. Whole kernels are compiled for a processor, not single
//! instructions; which one runs is decided once a call. The vector kernels are written once over [`lanes`].

#[cfg(target_arch = "x86_64")]
mod activate;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod forward;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod list;
mod scalar;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod update;

use super::aligned::Aligned;
use super::architecture::WIDTH_STEP;
use super::base::Base;
use super::head::{Head, MAX_HIDDEN};
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

/// Both views' accumulators of a position, and what joins them when activations are made.
#[derive(Clone, Copy)]
pub(super) struct Accumulated<'a> {
    /// Piece sums of the side to move, then of the other side.
    pub pieces: [&'a [i16]; 2],
    /// Threat sums likewise; `None` for nets without threat rows.
    pub threats: Option<[&'a [i16]; 2]>,
    /// Bias and zero points.
    pub base: &'a Base,
}

/// The component `sparse-head`: layer 2 takes only the inputs that are not zero, or the pairs of which not
/// both are, which are listed when the activations are made. Without it, it takes all.
const SPARSE: bool = cfg!(feature = "sparse-head");

/// The component `fused-update`: an accumulator takes all rows of a move in one pass. Without it, it
/// takes one pass a row.
const FUSED: bool = cfg!(feature = "fused-update");

/// Activations between accumulator and layer 2: both views, 0…255, and zeros behind them.
pub(super) struct Scratch {
    /// Those of a layer in pairs; with the plain kernels those of any.
    wide: Aligned<i16>,
    /// Those of a layer in singles.
    narrow: Aligned<u8>,
    /// A bit for every pair, or every input, set if it is not zero.
    nonzero: Vec<u32>,
    /// Numbers of those that are not zero. Listing them while the accumulators are still read cost a
    /// tenth of the whole search in about every tenth process, depending on where its pages lay; so it is a
    /// pass of its own.
    active: Vec<u16>,
}

/// Zeros behind the inputs: a pair.
const PADDING: usize = 2;
/// What may be written behind the numbers: registers of them.
const ROOM: usize = 64;

impl Scratch {
    pub fn new(inputs: usize) -> Self {
        Self {
            wide: Aligned::zeros(inputs + PADDING),
            narrow: Aligned::zeros(inputs + PADDING),
            nonzero: vec![0; inputs / 32],
            active: vec![0; inputs + ROOM],
        }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        let inputs = self.wide.memory() + self.narrow.memory();
        inputs + Memory::of_list(&self.nonzero) + Memory::of_list(&self.active)
    }

    /// Panics unless kernels may read all neurons of every view and write as many activations, and every
    /// input of a layer has its weights.
    #[inline]
    fn check(&self, accumulated: &Accumulated<'_>, head: &Head) {
        let width = accumulated.base.wide().len();
        let inputs = 2 * width;
        assert!(width.is_multiple_of(WIDTH_STEP));
        assert!(self.wide.len() == inputs + PADDING && self.narrow.len() == inputs + PADDING);
        assert!(self.nonzero.len() == inputs / 32 && self.active.len() == inputs + ROOM);
        let sums = [Some(accumulated.pieces), accumulated.threats];
        assert!(sums.iter().flatten().flatten().all(|sums| sums.len() == width));
        assert!(head.layer2.inputs() == inputs && head.layer3.inputs() == head.layer2.outputs());
    }
}

/// The output layer's sum over layer 3's activations. Sixty-four products of 16 and 8 bits fit.
#[inline(always)]
fn output(head: &Head, hidden3: &[i16; MAX_HIDDEN]) -> i32 {
    head.output.iter().zip(hidden3).map(|(&weight, &input)| i32::from(weight) * i32::from(input)).sum()
}

/// A [`Simd`] that this processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    simd: Simd,
    /// Whether AVX-512 has VNNI and VBMI2 too.
    vnni: bool,
}

impl Kernels {
    /// The wanted kernels, or the best ones if the processor lacks them.
    pub fn new(simd: Simd) -> Self {
        Self { simd: if simd.is_available() { simd } else { Simd::best() }, vnni: has_vnni() }
    }

    /// Which ones.
    pub fn simd(self) -> Simd {
        self.simd
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
        match self.simd {
            Simd::Scalar => scalar::update::<FUSED>(source, target, wide, narrow),
            // SAFETY: `new` has checked that the processor has these instructions, and the lengths are checked above.
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
        match self.simd {
            Simd::Scalar => scalar::forward::<SPARSE>(accumulated, head, scratch),
            // SAFETY: `new` has checked that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2::forward::<SPARSE>(accumulated, head, scratch) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if self.vnni => unsafe {
                avx512::forward_vnni::<SPARSE>(accumulated, head, scratch)
            },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512::forward::<SPARSE>(accumulated, head, scratch) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::forward::<SPARSE>(accumulated, head, scratch),
        }
    }
}

/// Whether the processor has AVX-512's instructions for 16-bit products and lists.
fn has_vnni() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        Simd::Avx512.is_available()
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("avx512vbmi2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}
