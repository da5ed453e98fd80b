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

/// Orders units (key → size, alignment) by chance and puts drawn padding before each.
pub fn arrange(chance: Chance, units: BTreeMap<Key, (u64, u64)>) -> Vec<Slot> {
    let mut units: Vec<_> = units
        .into_iter()
        .map(|(key, extent)| (chance.bits("order", &key.to_string()), key, extent))
        .collect();
    units.sort();
    let mut end = 0u64;
    let mut slots = Vec::with_capacity(units.len());
    for (_, key, (size, align)) in units {
        // Beyond a page, a step would cost more memory than it tells.
        let steps = if align > PAGE { 1 } else { (LINE / align).max(2) };
        let pad = align * chance.below(steps, "pad", &key.to_string());
        let offset = end.next_multiple_of(align) + pad;
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

    fn units() -> impl Strategy<Value = BTreeMap<Key, (u64, u64)>> {
        let name = "[a-z]{1,6}".prop_map(|name| Key { kind: Kind::Function, name });
        let extent = (1u64..500, 0u32..8).prop_map(|(size, power)| (size, 1 << power));
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
                prop_assert_eq!((slot.size, slot.align), units[&slot.key]);
                prop_assert_eq!(slot.offset % slot.align, 0);
            }
        }

        #[test]
        fn same_seed_same_slots(units in units(), seed: u64) {
            prop_assert_eq!(arrange(Chance::new(seed), units.clone()), arrange(Chance::new(seed), units));
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
