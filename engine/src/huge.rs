//! Big tables in memory of their own; with the component `huge-pages` the system is asked to back it by huge pages.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::memory::Memory;

/// Size of a huge page on x86-64.
const HUGE_PAGE: usize = 2 << 20;
/// Tables are shifted by whole cache lines, so that no value crosses one that did not before.
const LINE: usize = 64;

/// The number that the places of all later tables are drawn from.
static LAYOUT: AtomicU32 = AtomicU32::new(0);

/// Draws the places of all tables made from now on, each inside its first huge page; 0 puts them at its start.
/// Returns the number that held before.
///
/// Where tables lie decides which of their lines share cache sets. Whoever measures speed can so draw what a relink
/// of the executable cannot move.
pub fn set_layout(layout: u32) -> u32 {
    // No other memory hangs on it: tables are made after the option is set, by the same thread.
    LAYOUT.swap(layout, Ordering::Relaxed)
}

/// Bytes from the start of a huge page to the table of this name.
fn offset(layout: u32, name: &str) -> usize {
    if layout == 0 {
        return 0;
    }
    // FNV-1a, then the finalizer of SplitMix64: neighbouring numbers give unrelated places.
    let seed = name.bytes().chain(layout.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    LINE * ((mixed ^ mixed >> 31) as usize % (HUGE_PAGE / LINE))
}

/// Whether the system would give so much memory now.
///
/// A small allocation that fails ends a process, a large one can be refused with a message: whoever is about to make
/// many small ones asks first for all of them together.
pub fn has_room(bytes: usize) -> io::Result<()> {
    MmapMut::map_anon(bytes).map(drop)
}

/// The most that a table of so many bytes takes, its unused rest included.
pub fn table_bytes(bytes: usize) -> usize {
    // Its place is drawn in one page, and one more is needed to begin at the start of one.
    (bytes + HUGE_PAGE).next_multiple_of(HUGE_PAGE) + HUGE_PAGE
}

/// A fixed number of values, zero at first, from a drawn place in a huge page on.
///
/// The place is the same with and without the component, so that only the size of the pages differs.
/// Huge pages save misses of the address translation, and inside one the processor's caches see the
/// addresses that the program sees, so that no process is slow by the luck of its pages.
pub struct HugeTable<T> {
    /// Gives the memory back at the end.
    _map: MmapMut,
    start: NonNull<T>,
    len: usize,
    values: PhantomData<T>,
}

// SAFETY: the table owns its memory, as a `Vec` does.
unsafe impl<T: Send> Send for HugeTable<T> {}
// SAFETY: shared access only reads, as for a `Vec`.
unsafe impl<T: Sync> Sync for HugeTable<T> {}

impl<T: Pod> HugeTable<T> {
    /// `len` zeros, at the place that is drawn for `name`: see [`set_layout`].
    ///
    /// # Errors
    /// The system has no memory of that size.
    pub fn zeroed(name: &str, len: usize) -> io::Result<Self> {
        Self::zeroed_at(offset(LAYOUT.load(Ordering::Relaxed), name), len)
    }

    /// `len` zeros, `offset` bytes behind the start of a huge page; `offset` is a multiple of a cache line.
    fn zeroed_at(offset: usize, len: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= LINE && size_of::<T>() > 0) };
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_large)?;
        let shifted = bytes.checked_add(offset).ok_or_else(too_large)?;
        // Whole pages, and one more to begin at the start of one.
        let whole = shifted.checked_next_multiple_of(HUGE_PAGE).ok_or_else(too_large)?.max(HUGE_PAGE);
        let mut map = MmapMut::map_anon(whole.checked_add(HUGE_PAGE).ok_or_else(too_large)?)?;
        let skipped = map.as_ptr().align_offset(HUGE_PAGE);
        #[cfg(all(feature = "huge-pages", target_os = "linux"))]
        // A wish: where the system has no huge pages the table works all the same.
        let _ = map.advise_range(memmap2::Advice::HugePage, skipped, whole);
        let start = NonNull::from(&mut map[skipped + offset..][..bytes]).cast();
        Ok(Self { _map: map, start, len, values: PhantomData })
    }

    /// What the table holds.
    pub fn memory(&self) -> Memory {
        Memory { heap: 0, mapped: self.len * size_of::<T>() }
    }
}

impl<T: Pod> Deref for HugeTable<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned to a cache line and so for T, `len` values lie within the mapping, which lives as
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
            for offset in [0, LINE, 3 * LINE, HUGE_PAGE - LINE] {
                let mut table = HugeTable::<u64>::zeroed_at(offset, len).unwrap();
                assert_eq!(table.len(), len);
                assert_eq!(table.as_ptr().addr() % HUGE_PAGE, offset);
                assert!(table.iter().all(|&value| value == 0));
                assert!((len * 8..=offset + len * 8 + 2 * HUGE_PAGE).contains(&table._map.len()));
                assert!(table._map.len() <= table_bytes(len * 8));
                for (i, value) in table.iter_mut().enumerate() {
                    *value = i as u64 * 3;
                }
                assert!(table.iter().enumerate().all(|(i, &value)| value == i as u64 * 3));
            }
        }
    }

    #[test]
    fn places_are_lines_of_a_huge_page_spread_by_number_and_name() {
        assert_eq!((offset(0, "a"), offset(0, "b")), (0, 0));
        let places: Vec<usize> = (1..=4096).map(|layout| offset(layout, "a")).collect();
        assert!(places.iter().all(|place| place.is_multiple_of(LINE) && *place < HUGE_PAGE));
        // Sixteen equal parts of the page, 256 expected in each: 5 standard deviations are 78.
        for part in 0..16 {
            let inside = places.iter().filter(|&&place| place * 16 / HUGE_PAGE == part).count();
            assert!((178..=334).contains(&inside), "{inside} of 4096 in part {part}");
        }
        let together = (1..=4096).filter(|&layout| offset(layout, "a") == offset(layout, "b")).count();
        assert!(together < 5, "{together} equal places of two tables");
        assert_eq!(offset(7, "a"), offset(7, "a"));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        has_room(1 << 20).unwrap();
        assert_eq!(has_room(1 << 50).unwrap_err().kind(), io::ErrorKind::OutOfMemory);
        for len in [usize::MAX, usize::MAX / 8, usize::MAX / 8 - HUGE_PAGE, 1 << 55] {
            assert!(HugeTable::<u64>::zeroed_at(LINE, len).is_err(), "{len}");
        }
    }
}
