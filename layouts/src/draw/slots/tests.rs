use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

type Units = BTreeMap<Key, Extent>;

fn units() -> impl Strategy<Value = Units> {
    let name = "[a-z]{1,6}".prop_map(|name| Key { kind: Kind::Function, name });
    let pool = proptest::option::weighted(0.3, "[xyz]");
    let extent =
        (1u64..500, 0u32..8, pool).prop_map(|(size, power, pool)| Extent { size, align: 1 << power, pool });
    proptest::collection::btree_map(name, extent, 1..60)
}

fn parts() -> impl Strategy<Value = Parts> {
    let all = |drawn: Vec<bool>| {
        Part::ALL.iter().zip(drawn).fold(
            Parts::none(),
            |parts, (&part, drawn)| {
                if drawn { parts.with(part) } else { parts }
            },
        )
    };
    proptest::collection::vec(any::<bool>(), Part::ALL.len()).prop_map(all)
}

fn drawn(units: &Units, parts: &Parts, seed: u64) -> Vec<Slot> {
    arrange(Chance::new(seed), parts, Kind::Function, units.clone().into_iter().collect())
}

fn order(slots: &[Slot]) -> Vec<&Key> {
    slots.iter().map(|slot| &slot.key).collect()
}

/// Units without pools, so that each is placed for itself.
fn single(count: u64, size: u64, align: u64) -> Units {
    let unit = |n: u64| {
        let key = Key { kind: Kind::Function, name: format!("f{n:05}") };
        (key, Extent { size, align, pool: None })
    };
    (0..count).map(unit).collect()
}

/// Bytes between each unit and the one before.
fn gaps(slots: &[Slot]) -> Vec<u64> {
    slots.windows(2).map(|pair| pair[1].offset - pair[0].offset - pair[0].size).collect()
}

proptest! {
    #[test]
    fn every_unit_has_one_slot_that_is_aligned_and_its_own(units in units(), parts in parts(), seed: u64) {
        let slots = drawn(&units, &parts, seed);
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
    fn same_seed_same_slots(units in units(), parts in parts(), seed: u64) {
        prop_assert_eq!(drawn(&units, &parts, seed), drawn(&units, &parts, seed));
    }

    #[test]
    fn entries_of_a_pool_stay_together(units in units(), parts in parts(), seed: u64) {
        let slots = drawn(&units, &parts.with(Part::Order), seed);
        for pool in ["x", "y", "z"] {
            let inside: Vec<_> =
                slots.iter().map(|slot| units[&slot.key].pool.as_deref() == Some(pool)).collect();
            let starts =
                inside.windows(2).filter(|pair| !pair[0] && pair[1]).count() + usize::from(inside[0]);
            prop_assert!(starts <= 1);
        }
    }

    #[test]
    fn common_units_keep_their_order(units in units(), parts in parts(), seed: u64, without in 0usize..60) {
        let mut fewer = units.clone();
        if let Some(key) = units.keys().nth(without) {
            fewer.remove(key);
        }
        let all = drawn(&units, &parts, seed);
        let some = drawn(&fewer, &parts, seed);
        let common: Vec<_> = order(&all).into_iter().filter(|key| fewer.contains_key(key)).collect();
        prop_assert_eq!(common, order(&some));
    }

    #[test]
    fn order_does_not_depend_on_the_other_parts(units in units(), parts in parts(), seed: u64) {
        let (alone, all) = (Parts::none().with(Part::Order), parts.with(Part::Order));
        let (alone, all) = (drawn(&units, &alone, seed), drawn(&units, &all, seed));
        prop_assert_eq!(order(&alone), order(&all));
        let fixed = drawn(&units, &parts.without(Part::Order), seed);
        prop_assert!(order(&fixed).into_iter().eq(units.keys()), "not the natural order");
    }

    #[test]
    fn phase_does_not_depend_on_the_other_parts(units in units(), parts in parts(), seed: u64) {
        let phases = |parts: &Parts| -> BTreeMap<Key, u64> {
            let slots = drawn(&units, parts, seed);
            let alone = slots.into_iter().filter(|slot| units[&slot.key].pool.is_none());
            alone.map(|slot| (slot.key, slot.offset % LINE)).collect()
        };
        prop_assert_eq!(phases(&Parts::none().with(Part::Phase)), phases(&parts.with(Part::Phase)));
    }

    #[test]
    fn fixed_parts_leave_no_more_room_than_alignment_wants(units in units(), seed: u64) {
        let slots = drawn(&units, &Parts::none(), seed);
        for (gap, slot) in gaps(&slots).into_iter().zip(&slots[1..]) {
            prop_assert!(gap < slot.align);
        }
        prop_assert_eq!(&slots, &drawn(&units, &Parts::none(), seed.wrapping_add(1)));
    }

    #[test]
    fn an_arm_fills_its_slots_without_gaps(units in units(), parts in parts(), seed: u64, missing in 0usize..60, smaller in 0u64..100) {
        let slots = drawn(&units, &parts, seed);
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

#[test]
fn every_place_in_a_cache_line_is_drawn_equally_often() {
    for align in [1u64, 4, 16, 32] {
        let places = usize::try_from(LINE / align).expect("small");
        let units = single(200 * places as u64, 40, align);
        let mut counts = vec![0u32; places];
        for slot in drawn(&units, &Parts::all(), 11) {
            counts[usize::try_from(slot.offset % LINE / align).expect("small")] += 1;
        }
        // 200 expected with a standard deviation of 14.
        assert!(counts.iter().all(|count| (140..=260).contains(count)), "{align}: {counts:?}");
    }
}

#[test]
fn padding_is_a_whole_line_or_none_and_only_before_units_that_fill_one() {
    let only = Parts::none().with(Part::Padding);
    let large = gaps(&drawn(&single(1000, 128, 64), &only, 3));
    let lines = large.iter().filter(|&&gap| gap == LINE).count();
    assert!(large.iter().all(|gap| [0, LINE].contains(gap)));
    assert!((420..=580).contains(&lines), "{lines} of 999");
    assert!(gaps(&drawn(&single(1000, 32, 16), &only, 3)).iter().all(|&gap| gap == 0));
    assert!(
        gaps(&drawn(&single(1000, 128, 64), &Parts::all().without(Part::Padding), 3))
            .iter()
            .all(|&gap| gap == 0)
    );
    // A phase wants at most a line; what is beyond is padding.
    let both = gaps(&drawn(&single(1000, 128, 16), &Parts::all(), 3));
    assert!(both.iter().any(|&gap| gap > LINE) && both.iter().all(|&gap| gap < 2 * LINE), "{both:?}");
}

#[test]
fn drawn_parts_differ_from_seed_to_seed() {
    let units = single(64, 100, 16);
    for part in [Part::Order, Part::Padding, Part::Phase] {
        let only = Parts::none().with(part);
        let mut layouts: Vec<_> = (0..50).map(|seed| drawn(&units, &only, seed)).collect();
        layouts.dedup();
        assert_eq!(layouts.len(), 50, "{part:?}");
    }
}

#[test]
fn a_block_of_every_thread_starts_alike_in_all_arms() {
    let block = |align| {
        arrange(Chance::new(1), &Parts::none(), Kind::TlsData, single(3, 8, align).into_iter().collect())
    };
    assert_eq!(block(8)[0].offset, 8);
    assert_eq!(block(128)[0].offset, 128);
}
