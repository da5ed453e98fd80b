//! The kernels in 256-bit registers (AVX2).

use std::arch::x86_64::*;

use super::lanes::Lanes;
use super::{Accumulated, Rows, Scratch, forward, list, update};
use crate::nnue::architecture::{ACTIVATION_MAX, WEIGHT_SHIFT};
use crate::nnue::head::Head;

/// # Safety
/// As for `update::fused`, on a processor with AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn update<const FUSED: bool>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
) {
    // SAFETY: by the caller. Twelve registers of sums leave four of the sixteen for rows.
    unsafe {
        if FUSED {
            update::fused::<Avx2, 12, 8, 4>(source, target, wide, narrow);
        } else {
            update::row_by_row::<Avx2>(source, target, wide, narrow);
        }
    }
}

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn forward<const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    head: &Head,
    scratch: &mut Scratch,
) -> i32 {
    // SAFETY: only called where the processor has the instructions.
    unsafe { forward::forward::<Avx2, SPARSE>(accumulated, head, scratch) }
}

/// Registers of 256 bits.
struct Avx2;

#[expect(unsafe_op_in_unsafe_fn, reason = "every function hands its caller's promise on")]
impl Lanes for Avx2 {
    type Register = __m256i;
    const COUNT: usize = 16;

    #[inline(always)]
    unsafe fn zero() -> __m256i {
        _mm256_setzero_si256()
    }

    #[inline(always)]
    unsafe fn load(values: *const i16) -> __m256i {
        _mm256_loadu_si256(values.cast())
    }

    #[inline(always)]
    unsafe fn load8(values: *const i8) -> __m256i {
        _mm256_cvtepi8_epi16(_mm_loadu_si128(values.cast()))
    }

    #[inline(always)]
    unsafe fn load16(values: *const i16) -> __m256i {
        _mm256_cvtepi16_epi32(_mm_loadu_si128(values.cast()))
    }

    #[inline(always)]
    unsafe fn load32(values: *const i32) -> __m256i {
        _mm256_loadu_si256(values.cast())
    }

    #[inline(always)]
    unsafe fn load32_interleaved(values: *const i32) -> [__m256i; 2] {
        let (low, high) = (Self::load32(values), Self::load32(values.add(8)));
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, values: __m256i) {
        _mm256_storeu_si256(to.cast(), values);
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn sub(a: __m256i, b: __m256i) -> __m256i {
        _mm256_sub_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn add_stopping(a: __m256i, b: __m256i) -> __m256i {
        _mm256_adds_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn add32(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi32(a, b)
    }

    #[inline(always)]
    unsafe fn clamp(values: __m256i) -> __m256i {
        let max = _mm256_set1_epi16(ACTIVATION_MAX as i16);
        _mm256_min_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), max)
    }

    #[inline(always)]
    unsafe fn shift(sums: __m256i) -> __m256i {
        _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(sums)
    }

    #[inline(always)]
    unsafe fn pack(low: __m256i, high: __m256i) -> __m256i {
        // Packing works in 128-bit parts; the permutation restores the order.
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high))
    }

    #[inline(always)]
    unsafe fn pack_interleaved([low, high]: [__m256i; 2]) -> __m256i {
        _mm256_packs_epi32(low, high)
    }

    #[inline(always)]
    unsafe fn interleave(a: __m256i, b: __m256i) -> [__m256i; 2] {
        [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)]
    }

    #[inline(always)]
    unsafe fn pair(values: i32) -> __m256i {
        _mm256_set1_epi32(values)
    }

    #[inline(always)]
    unsafe fn dot(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
    }

    #[inline(always)]
    unsafe fn activations(low: __m256i, high: __m256i) -> __m256i {
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high))
    }

    #[inline(always)]
    unsafe fn store8(to: *mut u8, values: __m256i) {
        _mm256_storeu_si256(to.cast(), values);
    }

    #[inline(always)]
    unsafe fn nonzero8(values: __m256i) -> u64 {
        let zero = _mm256_cmpeq_epi8(values, _mm256_setzero_si256());
        u64::from(!_mm256_movemask_epi8(zero) as u32)
    }

    #[inline(always)]
    unsafe fn nonzero_pairs(activations: __m256i) -> u32 {
        // Two activations are zero or positive as a 32-bit number.
        let positive = _mm256_cmpgt_epi32(activations, _mm256_setzero_si256());
        _mm256_movemask_ps(_mm256_castsi256_ps(positive)) as u32
    }

    #[inline(always)]
    unsafe fn list(words: &[u32], numbers: &mut [u16]) -> usize {
        list::by_table(words, numbers)
    }
}
