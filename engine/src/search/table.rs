//! The transposition table: three ten-byte entries in every 32-byte block.

use std::fs;

use bytemuck::{Pod, Zeroable};
use thiserror::Error;

use super::entry::{Bound, Entry, GENERATIONS, Known};
use super::params::{TABLE_AGE_WEIGHT, TABLE_KEEP_DEPTH};
use crate::huge::HugeTable;
use crate::position::Move;
use crate::prefetch::prefetch;

const ENTRIES: usize = 3;

/// Two blocks share a cache line; no block crosses one.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
struct Block {
    entries: [Entry; ENTRIES],
    unused: [u8; 2],
}

const _: () = assert!(size_of::<Block>() == 32 && align_of::<Block>() == 32);

/// Smallest `Hash`, in megabytes.
pub const LEAST_MB: usize = 1;
/// Largest `Hash`, in megabytes.
pub const MOST_MB: usize = 1 << 20;

/// A table that could not be had; the old one is kept.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// More than the machine has free.
    #[error("Hash: {wanted} MB asked for, {free} MB of memory available; keeping {kept} MB")]
    TooLarge {
        /// Megabytes asked for.
        wanted: usize,
        /// Megabytes that the system could give.
        free: usize,
        /// Megabytes of the table that stays.
        kept: usize,
    },
    /// The allocator said no.
    #[error("Hash: the system refused {wanted} MB; keeping {kept} MB")]
    Refused {
        /// Megabytes asked for.
        wanted: usize,
        /// Megabytes of the table that stays.
        kept: usize,
    },
}

/// Cleared blocks of `megabytes`; `kept` is the size of the table that stays if there is no memory.
fn allocate(megabytes: usize, kept: usize) -> Result<HugeTable<Block>, TableError> {
    let free = available_megabytes().unwrap_or(MOST_MB);
    if megabytes > free {
        return Err(TableError::TooLarge { wanted: megabytes, free, kept });
    }
    let refused = |_| TableError::Refused { wanted: megabytes, kept };
    let mut blocks =
        HugeTable::zeroed("transposition table", (megabytes << 20) / size_of::<Block>()).map_err(refused)?;
    // Touches every page, so that no search pays for it later.
    blocks.fill(Block::zeroed());
    Ok(blocks)
}

/// What the search remembers about positions.
pub struct Table {
    blocks: HugeTable<Block>,
    generation: u8,
}

impl Table {
    /// A cleared table of `megabytes`.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Ok(Self { blocks: allocate(megabytes, 0)?, generation: 0 })
    }

    /// Size in megabytes.
    pub fn megabytes(&self) -> usize {
        (self.blocks.len() * size_of::<Block>()) >> 20
    }

    /// Clears it and gives it another size. All memory is touched before this returns, so that no later search pays.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        let blocks = allocate(megabytes, self.megabytes())?;
        *self = Self { blocks, generation: 0 };
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.blocks.fill(Block::zeroed());
        self.generation = 0;
    }

    /// A new search begins: what was stored before is older by one.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Asks for the block of `hash` ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&raw const self.blocks[self.index(hash)]);
    }

    /// What is known about the position.
    pub fn probe(&self, hash: u64) -> Option<Known> {
        let block = &self.blocks[self.index(hash)];
        block.entries.iter().find(|entry| entry.matches(hash as u16)).and_then(|entry| entry.unpack())
    }

    /// Remembers a result. An entry of the same position gives way unless the new result is much shallower;
    /// otherwise an empty entry is taken, or the one with the least depth − 4 · age.
    pub fn store(&mut self, hash: u64, mut known: Known) {
        let (key, generation) = (hash as u16, self.generation);
        let index = self.index(hash);
        let entries = &mut self.blocks[index].entries;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.matches(key)) {
            if known.best == Move::NULL {
                known.best = entry.best();
            }
            let current = entry.age(generation) == 0;
            if known.bound == Bound::Exact || !current || known.depth + TABLE_KEEP_DEPTH > entry.depth() {
                *entry = Entry::pack(key, known, generation);
            }
            return;
        }
        let worth = |entry: &Entry| match entry.is_empty() {
            true => i32::MIN,
            false => entry.depth() - TABLE_AGE_WEIGHT * entry.age(generation),
        };
        let victim = entries.iter_mut().min_by_key(|entry| worth(entry));
        *victim.expect("a block has entries") = Entry::pack(key, known, generation);
    }

    /// Entries of this search among the first thousand blocks' entries, in thousandths.
    pub fn hashfull(&self) -> usize {
        let sample = &self.blocks[..self.blocks.len().min(1000)];
        let ours = |entry: &&Entry| !entry.is_empty() && entry.age(self.generation) == 0;
        let used = sample.iter().flat_map(|block| &block.entries).filter(ours).count();
        used * 1000 / (sample.len() * ENTRIES)
    }

    /// The upper bits choose the block, the lower 16 the entry in it: any size works, not only powers of two.
    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.blocks.len() as u128) >> 64) as usize
    }
}

/// What the system could give without swapping, where it says so.
fn available_megabytes() -> Option<usize> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(depth: i32) -> Known {
        Known { best: Move::NULL, score: 7, value: 9, depth, bound: Bound::Lower, on_pv: false }
    }

    /// A hash of the table's first block that ends in `key`.
    fn hash(key: u16) -> u64 {
        key.into()
    }

    #[test]
    fn stored_results_come_back() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.probe(hash(5)), None);
        table.store(hash(5), known(3));
        assert_eq!(table.probe(hash(5)), Some(known(3)));
        assert_eq!(table.probe(hash(6)), None);
        table.clear();
        assert_eq!(table.probe(hash(5)), None);
    }

    #[test]
    fn the_shallowest_entry_goes_first() {
        let mut table = Table::new(1).unwrap();
        for (key, depth) in [(1, 9), (2, 4), (3, 6), (4, 5)] {
            table.store(hash(key), known(depth));
        }
        assert_eq!(table.probe(hash(2)), None);
        assert!([1, 3, 4].iter().all(|&key| table.probe(hash(key)).is_some()));
    }

    #[test]
    fn one_generation_weighs_four_plies() {
        let mut table = Table::new(1).unwrap();
        table.store(hash(1), known(9));
        table.next_generation();
        table.store(hash(2), known(6));
        table.store(hash(3), known(6));
        table.store(hash(4), known(1));
        assert_eq!(table.probe(hash(1)), None, "depth 9 of the last search is worth 5");
        assert!([2, 3, 4].iter().all(|&key| table.probe(hash(key)).is_some()));
    }

    #[test]
    fn the_same_position_keeps_its_move_and_its_depth() {
        let mut table = Table::new(1).unwrap();
        let best = Move::from_bits(0x123);
        table.store(hash(1), Known { best, ..known(10) });
        table.store(hash(1), known(5));
        assert_eq!(table.probe(hash(1)), Some(Known { best, ..known(10) }), "much shallower");
        table.store(hash(1), known(7));
        assert_eq!(table.probe(hash(1)), Some(Known { best, ..known(7) }), "a little shallower");
        table.next_generation();
        table.store(hash(1), known(1));
        assert_eq!(table.probe(hash(1)), Some(Known { best, ..known(1) }), "from an older search");
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.hashfull(), 0);
        let blocks = table.blocks.len() as u64;
        for block in 0..1000 {
            let start = u64::MAX / blocks * block + blocks * 2 + block;
            table.store(start, known(1));
        }
        assert_eq!(table.hashfull(), 333);
        table.next_generation();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn a_table_that_cannot_be_had_leaves_the_old_one() {
        let mut table = Table::new(2).unwrap();
        table.store(hash(5), known(3));
        let error = table.resize(usize::MAX >> 21).unwrap_err().to_string();
        assert!(error.contains("asked for") && error.ends_with("keeping 2 MB"), "{error}");
        assert_eq!((table.megabytes(), table.probe(hash(5))), (2, Some(known(3))));
        table.resize(3).unwrap();
        assert_eq!((table.megabytes(), table.probe(hash(5))), (3, None));
    }
}
