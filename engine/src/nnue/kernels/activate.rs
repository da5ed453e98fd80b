//! Activations from accumulators, for every register width.

use super::lanes::Lanes;
use super::{Accumulated, Scratch};
use crate::nnue::architecture::WIDTH_STEP;

/// The width in which the base is kept.
trait BaseValue: Copy {
    /// A register of neurons' sums in 16 bits, exact up to the clamp.
    ///
    /// # Safety
    /// As for [`Lanes`].
    unsafe fn sums<L: Lanes, const THREATS: bool>(
        base: *const Self,
        pieces: *const i16,
        threats: *const i16,
    ) -> L::Register;
}

impl BaseValue for i16 {
    #[inline(always)]
    unsafe fn sums<L: Lanes, const THREATS: bool>(
        base: *const Self,
        pieces: *const i16,
        threats: *const i16,
    ) -> L::Register {
        // SAFETY: by the caller.
        unsafe {
            let mut sums = L::load(pieces);
            if THREATS {
                sums = L::add_stopping(sums, L::load(threats));
            }
            L::add_stopping(sums, L::load(base))
        }
    }
}

impl BaseValue for i32 {
    #[inline(always)]
    unsafe fn sums<L: Lanes, const THREATS: bool>(
        base: *const Self,
        pieces: *const i16,
        threats: *const i16,
    ) -> L::Register {
        // SAFETY: by the caller: the second half of a register lies half its values further.
        unsafe {
            let low = wide_sums::<L, THREATS>(base, pieces, threats);
            let half = L::COUNT / 2;
            let high = wide_sums::<L, THREATS>(base.add(half), pieces.add(half), threats.add(half));
            L::pack(low, high)
        }
    }
}

/// Half a register of neurons' sums, in 32 bits.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
unsafe fn wide_sums<L: Lanes, const THREATS: bool>(
    base: *const i32,
    pieces: *const i16,
    threats: *const i16,
) -> L::Register {
    // SAFETY: by the caller.
    unsafe {
        let sums = L::add32(L::load32(base), L::load16(pieces));
        if THREATS { L::add32(sums, L::load16(threats)) } else { sums }
    }
}

/// Writes the activations and, if layer 2 is `SPARSE`, which inputs are not zero, or which pairs.
///
/// # Safety
/// The processor must have the instructions, and `Scratch::check` must have passed.
#[inline(always)]
pub(super) unsafe fn activate<L: Lanes, const SPARSE: bool, const PAIRS: bool>(
    accumulated: &Accumulated<'_>,
    scratch: &mut Scratch,
) {
    let Accumulated { pieces, threats, base } = *accumulated;
    // SAFETY: by the caller.
    unsafe {
        match (threats, base.narrow()) {
            (Some(threats), Some(base)) => {
                views::<L, _, true, SPARSE, PAIRS>(pieces, threats, base, scratch);
            }
            (Some(threats), None) => {
                views::<L, _, true, SPARSE, PAIRS>(pieces, threats, base.wide(), scratch);
            }
            (None, Some(base)) => views::<L, _, false, SPARSE, PAIRS>(pieces, pieces, base, scratch),
            (None, None) => views::<L, _, false, SPARSE, PAIRS>(pieces, pieces, base.wide(), scratch),
        }
    }
}

/// # Safety
/// As for [`activate`].
#[inline(always)]
unsafe fn views<L: Lanes, B: BaseValue, const THREATS: bool, const SPARSE: bool, const PAIRS: bool>(
    pieces: [&[i16]; 2],
    threats: [&[i16]; 2],
    base: &[B],
    scratch: &mut Scratch,
) {
    let width = base.len();
    // SAFETY: by the caller: all slices have `width` values, a multiple of a block, the inputs twice that, and there is
    // a bit for each or for each pair.
    unsafe {
        for view in 0..2 {
            let (pieces, threats) = (pieces[view].as_ptr(), threats[view].as_ptr());
            for column in (0..width).step_by(WIDTH_STEP) {
                let input = view * width + column;
                let (base, pieces, threats) =
                    (base.as_ptr().add(column), pieces.add(column), threats.add(column));
                if PAIRS {
                    let mut word = 0;
                    for i in (0..WIDTH_STEP).step_by(L::COUNT) {
                        let sums = B::sums::<L, THREATS>(base.add(i), pieces.add(i), threats.add(i));
                        let values = L::clamp(sums);
                        L::store(scratch.wide.as_mut_ptr().add(input + i), values);
                        word |= L::nonzero_pairs(values) << (i / 2);
                    }
                    if SPARSE {
                        *scratch.nonzero.as_mut_ptr().add(input / 64) = word;
                    }
                } else {
                    let mut word = 0;
                    for i in (0..WIDTH_STEP).step_by(2 * L::COUNT) {
                        let low = B::sums::<L, THREATS>(base.add(i), pieces.add(i), threats.add(i));
                        let k = i + L::COUNT;
                        let high = B::sums::<L, THREATS>(base.add(k), pieces.add(k), threats.add(k));
                        let values = L::activations(low, high);
                        L::store8(scratch.narrow.as_mut_ptr().add(input + i), values);
                        word |= L::nonzero8(values) << i;
                    }
                    if SPARSE {
                        scratch.nonzero.as_mut_ptr().add(input / 32).cast::<u64>().write_unaligned(word);
                    }
                }
            }
        }
    }
}
