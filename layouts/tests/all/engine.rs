//! The real engine: under every layout it searches the same tree, and its arms share every address.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::run;
use layouts::capture::{Capture, link_args, rustflags};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::startup::Startup;

/// Builds the engine with all components or none and captures its link.
fn engine(dir: &Path, more: &[&str]) -> (Capture, PathBuf) {
    let tar = dir.join("engine.tar");
    std::fs::create_dir_all(dir).expect("folder");
    let mut cargo = Command::new("cargo");
    cargo.args(["rustc", "--package=engine", "--bin=engine", "--profile=lab", "--quiet"]).args(more);
    cargo.arg("--target-dir").arg(dir.join("target"));
    cargo.env("RUSTFLAGS", rustflags().join(" ")).arg("--").args(link_args(&tar));
    run(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
    (Capture::open(&tar, &dir.join("capture")).expect("opens"), dir.join("target/lab/engine"))
}

/// The count of the last line of `bench`.
fn bench(mut command: Command) -> u64 {
    let output = command.arg("bench").output().expect("starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let last = text.lines().last().unwrap_or_default();
    last.split(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("no count in {last:?}"))
}

#[test]
#[ignore = "builds the engine twice and runs its bench 200 times: some ten minutes"]
fn two_hundred_layouts_search_the_same_tree() {
    let dir = tempfile::tempdir().expect("folder");
    let (full, original) = engine(&dir.path().join("full"), &[]);
    let (base, _) = engine(&dir.path().join("base"), &["--no-default-features"]);
    let count = bench(Command::new(original));
    for seed in 0..200 {
        let draw = Draw::new(seed, &Parts::all(), &[&full, &base]);
        let image = relink(&full, &draw, &dir.path().join("full.drawn")).expect("relinks");
        let other = relink(&base, &draw, &dir.path().join("base.drawn")).expect("relinks");
        let (same, common) = image.shared(&other).total();
        assert_eq!(same, common, "seed {seed}");
        let mut command = Command::new(image.path());
        Startup::draw(seed, &Parts::all()).apply(&mut command).expect("applies");
        assert_eq!(bench(command), count, "seed {seed}");
    }
}
