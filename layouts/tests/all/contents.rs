//! Contents: equal code and data whatever it is called, and not when a byte differs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{build_rust, run};
use layouts::Error;
use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::image::{contents_sha256, same_units};
use layouts::parts::Parts;
use layouts::relink::relink;

const C: &str = "static const int table[] = {3, 1, 4, NUMBER};\n\
                 __attribute__((noinline)) static int NAME(int at) { return table[at & 3] * 2; }\n\
                 int main(int count, char **words) { return NAME(count) + words[0][0]; }\n";

fn build_c(dir: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let (source, out) = (dir.join("program.c"), dir.join(name));
    fs::write(&source, C).expect("a file");
    run(Command::new("gcc").args(["-O1", "-Wl,--build-id=sha1", "-o"]).arg(&out).args(flags).arg(&source));
    out
}

#[test]
fn names_debug_information_and_symbols_do_not_count_and_numbers_do() {
    let dir = tempfile::tempdir().expect("folder");
    let contents = |name: &str, flags: &[&str]| {
        contents_sha256(&build_c(dir.path(), name, flags)).expect("an executable")
    };
    let plain = contents("plain", &["-DNAME=twice", "-DNUMBER=1"]);
    for (name, flags) in [
        ("renamed", &["-DNAME=doubled", "-DNUMBER=1"][..]),
        ("debug", &["-DNAME=twice", "-DNUMBER=1", "-g"]),
        ("stripped", &["-DNAME=twice", "-DNUMBER=1", "-s"]),
    ] {
        assert_eq!(contents(name, flags), plain, "{name}");
    }
    assert_ne!(contents("number", &["-DNAME=twice", "-DNUMBER=2"]), plain);
    assert_ne!(contents("slower", &["-DNAME=twice", "-DNUMBER=1", "-O0"]), plain);
}

#[test]
fn one_draw_of_programs_that_differ_in_their_crate_hash_holds_the_same() {
    let dir = tempfile::tempdir().expect("folder");
    let source = dir.path().join("main.rs");
    let text = "#[inline(never)] fn twice(n: u64) -> u64 { std::hint::black_box(n) * 2 + EXTRA }\n\
                const EXTRA: u64 = if cfg!(extra) { 7 } else { 0 };\n\
                fn main() { println!(\"{} {:?}\", twice(21), [\"a\", \"b\"]); }\n";
    fs::write(&source, text).expect("a file");
    let captures =
        [("one", &["-Cmetadata=one"][..]), ("two", &["-Cmetadata=two"]), ("extra", &["--cfg=extra"])].map(
            |(name, more)| {
                let (tar, executable) = build_rust(&source, &dir.path().join(name), more);
                (
                    Capture::open(&tar, &dir.path().join(name).join("capture")).expect("capture opens"),
                    executable,
                )
            },
        );
    assert_ne!(captures[0].0.inputs_sha256(), captures[1].0.inputs_sha256(), "the hash is in the names");
    let all: Vec<&Capture> = captures.iter().map(|(capture, _)| capture).collect();
    let draw = Draw::new(5, &Parts::all(), &all);
    let images = ["one.drawn", "two.drawn", "extra.drawn"];
    let images: Vec<_> = captures
        .iter()
        .zip(images)
        .map(|((capture, _), name)| relink(capture, &draw, &dir.path().join(name)).expect("relinks"))
        .collect();
    let same = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|at| (&images[at], captures[at].0.units()));
        same_units(a, b).expect("executables")
    };
    assert!(same(0, 1) && same(1, 0));
    assert!(!same(0, 2) && !same(2, 1));
}

#[test]
fn what_is_no_executable_is_told() {
    let dir = tempfile::tempdir().expect("folder");
    let path = dir.path().join("text");
    fs::write(&path, "no ELF").expect("a file");
    assert!(matches!(contents_sha256(&path), Err(Error::BadImage { .. })));
    assert!(matches!(contents_sha256(&dir.path().join("absent")), Err(Error::Io { .. })));
}
