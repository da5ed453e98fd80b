//! A Rust program as the lab builds it: captured, drawn, relinked, read back.

use std::fs;

use crate::common::{
    assert_each_unit_has_a_place_of_its_own, build_rust, build_rust_with, capture_rust, output, source,
};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::unit::Kind;

#[test]
fn a_drawn_program_does_the_same_elsewhere() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, original) = capture_rust("shapes.rs", dir.path(), &[]);
    let expected = output(&original);
    let units = capture.units();
    for kind in
        [Kind::Function, Kind::ReadOnly, Kind::RelRo, Kind::Data, Kind::Bss, Kind::TlsData, Kind::TlsBss]
    {
        assert!(units.iter().any(|unit| unit.key.kind == kind), "no unit of {kind:?}");
    }

    for pool in ["strings", "constants of 16 bytes"] {
        assert!(units.iter().any(|unit| unit.pool.as_deref() == Some(pool)), "no {pool}");
    }
    // All that remains are constants of the C library's start-up code.
    let rest = capture.not_scattered();
    let beside: u64 = Kind::ALL
        .iter()
        .filter_map(|kind| rest.iter().find(|rest| rest.section == kind.section()).map(|rest| rest.bytes))
        .sum();
    assert!(beside < 256, "{rest:?}");

    let natural = dir.path().join("natural");
    capture.relink_natural(&natural).expect("natural link");
    assert_eq!(output(&natural), expected);

    let drawn = dir.path().join("drawn");
    for seed in 0..12 {
        let image = relink(&capture, &Draw::new(seed, &Parts::all(), &[&capture]), &drawn).expect("relinks");
        assert_eq!(output(&drawn), expected, "seed {seed}");
        assert_each_unit_has_a_place_of_its_own(&capture, &image);
        let moved = image.moved(capture.natural());
        assert!(moved.functions.0 * 100 >= moved.functions.1 * 95, "seed {seed}: {moved:?}");
        assert!(moved.data.0 * 100 >= moved.data.1 * 95, "seed {seed}: {moved:?}");
        let phases = image.line_phases();
        assert_eq!(phases.iter().sum::<usize>(), moved.functions.1, "every function starts in some quarter");
        assert!(phases.iter().all(|&quarter| quarter * 8 > moved.functions.1), "seed {seed}: {phases:?}");
    }
}

#[test]
fn same_seed_same_bytes_and_another_seed_another_place() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, _) = capture_rust("shapes.rs", dir.path(), &[]);
    let draw = |seed: u64, name: &str| {
        let out = dir.path().join(name);
        let image = relink(&capture, &Draw::new(seed, &Parts::all(), &[&capture]), &out).expect("relinks");
        (image, fs::read(&out).expect("executable"))
    };
    let (first, bytes) = draw(1, "first");
    let (again, bytes_again) = draw(1, "again");
    assert_eq!(first.addresses(), again.addresses());
    assert!(bytes == bytes_again, "the same seed gives other bytes");
    let (other, _) = draw(2, "other");
    let moved = other.moved(&first);
    assert!(moved.functions.0 * 100 >= moved.functions.1 * 95, "{moved:?}");
    assert!(moved.data.0 * 100 >= moved.data.1 * 95, "{moved:?}");
}

#[test]
fn what_two_arms_have_in_common_lies_at_the_same_addresses() {
    let dir = tempfile::tempdir().expect("folder");
    let (with, original) = capture_rust("shapes.rs", &dir.path().join("with"), &["--cfg", "extra"]);
    let (without, _) = capture_rust("shapes.rs", &dir.path().join("without"), &[]);
    assert_ne!(with.inputs_sha256(), without.inputs_sha256());
    assert!(with.units().iter().any(|unit| unit.key.name == "shapes::half"));
    assert!(without.units().iter().all(|unit| unit.key.name != "shapes::half"));
    let alone: Vec<_> = without.units().iter().filter(|unit| with.unit(&unit.key).is_none()).collect();
    assert!(alone.is_empty(), "the smaller arm has units of its own: {alone:?}");
    let expected = output(&original);
    let draw = Draw::new(7, &Parts::all(), &[&with, &without]);
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    let image_a = relink(&with, &draw, &a).expect("relinks");
    let image_b = relink(&without, &draw, &b).expect("relinks");
    assert_eq!((output(&a), output(&b)), (expected.clone(), expected));

    let shared = image_a.shared(&image_b);
    let (same, common) = shared.total();
    assert!(common * 10 >= with.units().len() * 9, "{common} of {} in common", with.units().len());
    assert_eq!(same, common, "{shared:?}");
    assert_eq!(image_a.end(), image_b.end(), "their heaps start at different places");

    // Drawn one by one, they share no addresses but still the order.
    let alone = relink(&without, &Draw::new(7, &Parts::all(), &[&without]), &b).expect("relinks");
    for kind in Kind::ALL {
        let mut common: Vec<_> = image_a
            .addresses()
            .iter()
            .filter(|(key, _)| key.kind == kind)
            .filter_map(|(key, &address)| Some((address, *alone.addresses().get(key)?)))
            .collect();
        common.sort_unstable();
        assert!(common.is_sorted_by_key(|&(_, other)| other), "{kind:?} in another order");
    }
}

#[test]
fn without_link_time_optimisation_the_standard_library_moves_too() {
    for lto in ["-Clto=off", "-Clto=thin"] {
        let dir = tempfile::tempdir().expect("folder");
        let (capture, original) = capture_rust("shapes.rs", dir.path(), &[lto, "-Ccodegen-units=8"]);
        assert!(capture.units().iter().any(|unit| unit.key.name.starts_with("std::")));
        let image = relink(&capture, &Draw::new(1, &Parts::all(), &[&capture]), &dir.path().join("drawn"))
            .expect("relinks");
        assert_eq!(output(image.path()), output(&original), "{lto}");
        let moved = image.moved(capture.natural());
        assert!(moved.functions.0 * 100 >= moved.functions.1 * 95, "{lto}: {moved:?}");
        assert!(moved.data.0 * 100 >= moved.data.1 * 95, "{lto}: {moved:?}");
    }
}

#[test]
fn equal_builds_in_other_folders_have_equal_inputs() {
    let dir = tempfile::tempdir().expect("folder");
    let source = source("addresses.rs");
    let hash = |name: &str| {
        let (folder, copy) = (dir.path().join(name), dir.path().join(name).join("addresses.rs"));
        fs::create_dir_all(&folder).expect("folder");
        fs::copy(&source, &copy).expect("copy");
        let remap = format!("--remap-path-prefix={}=src", folder.display());
        let (tar, _) = build_rust(&copy, &folder, &[&remap]);
        layouts::capture::Capture::open(&tar, &folder.join("capture"))
            .expect("opens")
            .inputs_sha256()
            .to_owned()
    };
    assert_eq!(hash("here"), hash("a-longer-name-elsewhere"));
}

#[test]
fn a_large_file_inside_moves_too() {
    let dir = tempfile::tempdir().expect("folder");
    let net = dir.path().join("net.bin");
    let bytes: Vec<u8> = (0..10_000_003u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(&net, &bytes).expect("writes");
    let sum: u64 = bytes.iter().map(|&byte| u64::from(byte)).sum();
    let expected = format!("{} {sum}\n", bytes.len());
    let (tar, original) = build_rust_with(&source("net.rs"), dir.path(), &[], &[("NET", net.as_path())]);
    assert_eq!(output(&original), expected);
    let capture = layouts::capture::Capture::open(&tar, &dir.path().join("capture")).expect("opens");
    let unit = capture.units().iter().find(|unit| unit.size == bytes.len() as u64).expect("one unit");
    assert_eq!(unit.key.kind, Kind::ReadOnly);
    for seed in 0..4 {
        let image = relink(&capture, &Draw::new(seed, &Parts::all(), &[&capture]), &dir.path().join("drawn"))
            .expect("relinks");
        assert_ne!(image.addresses()[&unit.key], capture.natural().addresses()[&unit.key]);
        assert_eq!(output(image.path()), expected, "seed {seed}");
    }
}
