//! Slots of one section: order, padding, and how an arm fills them.

use std::collections::BTreeMap;

use super::chance::Chance;
use super::{PAGE, joined_units};
use crate::capture::Capture;
use crate::unit::{Key, Kind};

/// Bytes of a cache line: padding lets a unit start anywhere in it that its alignment allows.
const LINE: u64 = 64;

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
pub fn draw(chance: Chance, kind: Kind, captures: &[&Capture]) -> Vec<Slot> {
    arrange(chance, joined_units(kind, captures))
}

/// Orders units by chance and puts drawn padding before each.
///
/// The entries of a pool stay together, in an order of their own and without padding between them: spread over the
/// section, each would take a cache line of its own, which no compiler would do.
pub fn arrange(chance: Chance, units: BTreeMap<Key, Extent>) -> Vec<Slot> {
    let mut units: Vec<_> = units
        .into_iter()
        .map(|(key, extent)| {
            let own = chance.bits("order", &key.to_string());
            let place = extent.pool.as_ref().map_or(own, |pool| chance.bits("order of pools", pool));
            (place, own, key, extent)
        })
        .collect();
    units.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    let mut end = 0u64;
    let mut pool = None;
    let mut slots = Vec::with_capacity(units.len());
    for (_, _, key, Extent { size, align, pool: own_pool }) in units {
        let inside = own_pool.is_some() && pool == own_pool;
        // Beyond a page, a step would cost more memory than it tells.
        let steps = if inside || align > PAGE { 1 } else { (LINE / align).max(2) };
        let name = own_pool.clone().unwrap_or_else(|| key.to_string());
        let offset = end.next_multiple_of(align) + align * chance.below(steps, "pad", &name);
        pool = own_pool;
        end = offset + size;
        slots.push(Slot { key, offset, size, align });
    }
    slots
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn units() -> impl Strategy<Value = BTreeMap<Key, Extent>> {
        let name = "[a-z]{1,6}".prop_map(|name| Key { kind: Kind::Function, name });
        let pool = proptest::option::weighted(0.3, "[xyz]");
        let extent = (1u64..500, 0u32..8, pool).prop_map(|(size, power, pool)| Extent {
            size,
            align: 1 << power,
            pool,
        });
        proptest::collection::btree_map(name, extent, 1..60)
    }

    fn order(slots: &[Slot]) -> Vec<&Key> {
        slots.iter().map(|slot| &slot.key).collect()
    }

    proptest! {
        #[test]
        fn every_unit_has_one_slot_that_is_aligned_and_its_own(units in units(), seed: u64) {
            let slots = arrange(Chance::new(seed), units.clone());
            prop_assert_eq!(slots.len(), units.len());
            for pair in slots.windows(2) {
                prop_assert!(pair[0].offset + pair[0].size <= pair[1].offset);
            }
            for slot in &slots {
                prop_assert_eq!((slot.size, slot.align), (units[&slot.key].size, units[&slot.key].align));
                prop_assert_eq!(slot.offset % slot.align, 0);
            }
        }

        #[test]
        fn same_seed_same_slots(units in units(), seed: u64) {
            prop_assert_eq!(arrange(Chance::new(seed), units.clone()), arrange(Chance::new(seed), units));
        }

        #[test]
        fn entries_of_a_pool_stay_together(units in units(), seed: u64) {
            let slots = arrange(Chance::new(seed), units.clone());
            for pool in ["x", "y", "z"] {
                let inside: Vec<_> = slots.iter().map(|slot| units[&slot.key].pool.as_deref() == Some(pool)).collect();
                let starts = inside.windows(2).filter(|pair| !pair[0] && pair[1]).count() + usize::from(inside[0]);
                prop_assert!(starts <= 1);
            }
        }

        #[test]
        fn common_units_keep_their_order(units in units(), seed: u64, without in 0usize..60) {
            let mut fewer = units.clone();
            if let Some(key) = units.keys().nth(without) {
                fewer.remove(key);
            }
            let all = arrange(Chance::new(seed), units);
            let some = arrange(Chance::new(seed), fewer.clone());
            let common: Vec<_> = order(&all).into_iter().filter(|key| fewer.contains_key(key)).collect();
            prop_assert_eq!(common, order(&some));
        }

        #[test]
        fn an_arm_fills_its_slots_without_gaps(units in units(), seed: u64, missing in 0usize..60, smaller in 0u64..100) {
            let slots = arrange(Chance::new(seed), units);
            let lacks = slots.get(missing).map(|slot| slot.key.clone());
            let size = |slot: &Slot| slot.size.saturating_sub(smaller).max(1);
            let own = |key: &Key| slots.iter().find(|slot| slot.key == *key && Some(key) != lacks.as_ref());
            let mut end = 0;
            let mut found = 0;
            for piece in pieces(&slots, |key| own(key).map(|slot| (slot, size(slot)))) {
                match piece {
                    Piece::Pad(bytes) => {
                        prop_assert!(bytes > 0);
                        end += bytes;
                    }
                    Piece::Unit(slot) => {
                        prop_assert_eq!(end, slot.offset);
                        end += size(slot);
                        found += 1;
                    }
                }
            }
            prop_assert_eq!(found, slots.len() - usize::from(lacks.is_some()));
            prop_assert_eq!(end, slots.last().map_or(0, |slot| slot.offset + slot.size));
        }
    }
}
