//! The real engine: under every layout it searches the same tree, and its arms share every address.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use layouts::capture::{Capture, link_args, rustflags};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::startup::Startup;

use crate::common;

/// Layouts that are tried.
const SEEDS: u64 = 200;

/// Builds the engine with all components or none and captures its link into `dir`, where the executable goes too.
///
/// Cargo's folder, one for both, and the archive outlive the test, so that it compiles only what is new.
fn engine(name: &str, dir: &Path, more: &[&str]) -> (Capture, PathBuf) {
    let lasting = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine");
    std::fs::create_dir_all(&lasting).expect("folder");
    let tar = lasting.join(format!("{name}.tar"));
    let mut cargo = Command::new("cargo");
    cargo.args(["rustc", "--package=engine", "--bin=engine", "--profile=lab", "--quiet"]).args(more);
    cargo.arg("--target-dir").arg(lasting.join("target"));
    cargo.env("RUSTFLAGS", rustflags().join(" ")).arg("--").args(link_args(&tar));
    common::run(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
    let program = dir.join(format!("original {name}"));
    std::fs::copy(lasting.join("target/lab/engine"), &program).expect("copied");
    (Capture::open(&tar, &dir.join(name)).expect("opens"), program)
}

/// The count of the last line of `bench`.
fn bench(mut command: Command, how: &[&str]) -> u64 {
    let output = command.arg("bench").args(how).output().expect("starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let last = text.lines().last().unwrap_or_default();
    last.split(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("no count in {last:?}"))
}

/// Draws both arms under every seed, on all cores, and runs the bench of one.
fn same_tree_under_every_layout(how: &[&str]) {
    let dir = tempfile::tempdir().expect("folder");
    let (full, original) = engine("full", dir.path(), &[]);
    let (base, _) = engine("base", dir.path(), &["--no-default-features"]);
    let count = bench(Command::new(original), how);
    let next = AtomicU64::new(0);
    let draw = |worker: usize| {
        let out = |arm: &str| dir.path().join(format!("{arm} of worker {worker}"));
        while let seed @ 0..SEEDS = next.fetch_add(1, Ordering::Relaxed) {
            let draw = Draw::new(seed, &Parts::all(), &[&full, &base]);
            let image = relink(&full, &draw, &out("full")).expect("relinks");
            let other = relink(&base, &draw, &out("base")).expect("relinks");
            let (same, common) = image.shared(&other).total();
            assert_eq!(same, common, "seed {seed}");
            let unscattered = image.unscattered(&other);
            assert!(unscattered.is_empty(), "seed {seed}: {} as {}", unscattered.len(), unscattered[0]);
            assert_eq!(image.end(), other.end(), "seed {seed}");
            let moved = image.moved(full.natural());
            let (moved, all) = (moved.functions.0 + moved.data.0, moved.functions.1 + moved.data.1);
            assert!(moved * 100 >= all * 95, "seed {seed}: {moved} of {all}");
            let mut command = Command::new(image.path());
            Startup::draw(seed, &Parts::all()).apply(&mut command).expect("applies");
            assert_eq!(bench(command, how), count, "seed {seed}");
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..workers).for_each(|worker| drop(scope.spawn(move || draw(worker)))));
    assert!(next.load(Ordering::Relaxed) >= SEEDS);
}

#[test]
fn two_hundred_layouts_search_the_same_tree() {
    same_tree_under_every_layout(&["nodes", "500"]);
}

#[test]
#[ignore = "runs the whole bench 200 times: some ten minutes"]
fn two_hundred_layouts_search_the_same_tree_in_the_whole_bench() {
    same_tree_under_every_layout(&[]);
}
