//! Big tables in memory of their own; with the component `huge-pages` the system is asked to back it by huge pages.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Pod;
use memmap2::MmapMut;

/// Size of a huge page on x86-64.
const HUGE_PAGE: usize = 2 << 20;

/// A fixed number of values, zero at first, from the start of a huge page on.
///
/// The place is the same with and without the component, so that only the size of the pages differs.
/// Huge pages save misses of the address translation, and inside one the processor's caches see the
/// addresses that the program sees, so that no process is slow by the luck of its pages.
pub struct HugeTable<T> {
    map: MmapMut,
    start: NonNull<T>,
    len: usize,
    values: PhantomData<T>,
}

// SAFETY: the table owns its memory, as a `Vec` does.
unsafe impl<T: Send> Send for HugeTable<T> {}
// SAFETY: shared access only reads, as for a `Vec`.
unsafe impl<T: Sync> Sync for HugeTable<T> {}

impl<T: Pod> HugeTable<T> {
    /// `len` zeros.
    ///
    /// # Errors
    /// The system has no memory of that size.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= HUGE_PAGE && size_of::<T>() > 0) };
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_large)?;
        // Whole pages, and one more to begin at the start of one.
        let whole = bytes.checked_next_multiple_of(HUGE_PAGE).ok_or_else(too_large)?.max(HUGE_PAGE);
        let mut map = MmapMut::map_anon(whole.checked_add(HUGE_PAGE).ok_or_else(too_large)?)?;
        let skipped = map.as_ptr().align_offset(HUGE_PAGE);
        #[cfg(all(feature = "huge-pages", target_os = "linux"))]
        // A wish: where the system has no huge pages the table works all the same.
        let _ = map.advise_range(memmap2::Advice::HugePage, skipped, whole);
        let start = NonNull::from(&mut map[skipped..skipped + bytes]).cast();
        Ok(Self { map, start, len, values: PhantomData })
    }

    /// The bytes that the table takes, its unused rest included.
    pub fn bytes(&self) -> usize {
        self.map.len()
    }
}

impl<T: Pod> Deref for HugeTable<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned to a huge page and so for T, `len` values lie within the mapping, which lives as
        // long as `self`, and any bits make a `Pod`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Pod> DerefMut for HugeTable<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_start_zeroed_on_a_huge_page_and_keep_what_is_written() {
        for len in [0, 1, 511, HUGE_PAGE / 8, HUGE_PAGE / 8 + 1, 3_000_000] {
            let mut table = HugeTable::<u64>::zeroed(len).unwrap();
            assert_eq!(table.len(), len);
            assert!(table.as_ptr().addr().is_multiple_of(HUGE_PAGE));
            assert!(table.iter().all(|&value| value == 0));
            assert!((len * 8..=len * 8 + 2 * HUGE_PAGE).contains(&table.bytes()));
            for (i, value) in table.iter_mut().enumerate() {
                *value = i as u64 * 3;
            }
            assert!(table.iter().enumerate().all(|(i, &value)| value == i as u64 * 3));
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for len in [usize::MAX, usize::MAX / 8, usize::MAX / 8 - HUGE_PAGE, 1 << 55] {
            assert!(HugeTable::<u64>::zeroed(len).is_err(), "{len}");
        }
    }
}
