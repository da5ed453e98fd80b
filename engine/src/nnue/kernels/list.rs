//! The numbers of the bits that are set.

use std::arch::x86_64::*;

use super::ROOM;

/// Panics unless all numbers may be written.
fn check(words: &[u32], numbers: &[u16]) {
    assert!(numbers.len() >= words.len() * 32 + ROOM);
}

/// For each mask of eight bits the numbers of those that are set, in order.
static SET_BITS: [[u8; 8]; 256] = {
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
};

/// Eight bits at a time, by a table; returns how many numbers there are.
///
/// # Safety
/// The processor must have SSE 4.1.
#[inline(always)]
pub(super) unsafe fn by_table(words: &[u32], numbers: &mut [u16]) -> usize {
    check(words, numbers);
    // SAFETY: by the caller; `count` is at most the number of bits so far, and there is room for eight more.
    unsafe {
        let mut first = _mm_setzero_si128();
        let mut count = 0;
        for &word in words {
            for mask in word.to_le_bytes() {
                let bits = _mm_cvtepu8_epi16(_mm_loadl_epi64(SET_BITS[usize::from(mask)].as_ptr().cast()));
                _mm_storeu_si128(numbers.as_mut_ptr().add(count).cast(), _mm_add_epi16(bits, first));
                count += mask.count_ones() as usize;
                first = _mm_add_epi16(first, _mm_set1_epi16(8));
            }
        }
        count
    }
}

/// The first 64 numbers.
static FIRST: [u8; 64] = {
    let mut first = [0; 64];
    let mut number = 0;
    while number < 64 {
        first[number] = number as u8;
        number += 1;
    }
    first
};

/// Two words at a time, by compression; returns how many numbers there are.
///
/// # Safety
/// The processor must have AVX-512 F, BW and VBMI2.
#[inline(always)]
pub(super) unsafe fn by_compression(words: &[u32], numbers: &mut [u16]) -> usize {
    check(words, numbers);
    debug_assert!(words.len().is_multiple_of(2));
    // SAFETY: by the caller; `count` is at most the number of bits so far, and there is room for 64 more.
    unsafe {
        let all = _mm512_loadu_si512(FIRST.as_ptr().cast());
        let mut first = _mm512_setzero_si512();
        let mut count = 0;
        for &[low, high] in words.as_chunks::<2>().0 {
            let mask = u64::from(low) | u64::from(high) << 32;
            let set = _mm512_maskz_compress_epi8(mask, all);
            let to = numbers.as_mut_ptr().add(count);
            let widened = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(set));
            _mm512_storeu_si512(to.cast(), _mm512_add_epi16(widened, first));
            let more = mask.count_ones() as usize;
            if more > 32 {
                let widened = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(set));
                _mm512_storeu_si512(to.add(32).cast(), _mm512_add_epi16(widened, first));
            }
            count += more;
            first = _mm512_add_epi16(first, _mm512_set1_epi16(64));
        }
        count
    }
}
