//! Each part of a draw on a real program: fixed over all seeds where it is off, another with every seed where it is on.

use std::collections::BTreeSet;
use std::fs;

use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::image::Image;
use layouts::parts::{Part, Parts};
use layouts::relink::relink;
use layouts::unit::{Key, Kind};
use object::{Object, ObjectSection};

use crate::common::capture_c;

struct Program {
    dir: tempfile::TempDir,
    capture: Capture,
}

impl Program {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("folder");
        let (capture, _) = capture_c("tables.c", dir.path(), &[]);
        Self { dir, capture }
    }

    fn drawn(&self, seed: u64, parts: &Parts) -> (Image, Vec<u8>) {
        let out = self.dir.path().join("drawn");
        let image = relink(&self.capture, &Draw::new(seed, parts, &[&self.capture]), &out).expect("relinks");
        (image, fs::read(&out).expect("executable"))
    }

    /// How many different executables six seeds give.
    fn executables(&self, parts: &Parts) -> usize {
        (0..6).map(|seed| self.drawn(seed, parts).1).collect::<BTreeSet<_>>().len()
    }
}

/// The units of a kind by address.
fn order(image: &Image, kind: Kind) -> Vec<Key> {
    let units = image.addresses().iter().filter(|(key, _)| key.kind == kind);
    let mut units: Vec<_> = units.map(|(key, &address)| (address, key.clone())).collect();
    units.sort();
    units.into_iter().map(|(_, key)| key).collect()
}

/// Where the sections with units start.
fn starts(executable: &[u8]) -> Vec<u64> {
    let file = object::File::parse(executable).expect("an executable");
    let placed = Kind::ALL.iter().filter(|&&kind| kind != Kind::TlsBss);
    placed.filter_map(|kind| Some(file.section_by_name(kind.section())?.address())).collect()
}

#[test]
fn without_any_part_all_seeds_give_one_executable() {
    let program = Program::new();
    assert_eq!(program.executables(&Parts::none()), 1);
    let others = Parts::none().with(Part::Stack).with(Part::Mapping).with(Part::Copy);
    assert_eq!(program.executables(&others), 1, "what a start draws is not in the executable");
}

#[test]
fn each_part_alone_changes_the_executable() {
    let program = Program::new();
    for part in [Part::Order, Part::Padding, Part::Phase, Part::Segments, Part::Heap] {
        assert!(program.executables(&Parts::none().with(part)) >= 5, "{part:?}");
    }
}

#[test]
fn a_fixed_order_is_the_linkers_and_a_drawn_one_is_not() {
    let program = Program::new();
    let natural = |kind| order(program.capture.natural(), kind);
    for seed in 0..4 {
        let (fixed, _) = program.drawn(seed, &Parts::all().without(Part::Order));
        for kind in Kind::ALL {
            assert_eq!(order(&fixed, kind), natural(kind), "{kind:?}, seed {seed}");
        }
        let (drawn, _) = program.drawn(seed, &Parts::none().with(Part::Order));
        assert_ne!(order(&drawn, Kind::Function), natural(Kind::Function), "seed {seed}");
    }
}

#[test]
fn fixed_segments_start_on_the_same_pages_whatever_else_is_drawn() {
    let program = Program::new();
    let of =
        |parts: &Parts| (0..6).map(|seed| starts(&program.drawn(seed, parts).1)).collect::<BTreeSet<_>>();
    let fixed = of(&Parts::all().without(Part::Segments));
    assert_eq!(fixed.len(), 1, "{fixed:x?}");
    let drawn = of(&Parts::none().with(Part::Segments));
    assert_eq!(drawn.len(), 6, "{drawn:x?}");
    let in_page: BTreeSet<Vec<u64>> =
        drawn.iter().map(|starts| starts.iter().map(|start| start % 4096).collect()).collect();
    assert_eq!(in_page.len(), 1, "not moved by pages: {drawn:x?}");
}
