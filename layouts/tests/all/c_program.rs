//! C programs, position-independent and not: the same draw, relink and proof.

use crate::common::{assert_each_unit_has_a_place_of_its_own, capture_c, output};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;

fn draws_do_the_same_elsewhere(flags: &[&str]) {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, original) = capture_c("tables.c", dir.path(), flags);
    let expected = output(&original);
    let named = |name: &str| capture.units().iter().any(|unit| unit.key.name == name);
    for name in
        ["main", "tables.c:add", "tables.c:primes", "tables.c:names", "tables.c:counts", "tables.c:zeroes"]
    {
        assert!(named(name), "no {name} in {:?}", capture.units());
    }
    let drawn = dir.path().join("drawn");
    for seed in 0..8 {
        let image = relink(&capture, &Draw::new(seed, &Parts::all(), &[&capture]), &drawn).expect("relinks");
        assert_eq!(output(&drawn), expected, "seed {seed}");
        let moved = image.moved(capture.natural());
        assert_eq!(moved.functions.0, moved.functions.1, "seed {seed}");
        assert!(moved.data.0 * 100 >= moved.data.1 * 95, "seed {seed}: {moved:?}");
        assert_each_unit_has_a_place_of_its_own(&capture, &image);
    }
}

#[test]
fn position_independent() {
    draws_do_the_same_elsewhere(&["-fPIE", "-pie"]);
}

#[test]
fn at_fixed_addresses() {
    draws_do_the_same_elsewhere(&["-fno-pie", "-no-pie"]);
}

#[test]
fn with_the_c_library_inside() {
    draws_do_the_same_elsewhere(&["-static"]);
}

#[test]
fn with_the_c_library_inside_and_position_independent() {
    draws_do_the_same_elsewhere(&["-static-pie"]);
}

#[test]
fn with_packed_relocations() {
    draws_do_the_same_elsewhere(&["-pie", "-Wl,-z,pack-relative-relocs"]);
}

#[test]
fn a_changed_constant_gets_the_larger_slot_in_both_arms() {
    let dir = tempfile::tempdir().expect("folder");
    let (small, _) = capture_c("tables.c", &dir.path().join("small"), &[]);
    let (large, _) = capture_c("tables.c", &dir.path().join("large"), &["-DEXTRA=900"]);
    let draw = Draw::new(3, &Parts::all(), &[&small, &large]);
    let a = relink(&small, &draw, &dir.path().join("a")).expect("relinks");
    let b = relink(&large, &draw, &dir.path().join("b")).expect("relinks");
    let (same, common) = a.shared(&b).total();
    assert_eq!(same, common);
    assert_eq!(common, small.units().len());
    assert_eq!(output(a.path()), output(b.path()));
}

#[test]
fn relocations_without_a_symbol_refer_to_nothing() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, original) = capture_c("discarded.c", dir.path(), &[]);
    let drawn = dir.path().join("drawn");
    relink(&capture, &Draw::new(1, &Parts::all(), &[&capture]), &drawn).expect("relinks");
    assert_eq!(output(&drawn), output(&original));
}

#[test]
fn names_that_the_compiler_numbers_stay_the_same() {
    for flags in [["-fno-ipa-cp"].as_slice(), &["-flto"], &["-flto", "-flto-partition=max"]] {
        let dir = tempfile::tempdir().expect("folder");
        let (base, _) = capture_c("numbered.c", &dir.path().join("base"), flags);
        let (full, _) = capture_c("numbered.c", &dir.path().join("full"), &[flags, &["-DEXTRA"]].concat());
        let missing: Vec<_> = base.units().iter().filter(|unit| full.unit(&unit.key).is_none()).collect();
        assert!(missing.is_empty(), "{flags:?}: {missing:?} not in {:?}", full.units());
    }
}
