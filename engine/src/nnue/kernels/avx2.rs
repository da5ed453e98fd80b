//! The kernels in 256-bit registers (AVX2).

use std::arch::x86_64::*;

use super::{Accumulated, BLOCK, MAX_HIDDEN, Rows, Scratch, output};
use crate::nnue::architecture::{ACTIVATION_MAX, WEIGHT_SHIFT};
use crate::nnue::head::{Head, Layer};

/// 16-bit lanes of a register.
const LANES: usize = 16;
/// Registers of a full tile.
const TILE: usize = 12;

/// For each mask of eight chunks the numbers of its set bits, in order.
static SET_BITS: [[u16; 8]; 256] = set_bits();

const fn set_bits() -> [[u16; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
}

#[target_feature(enable = "avx2")]
pub(super) fn update<const FUSED: bool>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
) {
    if FUSED {
        fused(source, target, wide, narrow);
    } else {
        row_by_row(source, target, wide, narrow);
    }
}

/// All rows of a tile of columns at a time, so that the sums stay in registers.
#[inline]
#[target_feature(enable = "avx2")]
fn fused(source: &[i16], target: &mut [i16], wide: Rows<'_, i16>, narrow: Rows<'_, i8>) {
    let mut column = 0;
    while column + TILE * LANES <= source.len() {
        tile::<TILE>(source, target, wide, narrow, column);
        column += TILE * LANES;
    }
    while column < source.len() {
        tile::<4>(source, target, wide, narrow, column);
        column += 4 * LANES;
    }
}

/// One row after the other over the whole accumulator; the first pass reads the source.
#[inline]
#[target_feature(enable = "avx2")]
fn row_by_row(source: &[i16], target: &mut [i16], wide: Rows<'_, i16>, narrow: Rows<'_, i8>) {
    let width = source.len();
    let sums = target.as_mut_ptr();
    let mut from = source.as_ptr();
    // SAFETY: `Kernels::update` has checked that both slices have the same length, a multiple of a
    // register, and that the tables have all rows. A pass reads each register before it writes it.
    unsafe {
        for &row in wide.added {
            let row = wide.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm256_add_epi16(sum, wide_lanes(row.add(i))));
            from = sums;
        }
        for &row in wide.removed {
            let row = wide.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm256_sub_epi16(sum, wide_lanes(row.add(i))));
            from = sums;
        }
        for &row in narrow.added {
            let row = narrow.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm256_add_epi16(sum, narrow_lanes(row.add(i))));
            from = sums;
        }
        for &row in narrow.removed {
            let row = narrow.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm256_sub_epi16(sum, narrow_lanes(row.add(i))));
            from = sums;
        }
        if from != sums {
            std::ptr::copy_nonoverlapping(from, sums, width);
        }
    }
}

/// # Safety
/// `width` values, a multiple of a register, must be readable at `from` and writable at `to`: other
/// memory or the same.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn pass(from: *const i16, to: *mut i16, width: usize, row: impl Fn(__m256i, usize) -> __m256i) {
    for column in (0..width).step_by(LANES) {
        // SAFETY: by the caller.
        unsafe {
            let sum = row(wide_lanes(from.add(column)), column);
            _mm256_storeu_si256(to.add(column).cast(), sum);
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn tile<const N: usize>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
    column: usize,
) {
    let width = source.len();
    let mut sums = [_mm256_setzero_si256(); N];
    // SAFETY: `Kernels::update` has checked that both slices have the same length, a multiple of four
    // registers, and that the tables have all rows; the caller keeps column + N registers within it.
    unsafe {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = wide_lanes(source.as_ptr().add(column + i * LANES));
        }
        for &row in wide.added {
            let row = wide.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, wide_lanes(row.add(i * LANES)));
            }
        }
        for &row in wide.removed {
            let row = wide.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_sub_epi16(*sum, wide_lanes(row.add(i * LANES)));
            }
        }
        for &row in narrow.added {
            let row = narrow.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, narrow_lanes(row.add(i * LANES)));
            }
        }
        for &row in narrow.removed {
            let row = narrow.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_sub_epi16(*sum, narrow_lanes(row.add(i * LANES)));
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            _mm256_storeu_si256(target.as_mut_ptr().add(column + i * LANES).cast(), sum);
        }
    }
}

/// # Safety
/// 16 values must be readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn wide_lanes(values: *const i16) -> __m256i {
    // SAFETY: by the caller.
    unsafe { _mm256_loadu_si256(values.cast()) }
}

/// # Safety
/// 16 values must be readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn narrow_lanes(values: *const i8) -> __m256i {
    // SAFETY: by the caller.
    unsafe { _mm256_cvtepi8_epi16(_mm_loadu_si128(values.cast())) }
}

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn forward<const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    head: &Head,
    scratch: &mut Scratch,
) -> i32 {
    match accumulated.threats {
        Some(threats) => activate::<true, SPARSE>(accumulated, threats, scratch),
        None => activate::<false, SPARSE>(accumulated, accumulated.pieces, scratch),
    }
    let mut hidden2 = [0; MAX_HIDDEN];
    let mut hidden3 = [0; MAX_HIDDEN];
    if SPARSE {
        let count = list(scratch);
        let active = scratch.active[..count].iter().map(|&chunk| usize::from(chunk));
        layer(&head.layer2, &scratch.inputs, active, &mut hidden2);
    } else {
        layer(&head.layer2, &scratch.inputs, 0..scratch.inputs.len() / 2, &mut hidden2);
    }
    let inputs = head.layer2.outputs();
    layer(&head.layer3, &hidden2[..inputs], 0..inputs / 2, &mut hidden3);
    output(head, &hidden3)
}

/// Writes the activations and, if layer 2 is `SPARSE`, which chunks are not zero.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn activate<const THREATS: bool, const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    threats: [&[i16]; 2],
    scratch: &mut Scratch,
) {
    let width = accumulated.base.len();
    scratch.check(width, &[accumulated.pieces, threats]);
    let (zero, max) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVATION_MAX as i16));
    for view in 0..2 {
        let (pieces, threats) = (accumulated.pieces[view], threats[view]);
        for block in (0..width).step_by(BLOCK) {
            let mut active = 0;
            for column in (block..block + BLOCK).step_by(LANES) {
                // SAFETY: all slices have `width` values, a multiple of a block, and the inputs twice that.
                unsafe {
                    let half = |from: usize| {
                        let wide =
                            |at: *const i16| _mm256_cvtepi16_epi32(_mm_loadu_si128(at.add(from).cast()));
                        let mut sum = _mm256_add_epi32(
                            _mm256_loadu_si256(accumulated.base.as_ptr().add(from).cast()),
                            wide(pieces.as_ptr()),
                        );
                        if THREATS {
                            sum = _mm256_add_epi32(sum, wide(threats.as_ptr()));
                        }
                        sum
                    };
                    // Packing works in 128-bit halves; the permutation restores the order.
                    let both = _mm256_packs_epi32(half(column), half(column + 8));
                    let both = _mm256_permute4x64_epi64::<0b11_01_10_00>(both);
                    let values = _mm256_min_epi16(_mm256_max_epi16(both, zero), max);
                    let at = scratch.inputs.as_mut_ptr().add(view * width + column);
                    _mm256_storeu_si256(at.cast(), values);
                    if SPARSE {
                        // Pairs of values 0…255 are zero or positive as 32-bit numbers.
                        let positive = _mm256_castsi256_ps(_mm256_cmpgt_epi32(values, zero));
                        active |= (_mm256_movemask_ps(positive) as u32) << ((column - block) / 2);
                    }
                }
            }
            if SPARSE {
                scratch.nonzero[(view * width + block) / BLOCK] = active;
            }
        }
    }
}

/// Lists the chunks that are not zero; returns how many.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn list(scratch: &mut Scratch) -> usize {
    assert!(scratch.active.len() == scratch.nonzero.len() * 32 + 32);
    let mut first = _mm_setzero_si128();
    let mut count = 0;
    for &word in &scratch.nonzero {
        for mask in word.to_le_bytes() {
            // SAFETY: `count` is at most the number of chunks so far, and `active` has 32 entries more than
            // there are chunks.
            unsafe {
                let bits = _mm_loadu_si128(SET_BITS[usize::from(mask)].as_ptr().cast());
                _mm_storeu_si128(scratch.active.as_mut_ptr().add(count).cast(), _mm_add_epi16(bits, first));
            }
            count += mask.count_ones() as usize;
            first = _mm_add_epi16(first, _mm_set1_epi16(8));
        }
    }
    count
}

#[inline]
#[target_feature(enable = "avx2")]
fn layer(
    layer: &Layer,
    inputs: &[i16],
    chunks: impl Iterator<Item = usize>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    match layer.outputs() {
        16 => layer_of::<2>(layer, inputs, chunks, outputs),
        32 => layer_of::<4>(layer, inputs, chunks, outputs),
        64 => layer_of::<8>(layer, inputs, chunks, outputs),
        other => unreachable!("{other} outputs passed the check of the shape"),
    }
}

/// A layer of 8 · N outputs over the given chunks of two inputs.
#[inline]
#[target_feature(enable = "avx2")]
fn layer_of<const N: usize>(
    layer: &Layer,
    inputs: &[i16],
    chunks: impl Iterator<Item = usize>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    layer.check(inputs);
    let mut sums = [_mm256_setzero_si256(); N];
    // SAFETY: the callers give numbers of chunks within the inputs only, and every chunk has 16 · N weights; there are
    // 8 · N biases, and at most 64 outputs.
    unsafe {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = _mm256_loadu_si256(layer.bias.as_ptr().add(8 * i).cast());
        }
        for chunk in chunks {
            let pair = _mm256_set1_epi32(inputs.as_ptr().cast::<i32>().add(chunk).read_unaligned());
            let weights = layer.weights.as_ptr().add(chunk * N * LANES);
            for (i, sum) in sums.iter_mut().enumerate() {
                let products = _mm256_madd_epi16(pair, wide_lanes(weights.add(i * LANES)));
                *sum = _mm256_add_epi32(*sum, products);
            }
        }
        for (i, pair) in sums.chunks_exact(2).enumerate() {
            let clamped = |sum: __m256i| {
                let shifted = _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(sum);
                let max = _mm256_set1_epi32(ACTIVATION_MAX);
                _mm256_min_epi32(_mm256_max_epi32(shifted, _mm256_setzero_si256()), max)
            };
            let both = _mm256_packs_epi32(clamped(pair[0]), clamped(pair[1]));
            let both = _mm256_permute4x64_epi64::<0b11_01_10_00>(both);
            _mm256_storeu_si256(outputs.as_mut_ptr().add(16 * i).cast(), both);
        }
    }
}
