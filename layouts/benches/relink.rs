//! From a captured link to an executable with a drawn layout.
//!
//! Without more it is that of a small program with Rust's library. `LINK=FILE`, by its whole path, names the archive of
//! another, for instance of an engine: see `capture::link_args`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use layouts::capture::{Capture, link_args, rustflags};
use layouts::draw::Draw;
use layouts::image::Image;
use layouts::parts::Parts;
use layouts::relink::relink;

/// The archive of a link of `tests/programs/shapes.rs`.
fn built(folder: &Path) -> PathBuf {
    let tar = folder.join("link.tar");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/shapes.rs");
    let mut command = Command::new("rustc");
    command.args(["--edition=2024", "-O", "-Clto=fat", "-Ccodegen-units=1", "-Cpanic=abort"]);
    command.args(rustflags()).args(link_args(&tar)).arg(source).arg("-o").arg(folder.join("program"));
    let status = command.current_dir(folder).status().expect("rustc starts");
    assert!(status.success(), "{command:?}: {status}");
    tar
}

fn layouts(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tar = env::var_os("LINK").map_or_else(|| built(folder.path()), PathBuf::from);
    let mut group = c.benchmark_group("layout");
    let mut number = 0;
    group.bench_function("capture", |bencher| {
        bencher.iter(|| {
            number += 1;
            Capture::open(&tar, &folder.path().join(format!("capture-{number}"))).expect("opens")
        });
    });
    let capture = Capture::open(&tar, &folder.path().join("capture")).expect("opens");
    let parts = Parts::all();
    let mut seed = 0;
    group.bench_function("draw", |bencher| {
        bencher.iter(|| {
            seed += 1;
            Draw::new(seed, &parts, &[&capture])
        });
    });
    let drawn = folder.path().join("drawn");
    group.bench_function("relink", |bencher| {
        bencher.iter(|| {
            seed += 1;
            relink(&capture, &Draw::new(seed, &parts, &[&capture]), &drawn).expect("links")
        });
    });
    let image = relink(&capture, &Draw::new(1, &parts, &[&capture]), &drawn).expect("links");
    group.bench_function("read-back", |bencher| {
        bencher.iter(|| Image::read(image.path(), capture.units()).expect("reads"));
    });
}

criterion_group! {
    name = all;
    config = Criterion::default().without_plots().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = layouts
}
criterion_main!(all);
