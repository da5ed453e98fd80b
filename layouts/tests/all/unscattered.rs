//! The unscattered rule: data that no slot keeps in place is named when it lies elsewhere in another arm.

use std::path::Path;

use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::image::Image;
use layouts::parts::Parts;
use layouts::relink::relink;

use crate::common::{build_c, capture_c, output, source};

/// Builds, captures and draws the program with these flags as two arms, the second with `more`; what is unscattered.
fn differing(flags: &[&str], more: &str) -> Vec<String> {
    let dir = tempfile::tempdir().expect("folder");
    let arm = |name: &str, flags: &[&str]| {
        let (tar, _) = build_c(&source("unscattered.c"), &dir.path().join(name), flags);
        Capture::open(&tar, &dir.path().join(name).join("capture")).expect("opens")
    };
    let (a, b) = (arm("a", flags), arm("b", &[flags, &[more]].concat()));
    let names = |seed| {
        let (one, other) = pair(&a, &b, seed, dir.path());
        assert_eq!(one.unscattered(&one), [""; 0]);
        assert_eq!(one.unscattered(&other), other.unscattered(&one));
        one.unscattered(&other)
    };
    assert_eq!(names(1), names(2), "the draw matters");
    names(3)
}

fn pair(a: &Capture, b: &Capture, seed: u64, dir: &Path) -> (Image, Image) {
    let draw = Draw::new(seed, &Parts::all(), &[a, b]);
    let link = |capture, name| relink(capture, &draw, &dir.join(name)).expect("relinks");
    (link(a, "drawn a"), link(b, "drawn b"))
}

/// Sections for all, and variables in the order of the source.
const SECTIONS: [&str; 3] = ["-ffunction-sections", "-fdata-sections", "-fno-toplevel-reorder"];
const SHARED: [&str; 3] = ["-ffunction-sections", "-fno-data-sections", "-fno-toplevel-reorder"];

#[test]
fn data_with_sections_of_its_own_is_scattered() {
    assert_eq!(differing(&SECTIONS, "-DGROWN_BEFORE"), [""; 0]);
    let dir = tempfile::tempdir().expect("folder");
    let arm = |name: &str, flag: &str| capture_c("tables.c", &dir.path().join(name), &[flag]).0;
    let (a, b) = (arm("a", "-DEXTRA=1"), arm("b", "-DEXTRA=900"));
    let (one, other) = pair(&a, &b, 5, dir.path());
    assert_eq!(one.unscattered(&other), [""; 0]);
}

#[test]
fn variables_that_share_a_section_are_named_when_they_move_in_it() {
    assert_eq!(differing(&SHARED, "-DGROWN_BEFORE"), ["unscattered.c:after"]);
    assert_eq!(differing(&SHARED, "-DUNUSED"), [""; 0]);
}

#[test]
fn a_section_of_the_programs_own_naming() {
    assert_eq!(differing(&SECTIONS, "-DGROWN_TABLE"), ["second_table"]);
}

#[test]
fn a_section_without_symbols_goes_by_its_file() {
    assert_eq!(differing(&SECTIONS, "-DGROWN_NAMELESS"), ["unscattered.c:nameless_a"]);
}

#[test]
fn common_variables() {
    let names = differing(&[&SECTIONS[..], &["-fcommon"]].concat(), "-DGROWN_COMMON");
    assert!(names.contains(&"another_common".to_owned()), "{names:?}");
    let neighbours = ["another_common", "small_common", "stdout"];
    assert!(names.iter().all(|name| neighbours.contains(&name.as_str())), "{names:?}");
    assert_eq!(differing(&SECTIONS, "-DGROWN_COMMON"), [""; 0], "without -fcommon they are units");
}

#[test]
fn variables_that_the_linker_copies_from_a_library() {
    let flags = [&SECTIONS[..], &["-no-pie", "-fno-pie"]].concat();
    assert_eq!(differing(&flags, "-DCOPIED"), ["stderr", "stdout"]);
}

/// Compilers put constants of 64 bytes side by side into one section; the code that loads them tells them apart.
#[test]
fn constants_that_share_a_section_are_cut_where_they_are_loaded() {
    let dir = tempfile::tempdir().expect("folder");
    let arm = |name: &str, more: &str| capture_c("vectors.c", &dir.path().join(name), &[more]).0;
    let (a, b) = (arm("a", "-DBASE"), arm("b", "-DMORE"));
    let constants = |capture: &Capture| {
        capture.units().iter().filter(|unit| unit.pool.as_deref() == Some("constants of 64 bytes")).count()
    };
    assert_eq!((constants(&a), constants(&b)), (2, 3));
    let (one, other) = pair(&a, &b, 4, dir.path());
    assert_eq!(one.unscattered(&other), [""; 0]);
    assert_eq!(one.shared(&other).total(), (a.units().len(), a.units().len()));
    assert_eq!(output(one.path()), output(other.path()));

    // Code that takes the address of one keeps them together; the second is then no longer where it was.
    let arm = |name: &str, more: &str| capture_c("vectors.c", &dir.path().join(name), &[more, "-DADDRESS"]).0;
    let (a, b) = (arm("c", "-DBASE"), arm("d", "-DMORE"));
    assert_eq!((constants(&a), constants(&b)), (0, 0));
    let (one, other) = pair(&a, &b, 4, dir.path());
    assert_eq!(one.unscattered(&other), ["vectors.c:.rodata"]);
}

#[test]
fn data_of_every_thread() {
    let dir = tempfile::tempdir().expect("folder");
    let arm = |name: &str, more: &str| {
        let (tar, _) =
            build_c(&source("threads.c"), &dir.path().join(name), &[&SHARED[..], &[more]].concat());
        Capture::open(&tar, &dir.path().join(name).join("capture")).expect("opens")
    };
    let (a, b) = (arm("a", "-DBEFORE=1"), arm("b", "-DBEFORE=40"));
    let (one, other) = pair(&a, &b, 7, dir.path());
    assert_eq!(one.unscattered(&other), ["threads.c:own_after"]);
}
