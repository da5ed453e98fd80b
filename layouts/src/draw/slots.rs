//! Slots of one section: order, padding, phase, and how an arm fills them.

use super::chance::Chance;
use super::{PAGE, joined};
use crate::capture::Capture;
use crate::parts::{Part, Parts};
use crate::unit::{Key, Kind, LINE};

/// The place of one unit in all arms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The unit.
    pub key: Key,
    /// First byte, from the start of the section.
    pub offset: u64,
    /// Bytes: the largest unit of any arm.
    pub size: u64,
    /// Alignment of the strictest unit of any arm.
    pub align: u64,
}

/// What a unit needs, and what it stays with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The pool that it is an entry of.
    pub pool: Option<String>,
}

/// What an arm puts into its slots, from the start of the section without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<U> {
    /// A unit of its own.
    Unit(U),
    /// Padding of so many bytes.
    Pad(u64),
}

/// Draws the slots of all units of a kind.
pub fn draw(chance: Chance, parts: &Parts, kind: Kind, captures: &[&Capture]) -> Vec<Slot> {
    arrange(chance, parts, kind, joined::units(kind, captures))
}

/// Orders units by chance and puts drawn room before each; `units` come in their natural order.
///
/// The entries of a pool stay together, in an order of their own and without room between them: spread over the
/// section, each would take a cache line of its own, which no compiler would do.
pub fn arrange(chance: Chance, parts: &Parts, kind: Kind, mut units: Vec<(Key, Extent)>) -> Vec<Slot> {
    if parts.contains(Part::Order) {
        units.sort_by_cached_key(|(key, extent)| {
            let own = chance.bits("order", &key.to_string());
            let place = extent.pool.as_ref().map_or(own, |pool| chance.bits("order of pools", pool));
            (place, own, key.clone())
        });
    }
    let align = units.iter().map(|(_, extent)| extent.align).max().unwrap_or(1);
    // The linker gives a block of thread-local units the alignment of its own arm: padding of the largest alignment comes
    // first, so that the block starts alike in all arms and at a cache line.
    let mut end = if kind.is_thread_local() { align.max(line(parts)) } else { 0 };
    let mut pool = None;
    let mut slots = Vec::with_capacity(units.len());
    for (key, Extent { size, align, pool: own_pool }) in units {
        if own_pool.is_none() || pool != own_pool {
            let name = own_pool.clone().unwrap_or_else(|| key.to_string());
            // Beyond a page, a step would cost more memory than it tells.
            if parts.contains(Part::Padding) && (size >= LINE || own_pool.is_some()) && align <= PAGE {
                end += align.max(LINE) * chance.below(2, "padding", &name);
            }
            if parts.contains(Part::Phase) && align < LINE {
                let phase = align * chance.below(LINE / align, "phase", &name);
                end += (phase + LINE - end % LINE) % LINE;
            }
        }
        let offset = end.next_multiple_of(align);
        pool = own_pool;
        end = offset + size;
        slots.push(Slot { key, offset, size, align });
    }
    slots
}

/// What the start of a section must be a multiple of, so that units lie in cache lines as drawn.
pub fn line(parts: &Parts) -> u64 {
    if parts.contains(Part::Phase) { LINE } else { 1 }
}

/// Bytes to leave for these slots: where segments are fixed, enough for every draw, so that what follows them is too.
pub fn room(parts: &Parts, slots: &[Slot]) -> u64 {
    let drawn = slots.last().map_or(0, |slot| slot.offset + slot.size);
    if parts.contains(Part::Segments) {
        return drawn;
    }
    let most = |slot: &Slot| slot.size + 2 * slot.align.max(LINE) + LINE;
    drawn.max(LINE + slots.iter().map(most).sum::<u64>())
}

/// Fills slots with the units that an arm has; what remains is padding.
///
/// `unit` gives an arm's unit of a key with its size, which is at most the slot's.
pub fn pieces<'a, U>(slots: &'a [Slot], unit: impl Fn(&'a Key) -> Option<(U, u64)>) -> Vec<Piece<U>> {
    let mut out = Vec::with_capacity(2 * slots.len());
    let mut end = 0;
    for slot in slots {
        let Some((unit, size)) = unit(&slot.key) else { continue };
        if slot.offset > end {
            out.push(Piece::Pad(slot.offset - end));
        }
        out.push(Piece::Unit(unit));
        end = slot.offset + size;
    }
    let all = slots.last().map_or(0, |slot| slot.offset + slot.size);
    if all > end {
        out.push(Piece::Pad(all - end));
    }
    out
}

#[cfg(test)]
mod tests;
