//! The kernels in 512-bit registers (AVX-512 F, BW and VL; where the processor has them, VNNI and VBMI2).

use std::arch::x86_64::*;

use super::lanes::Lanes;
use super::{Accumulated, Rows, Scratch, forward, list, update};
use crate::nnue::architecture::{ACTIVATION_MAX, WEIGHT_SHIFT};
use crate::nnue::head::Head;

/// # Safety
/// As for `update::fused`, on a processor with the instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) unsafe fn update<const FUSED: bool>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
) {
    // SAFETY: by the caller.
    unsafe {
        if FUSED {
            update::fused::<Avx512<false>, 8, 4, 2>(source, target, wide, narrow);
        } else {
            update::row_by_row::<Avx512<false>>(source, target, wide, narrow);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
pub(super) fn forward<const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    head: &Head,
    scratch: &mut Scratch,
) -> i32 {
    // SAFETY: only called where the processor has the instructions.
    unsafe { forward::forward::<Avx512<false>, SPARSE>(accumulated, head, scratch) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,avx512vbmi2,popcnt")]
pub(super) fn forward_vnni<const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    head: &Head,
    scratch: &mut Scratch,
) -> i32 {
    // SAFETY: only called where the processor has the instructions.
    unsafe { forward::forward::<Avx512<true>, SPARSE>(accumulated, head, scratch) }
}

/// Registers of 512 bits, with VNNI and VBMI2 or without.
struct Avx512<const VNNI: bool>;

#[expect(unsafe_op_in_unsafe_fn, reason = "every function hands its caller's promise on")]
impl<const VNNI: bool> Lanes for Avx512<VNNI> {
    type Register = __m512i;
    const COUNT: usize = 32;

    #[inline(always)]
    unsafe fn zero() -> __m512i {
        _mm512_setzero_si512()
    }

    #[inline(always)]
    unsafe fn load(values: *const i16) -> __m512i {
        _mm512_loadu_si512(values.cast())
    }

    #[inline(always)]
    unsafe fn load8(values: *const i8) -> __m512i {
        _mm512_cvtepi8_epi16(_mm256_loadu_si256(values.cast()))
    }

    #[inline(always)]
    unsafe fn load16(values: *const i16) -> __m512i {
        _mm512_cvtepi16_epi32(_mm256_loadu_si256(values.cast()))
    }

    #[inline(always)]
    unsafe fn load32(values: *const i32) -> __m512i {
        _mm512_loadu_si512(values.cast())
    }

    #[inline(always)]
    unsafe fn load32_interleaved(values: *const i32) -> [__m512i; 2] {
        let (low, high) = (Self::load32(values), Self::load32(values.add(16)));
        [_mm512_shuffle_i32x4::<0b10_00_10_00>(low, high), _mm512_shuffle_i32x4::<0b11_01_11_01>(low, high)]
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, values: __m512i) {
        _mm512_storeu_si512(to.cast(), values);
    }

    #[inline(always)]
    unsafe fn add(a: __m512i, b: __m512i) -> __m512i {
        _mm512_add_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn sub(a: __m512i, b: __m512i) -> __m512i {
        _mm512_sub_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn add_stopping(a: __m512i, b: __m512i) -> __m512i {
        _mm512_adds_epi16(a, b)
    }

    #[inline(always)]
    unsafe fn add32(a: __m512i, b: __m512i) -> __m512i {
        _mm512_add_epi32(a, b)
    }

    #[inline(always)]
    unsafe fn clamp(values: __m512i) -> __m512i {
        let max = _mm512_set1_epi16(ACTIVATION_MAX as i16);
        _mm512_min_epi16(_mm512_max_epi16(values, _mm512_setzero_si512()), max)
    }

    #[inline(always)]
    unsafe fn shift(sums: __m512i) -> __m512i {
        _mm512_srai_epi32::<WEIGHT_SHIFT>(sums)
    }

    #[inline(always)]
    unsafe fn pack(low: __m512i, high: __m512i) -> __m512i {
        // Packing works in 128-bit parts; the permutation restores the order.
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        _mm512_permutexvar_epi64(order, _mm512_packs_epi32(low, high))
    }

    #[inline(always)]
    unsafe fn pack_interleaved([low, high]: [__m512i; 2]) -> __m512i {
        _mm512_packs_epi32(low, high)
    }

    #[inline(always)]
    unsafe fn interleave(a: __m512i, b: __m512i) -> [__m512i; 2] {
        [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)]
    }

    #[inline(always)]
    unsafe fn pair(values: i32) -> __m512i {
        _mm512_set1_epi32(values)
    }

    #[inline(always)]
    unsafe fn dot(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        if VNNI { _mm512_dpwssd_epi32(sum, a, b) } else { _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)) }
    }

    #[inline(always)]
    unsafe fn activations(low: __m512i, high: __m512i) -> __m512i {
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
    }

    #[inline(always)]
    unsafe fn store8(to: *mut u8, values: __m512i) {
        _mm512_storeu_si512(to.cast(), values);
    }

    #[inline(always)]
    unsafe fn nonzero8(values: __m512i) -> u64 {
        _mm512_test_epi8_mask(values, values)
    }

    #[inline(always)]
    unsafe fn nonzero_pairs(activations: __m512i) -> u32 {
        u32::from(_mm512_test_epi32_mask(activations, activations))
    }

    #[inline(always)]
    unsafe fn list(words: &[u32], numbers: &mut [u16]) -> usize {
        if VNNI { list::by_compression(words, numbers) } else { list::by_table(words, numbers) }
    }
}
