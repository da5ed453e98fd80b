//! Rows added to an accumulator and removed from it, for every register width.

use super::Rows;
use super::lanes::Lanes;

/// A number in a table's rows.
trait Value: Copy {
    /// A register of them in 16 bits.
    ///
    /// # Safety
    /// As for [`Lanes`].
    unsafe fn lanes<L: Lanes>(values: *const Self) -> L::Register;
}

impl Value for i16 {
    #[inline(always)]
    unsafe fn lanes<L: Lanes>(values: *const Self) -> L::Register {
        // SAFETY: by the caller.
        unsafe { L::load(values) }
    }
}

impl Value for i8 {
    #[inline(always)]
    unsafe fn lanes<L: Lanes>(values: *const Self) -> L::Register {
        // SAFETY: by the caller.
        unsafe { L::load8(values) }
    }
}

/// All rows of a tile of columns at a time, so that the sums stay in registers: tiles of as many registers as
/// there are at first, then smaller ones for the rest.
///
/// # Safety
/// The processor must have the instructions; both slices must have the same length, a multiple of `SMALL`
/// registers, and the tables all rows.
#[inline(always)]
pub(super) unsafe fn fused<L: Lanes, const LARGE: usize, const MIDDLE: usize, const SMALL: usize>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
) {
    // SAFETY: by the caller.
    unsafe {
        let column = tiles::<L, LARGE>(source, target, wide, narrow, 0);
        let column = tiles::<L, MIDDLE>(source, target, wide, narrow, column);
        let column = tiles::<L, SMALL>(source, target, wide, narrow, column);
        debug_assert_eq!(column, source.len());
    }
}

/// As many tiles of `N` registers as fit behind `column`; returns the column behind them.
///
/// # Safety
/// As for [`fused`].
#[inline(always)]
unsafe fn tiles<L: Lanes, const N: usize>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
    mut column: usize,
) -> usize {
    let width = source.len();
    while column + N * L::COUNT <= width {
        // SAFETY: by the caller, and N registers from `column` on lie within the slices and every row.
        unsafe {
            let mut sums = [L::zero(); N];
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = L::load(source.as_ptr().add(column + i * L::COUNT));
            }
            take::<L, _, N>(&mut sums, wide, width, column);
            take::<L, _, N>(&mut sums, narrow, width, column);
            for (i, &sum) in sums.iter().enumerate() {
                L::store(target.as_mut_ptr().add(column + i * L::COUNT), sum);
            }
        }
        column += N * L::COUNT;
    }
    column
}

/// Takes the rows' columns from `column` on.
///
/// # Safety
/// As for [`fused`]; every row must have N registers from `column` on.
#[inline(always)]
unsafe fn take<L: Lanes, T: Value, const N: usize>(
    sums: &mut [L::Register; N],
    rows: Rows<'_, T>,
    width: usize,
    column: usize,
) {
    // SAFETY: by the caller.
    unsafe {
        let table = rows.table.as_ptr();
        for &row in rows.added {
            let row = table.add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = L::add(*sum, T::lanes::<L>(row.add(i * L::COUNT)));
            }
        }
        for &row in rows.removed {
            let row = table.add(row as usize * width + column);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = L::sub(*sum, T::lanes::<L>(row.add(i * L::COUNT)));
            }
        }
    }
}

/// One row after the other over the whole accumulator; the first pass reads the source.
///
/// # Safety
/// As for [`fused`].
#[inline(always)]
pub(super) unsafe fn row_by_row<L: Lanes>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
) {
    // SAFETY: by the caller. A pass reads each register before it writes it.
    unsafe {
        let (width, sums) = (source.len(), target.as_mut_ptr());
        let from = passes::<L, _>(source.as_ptr(), sums, width, wide);
        let from = passes::<L, _>(from, sums, width, narrow);
        if from != sums.cast_const() {
            std::ptr::copy_nonoverlapping(from, sums, width);
        }
    }
}

/// A pass for every row; returns where the sums are.
///
/// # Safety
/// As for [`pass`].
#[inline(always)]
unsafe fn passes<L: Lanes, T: Value>(
    mut from: *const i16,
    to: *mut i16,
    width: usize,
    rows: Rows<'_, T>,
) -> *const i16 {
    // SAFETY: by the caller.
    unsafe {
        let table = rows.table.as_ptr();
        for &row in rows.added {
            pass::<L, T, true>(from, to, width, table.add(row as usize * width));
            from = to;
        }
        for &row in rows.removed {
            pass::<L, T, false>(from, to, width, table.add(row as usize * width));
            from = to;
        }
    }
    from
}

/// Adds a row or removes it.
///
/// # Safety
/// The processor must have the instructions; `width` values, a multiple of a register, must be readable at
/// `from` and `row` and writable at `to`, which may be `from`.
#[inline(always)]
unsafe fn pass<L: Lanes, T: Value, const ADD: bool>(
    from: *const i16,
    to: *mut i16,
    width: usize,
    row: *const T,
) {
    for column in (0..width).step_by(L::COUNT) {
        // SAFETY: by the caller.
        unsafe {
            let (sum, values) = (L::load(from.add(column)), T::lanes::<L>(row.add(column)));
            L::store(to.add(column), if ADD { L::add(sum, values) } else { L::sub(sum, values) });
        }
    }
}
