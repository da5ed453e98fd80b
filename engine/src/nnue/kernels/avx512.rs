//! The kernels in 512-bit registers (AVX-512 F, BW and VL).

use std::arch::x86_64::*;

use super::{Accumulated, BLOCK, MAX_HIDDEN, Rows, Scratch, output};
use crate::nnue::architecture::{ACTIVATION_MAX, WEIGHT_SHIFT};
use crate::nnue::head::{Head, Layer};

/// 16-bit lanes of a register.
const LANES: usize = 32;
/// Registers of a full tile.
const TILE: usize = 8;

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn fused(source: &[i16], target: &mut [i16], wide: Rows<'_, i16>, narrow: Rows<'_, i8>) {
    let mut column = 0;
    while column + TILE * LANES <= source.len() {
        tile::<TILE>(source, target, wide, narrow, column);
        column += TILE * LANES;
    }
    while column < source.len() {
        tile::<2>(source, target, wide, narrow, column);
        column += 2 * LANES;
    }
}

/// One row after the other over the whole accumulator; the first pass reads the source.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn row_by_row(source: &[i16], target: &mut [i16], wide: Rows<'_, i16>, narrow: Rows<'_, i8>) {
    let width = source.len();
    let sums = target.as_mut_ptr();
    let mut from = source.as_ptr();
    // SAFETY: `Kernels::update` has checked that both slices have the same length, a multiple of a
    // register, and that the tables have all rows. A pass reads each register before it writes it.
    unsafe {
        for &row in wide.added {
            let row = wide.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm512_add_epi16(sum, wide_lanes(row.add(i))));
            from = sums;
        }
        for &row in wide.removed {
            let row = wide.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm512_sub_epi16(sum, wide_lanes(row.add(i))));
            from = sums;
        }
        for &row in narrow.added {
            let row = narrow.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm512_add_epi16(sum, narrow_lanes(row.add(i))));
            from = sums;
        }
        for &row in narrow.removed {
            let row = narrow.table.as_ptr().add(row as usize * width);
            pass(from, sums, width, |sum, i| _mm512_sub_epi16(sum, narrow_lanes(row.add(i))));
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn pass(from: *const i16, to: *mut i16, width: usize, row: impl Fn(__m512i, usize) -> __m512i) {
    for column in (0..width).step_by(LANES) {
        // SAFETY: by the caller.
        unsafe {
            let sum = row(wide_lanes(from.add(column)), column);
            _mm512_storeu_si512(to.add(column).cast(), sum);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn tile<const N: usize>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
    column: usize,
) {
    let width = source.len();
    let mut sums = [_mm512_setzero_si512(); N];
    // SAFETY: `Kernels::update` has checked that both slices have the same length, a multiple of two
    // registers, and that the tables have all rows; the caller keeps column + N registers within it.
    unsafe {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = wide_lanes(source.as_ptr().add(column + i * LANES));
        }
        for &row in wide.added {
            let row = wide.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_add_epi16(*sum, wide_lanes(row.add(i * LANES)));
            }
        }
        for &row in wide.removed {
            let row = wide.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_sub_epi16(*sum, wide_lanes(row.add(i * LANES)));
            }
        }
        for &row in narrow.added {
            let row = narrow.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_add_epi16(*sum, narrow_lanes(row.add(i * LANES)));
            }
        }
        for &row in narrow.removed {
            let row = narrow.table.as_ptr().add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_sub_epi16(*sum, narrow_lanes(row.add(i * LANES)));
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            _mm512_storeu_si512(target.as_mut_ptr().add(column + i * LANES).cast(), sum);
        }
    }
}

/// # Safety
/// 32 values must be readable.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn wide_lanes(values: *const i16) -> __m512i {
    // SAFETY: by the caller.
    unsafe { _mm512_loadu_si512(values.cast()) }
}

/// # Safety
/// 32 values must be readable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn narrow_lanes(values: *const i8) -> __m512i {
    // SAFETY: by the caller.
    unsafe { _mm512_cvtepi8_epi16(_mm256_loadu_si256(values.cast())) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn activate<const THREATS: bool, const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    threats: [&[i16]; 2],
    scratch: &mut Scratch,
) {
    let width = accumulated.base.len();
    scratch.check(width, &[accumulated.pieces, threats]);
    let (zero, max) = (_mm512_setzero_si512(), _mm512_set1_epi16(ACTIVATION_MAX as i16));
    for view in 0..2 {
        let (pieces, threats) = (accumulated.pieces[view], threats[view]);
        for block in (0..width).step_by(BLOCK) {
            let mut active = 0;
            for column in (block..block + BLOCK).step_by(LANES) {
                // SAFETY: all slices have `width` values, a multiple of a block, and the inputs twice that.
                unsafe {
                    let half = |from: usize| {
                        let wide =
                            |at: *const i16| _mm512_cvtepi16_epi32(_mm256_loadu_si256(at.add(from).cast()));
                        let mut sum = _mm512_add_epi32(
                            _mm512_loadu_si512(accumulated.base.as_ptr().add(from).cast()),
                            wide(pieces.as_ptr()),
                        );
                        if THREATS {
                            sum = _mm512_add_epi32(sum, wide(threats.as_ptr()));
                        }
                        _mm512_cvtsepi32_epi16(sum)
                    };
                    let both =
                        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(column)), half(column + 16));
                    let values = _mm512_min_epi16(_mm512_max_epi16(both, zero), max);
                    let at = scratch.inputs.as_mut_ptr().add(view * width + column);
                    _mm512_storeu_si512(at.cast(), values);
                    if SPARSE {
                        let chunks = u32::from(_mm512_test_epi32_mask(values, values));
                        active |= chunks << ((column - block) / 2);
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn list(scratch: &mut Scratch) -> usize {
    assert!(scratch.active.len() == scratch.nonzero.len() * 32 + 32);
    let mut numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    let mut count = 0;
    for &word in &scratch.nonzero {
        for mask in [word as u16, (word >> 16) as u16] {
            let set = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(mask, numbers));
            // SAFETY: `count` is at most the number of chunks so far, and `active` has 32 entries more than
            // there are chunks.
            unsafe { _mm256_storeu_si256(scratch.active.as_mut_ptr().add(count).cast(), set) };
            count += mask.count_ones() as usize;
            numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
        }
    }
    count
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn layer(
    layer: &Layer,
    inputs: &[i16],
    chunks: impl Iterator<Item = usize>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    match layer.outputs() {
        16 => layer_of::<1>(layer, inputs, chunks, outputs),
        32 => layer_of::<2>(layer, inputs, chunks, outputs),
        64 => layer_of::<4>(layer, inputs, chunks, outputs),
        other => unreachable!("{other} outputs passed the check of the shape"),
    }
}

/// A layer of 16 · N outputs over the given chunks of two inputs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn layer_of<const N: usize>(
    layer: &Layer,
    inputs: &[i16],
    chunks: impl Iterator<Item = usize>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    layer.check(inputs);
    let mut sums = [_mm512_setzero_si512(); N];
    // SAFETY: the callers give numbers of chunks within the inputs only, and every chunk has 32 · N weights; there are
    // 16 · N biases, and at most 64 outputs.
    unsafe {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = _mm512_loadu_si512(layer.bias.as_ptr().add(16 * i).cast());
        }
        for chunk in chunks {
            let pair = _mm512_set1_epi32(inputs.as_ptr().cast::<i32>().add(chunk).read_unaligned());
            let weights = layer.weights.as_ptr().add(chunk * N * LANES);
            for (i, sum) in sums.iter_mut().enumerate() {
                let products = _mm512_madd_epi16(pair, wide_lanes(weights.add(i * LANES)));
                *sum = _mm512_add_epi32(*sum, products);
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            let shifted = _mm512_srai_epi32::<WEIGHT_SHIFT>(sum);
            let clamped = _mm512_min_epi32(
                _mm512_max_epi32(shifted, _mm512_setzero_si512()),
                _mm512_set1_epi32(ACTIVATION_MAX),
            );
            _mm256_storeu_si256(outputs.as_mut_ptr().add(16 * i).cast(), _mm512_cvtepi32_epi16(clamped));
        }
    }
}
