//! The heap's start: equal in all arms, another in every draw, as far apart as drawn.

use std::path::Path;
use std::process::Command;

use layouts::draw::Draw;
use layouts::parts::{Part, Parts};
use layouts::relink::relink;
use layouts::startup::Startup;

use crate::common::capture_c;

/// Where the heap of the program starts in a process without address randomisation.
fn heap(program: &Path) -> u64 {
    let mut command = Command::new(program);
    Startup { stack_offset: 0, mapping_offset: 0, tables: 0 }.apply(&mut command).expect("applies");
    let output = command.output().expect("starts");
    let text = String::from_utf8(output.stdout).expect("text");
    u64::from_str_radix(text.trim(), 16).unwrap_or_else(|_| panic!("no heap in {text:?}"))
}

fn starts_as_drawn(flags: &[&str]) {
    let dir = tempfile::tempdir().expect("folder");
    let arm = |name: &str, zeroes: &str| {
        capture_c("heap.c", &dir.path().join(name), &[flags, &[zeroes]].concat()).0
    };
    let (small, large) = (arm("small", "-DZEROES=10"), arm("large", "-DZEROES=99999"));
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));

    let only = Parts::none().with(Part::Heap);
    let mut starts = Vec::new();
    for seed in 0..6 {
        let draw = Draw::new(seed, &only, &[&small, &large]);
        relink(&small, &draw, &a).expect("relinks");
        relink(&large, &draw, &b).expect("relinks");
        assert_eq!(heap(&a), heap(&b), "{flags:?}, seed {seed}: the arms differ");
        assert_eq!((draw.heap_offset() % 4096, draw.heap_offset() >> 21), (0, 0));
        starts.push((draw.heap_offset(), heap(&a)));
    }
    let (offset, start) = starts[0];
    for &(other_offset, other) in &starts[1..] {
        assert_ne!(offset, other_offset, "{starts:?}");
        assert_eq!(other.wrapping_sub(start), other_offset.wrapping_sub(offset), "{starts:?}");
    }

    // Fixed: behind the program, whatever else is drawn.
    let draw = Draw::new(1, &Parts::all().without(Part::Heap), &[&small, &large]);
    assert_eq!(draw.heap_offset(), 0);
    let image = relink(&small, &draw, &a).expect("relinks");
    assert!(image.heap_follows());
    let load = heap(&a) - image.end().next_multiple_of(4096);
    assert!([0, 0x5555_5555_4000].contains(&load), "{load:#x}");
}

#[test]
fn position_independent() {
    starts_as_drawn(&["-fPIE", "-pie"]);
}

#[test]
fn at_fixed_addresses() {
    starts_as_drawn(&["-fno-pie", "-no-pie"]);
}

#[test]
fn with_the_c_library_inside() {
    starts_as_drawn(&["-static"]);
}

#[test]
fn one_arms_large_alignment_shifts_no_other() {
    let dir = tempfile::tempdir().expect("folder");
    let arm = |name: &str, aligned: &str| {
        capture_c("heap.c", &dir.path().join(name), &["-fPIE", "-pie", "-DZEROES=10", aligned]).0
    };
    let (with, without) = (arm("with", "-DALIGNED=0x200000"), arm("without", "-DPLAIN"));
    let draw = Draw::new(1, &Parts::all(), &[&with, &without]);
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    let (one, other) = (relink(&with, &draw, &a), relink(&without, &draw, &b));
    assert_eq!(one.expect("relinks").end(), other.expect("relinks").end());
    assert_eq!(heap(&a), heap(&b), "the system loads them at different addresses");
}

#[test]
fn not_behind_a_static_program_that_lies_anywhere() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, _) = capture_c("heap.c", dir.path(), &["-static-pie", "-DZEROES=10"]);
    assert!(!capture.natural().heap_follows());
    let draw = Draw::new(1, &Parts::all(), &[&capture]);
    let image = relink(&capture, &draw, &dir.path().join("drawn")).expect("relinks");
    assert!(!image.heap_follows());
    assert!(heap(image.path()) > 0);
}

#[test]
fn offsets_cover_two_mebibytes_in_pages() {
    let draws: Vec<_> = (0..2000).map(|seed| Draw::new(seed, &Parts::all(), &[]).heap_offset()).collect();
    assert!(draws.iter().all(|offset| offset % 4096 == 0 && *offset < 2 << 20));
    for quarter in 0..4 {
        let inside = draws.iter().filter(|&&offset| offset / (512 << 10) == quarter).count();
        assert!((400..600).contains(&inside), "{inside} of 2000 in quarter {quarter}");
    }
}
