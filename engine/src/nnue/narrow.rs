//! Threat rows in memory: copied when the net is loaded, so that no search reads the file.
//!
//! The component `threats-i8`: rows are kept in 8 bits, so that a row is half the cache lines. A row with a
//! value outside −128…127 goes to a 16-bit table of such rows. Nothing is rounded. Without the component
//! every row is in the 16-bit table. Both tables lie in memory of the same kind, so that only the rows'
//! width differs.
//!
//! The component `skip-zero-rows`: rows that are zero throughout are left out of every sum. Without it they
//! are added like others.

use std::io;

use super::beside::beside;
use super::order::Order;
use super::progress::Progress;
use crate::huge::HugeTable;
use crate::memory::Memory;

/// The component `threats-i8`.
const NARROW: bool = cfg!(feature = "threats-i8");
/// The component `skip-zero-rows`.
const SKIP: bool = cfg!(feature = "skip-zero-rows");

/// Rows between two looks at how far the work has come: about a megabyte.
const STEP: usize = 512;

/// Where a row is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This row of the 8-bit table.
    Narrow(u32),
    /// This row of the 16-bit table.
    Wide(u32),
    /// It is zero and need not be read.
    Nowhere,
}

/// What a row needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zero,
    Narrow,
    Wide,
}

impl Kind {
    fn of(row: &[i16]) -> Self {
        // What a value loses in 8 bits; a loop without branches is vectorised.
        let (any, lost) = row
            .iter()
            .fold((0, 0), |(any, lost), &value| (any | value, lost | (i16::from(value as i8) ^ value)));
        match (any, lost) {
            (0, _) => Self::Zero,
            (_, 0) => Self::Narrow,
            _ => Self::Wide,
        }
    }
}

/// The kinds of 64 rows: 24 bytes, so that those of all rows stay in the nearest caches.
struct Group {
    wide: u64,
    zero: u64,
    /// Wide rows of the groups before.
    wide_before: u32,
}

/// The copies, made when the net is loaded.
pub struct ThreatTables {
    /// All rows; those that don't fit are zero here.
    narrow: HugeTable<i8>,
    /// With the component the rows that don't fit, without it all.
    wide: HugeTable<i16>,
    groups: Vec<Group>,
}

impl ThreatTables {
    /// The bytes that tables of so many values have at least.
    pub fn least_bytes(values: usize) -> usize {
        if NARROW { values } else { 2 * values }
    }

    /// Copies the file's rows, each neuron to its place, half of them on a second thread.
    pub fn build(order: &Order, width: usize, rows: &[i16], progress: &Progress<'_>) -> io::Result<Self> {
        Self::build_by::<NARROW>(order, width, rows, progress)
    }

    fn build_by<const NARROW: bool>(
        order: &Order,
        width: usize,
        rows: &[i16],
        progress: &Progress<'_>,
    ) -> io::Result<Self> {
        let mut kinds = vec![Kind::Zero; rows.len() / width];
        if !NARROW {
            let mut wide = HugeTable::zeroed("threat rows", rows.len())?;
            let rows = Rows { width, rows, progress };
            rows.in_halves(&mut kinds, &mut wide, |row, kind, copy| {
                *kind = Kind::of(row);
                order.copy(row, copy, |value| value);
            });
            let narrow = HugeTable::zeroed("no threat rows", 0)?;
            return Ok(Self { narrow, wide, groups: groups(&kinds) });
        }
        let mut narrow = HugeTable::zeroed("threat rows", rows.len())?;
        Rows { width, rows, progress }.in_halves(&mut kinds, &mut narrow, |row, kind, copy| {
            *kind = Kind::of(row);
            if *kind == Kind::Narrow {
                order.copy(row, copy, |value| value as i8);
            }
        });
        let large = kinds.iter().filter(|&&kind| kind == Kind::Wide).count();
        let mut wide = HugeTable::zeroed("wide threat rows", large * width)?;
        let large = rows.chunks_exact(width).zip(&kinds).filter(|(_, kind)| **kind == Kind::Wide);
        for ((row, _), copy) in large.zip(wide.chunks_exact_mut(width)) {
            order.copy(row, copy, |value| value);
        }
        Ok(Self { narrow, wide, groups: groups(&kinds) })
    }

    /// What they hold.
    pub fn memory(&self) -> Memory {
        self.narrow.memory() + self.wide.memory() + Memory::of_list(&self.groups)
    }

    /// The 8-bit table.
    #[inline]
    pub fn narrow(&self) -> &[i8] {
        &self.narrow
    }

    /// The 16-bit table.
    #[inline]
    pub fn wide(&self) -> &[i16] {
        &self.wide
    }

    /// Where the row is.
    #[inline]
    pub fn place(&self, row: u32) -> Place {
        self.place_by::<NARROW, SKIP>(row)
    }

    #[inline]
    fn place_by<const NARROW: bool, const SKIP: bool>(&self, row: u32) -> Place {
        if !NARROW && !SKIP {
            return Place::Wide(row);
        }
        let (group, bit) = (&self.groups[row as usize / 64], 1 << (row % 64));
        if SKIP && group.zero & bit != 0 {
            Place::Nowhere
        } else if !NARROW {
            Place::Wide(row)
        } else if group.wide & bit == 0 {
            Place::Narrow(row)
        } else {
            Place::Wide(group.wide_before + (group.wide & (bit - 1)).count_ones())
        }
    }
}

/// The rows of the file, and who is told how many of them are done.
struct Rows<'a> {
    width: usize,
    rows: &'a [i16],
    progress: &'a Progress<'a>,
}

impl Rows<'_> {
    /// Does the work for every row, for the first half of them on a second thread.
    fn in_halves<T: Send>(
        &self,
        kinds: &mut [Kind],
        copies: &mut [T],
        work: impl Fn(&[i16], &mut Kind, &mut [T]) + Sync,
    ) {
        let middle = kinds.len() / 2;
        let (first, second) = self.rows.split_at(middle * self.width);
        let (first_kinds, second_kinds) = kinds.split_at_mut(middle);
        let (first_copies, second_copies) = copies.split_at_mut(middle * self.width);
        let half = |rows: &[i16], kinds: &mut [Kind], copies: &mut [T]| {
            let mut copies = copies.chunks_exact_mut(self.width);
            for (rows, kinds) in rows.chunks(STEP * self.width).zip(kinds.chunks_mut(STEP)) {
                for ((row, kind), copy) in rows.chunks_exact(self.width).zip(kinds).zip(&mut copies) {
                    work(row, kind, copy);
                }
                self.progress.advance(size_of_val(rows));
            }
        };
        beside(|| half(first, first_kinds, first_copies), || half(second, second_kinds, second_copies));
    }
}

fn groups(kinds: &[Kind]) -> Vec<Group> {
    let mut wide_before = 0;
    let groups = kinds.chunks(64).map(|kinds| {
        let bits =
            |wanted: Kind| kinds.iter().rev().fold(0, |bits, &kind| bits << 1 | u64::from(kind == wanted));
        let group = Group { wide: bits(Kind::Wide), zero: bits(Kind::Zero), wide_before };
        wide_before += group.wide.count_ones();
        group
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::noise::Noise;
    use crate::nnue::progress::Silence;

    const WIDTH: usize = 64;

    /// Rows of every kind in random order, the edges of 8 bits among them.
    fn random_rows(count: usize) -> Vec<i16> {
        let mut noise = Noise::new(1);
        let mut rows = vec![0; count * WIDTH];
        for row in rows.chunks_exact_mut(WIDTH) {
            let kind = noise.below(4);
            if kind > 0 {
                noise.fill(row, 30);
                row[noise.below(WIDTH as u32) as usize] = [-128, 127, 5][kind as usize - 1];
            }
            if kind == 3 {
                row[noise.below(WIDTH as u32) as usize] = [-129, 128, 300, i16::MIN][noise.below(4) as usize];
            }
        }
        rows
    }

    /// The row as it is read, widened.
    fn read(tables: &ThreatTables, place: Place) -> Vec<i16> {
        match place {
            Place::Narrow(row) => {
                tables.narrow()[row as usize * WIDTH..][..WIDTH].iter().map(|&value| value.into()).collect()
            }
            Place::Wide(row) => tables.wide()[row as usize * WIDTH..][..WIDTH].to_vec(),
            Place::Nowhere => vec![0; WIDTH],
        }
    }

    fn check<const NARROW: bool, const SKIP: bool>(count: usize) {
        let rows = random_rows(count);
        let (order, progress) = (Order::reversed(WIDTH), Progress::new(0, &Silence));
        let tables = ThreatTables::build_by::<NARROW>(&order, WIDTH, &rows, &progress).unwrap();
        let mut places = [0; 3];
        for (number, row) in rows.chunks_exact(WIDTH).enumerate() {
            let place = tables.place_by::<NARROW, SKIP>(number as u32);
            assert_eq!(read(&tables, place), order.arranged(WIDTH, row), "row {number}: {place:?}");
            let fits = row.iter().all(|value| (-128..=127).contains(value));
            let zero = row.iter().all(|&value| value == 0);
            match place {
                Place::Nowhere => assert!(SKIP && zero),
                Place::Narrow(_) => assert!(NARROW && fits && !(SKIP && zero)),
                Place::Wide(_) => assert!(!(NARROW && fits || SKIP && zero)),
            }
            places[match place {
                Place::Narrow(_) => 0,
                Place::Wide(_) => 1,
                Place::Nowhere => 2,
            }] += 1;
        }
        if NARROW {
            assert_eq!(tables.wide().len(), places[1] * WIDTH, "nothing but rows that don't fit");
        }
    }

    #[test]
    fn every_row_is_read_as_it_is_in_the_file() {
        for count in [0, 1, 63, 64, 65, 4 * STEP + 3] {
            check::<false, false>(count);
            check::<false, true>(count);
            check::<true, false>(count);
            check::<true, true>(count);
        }
    }
}
