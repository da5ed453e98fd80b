//! How many instructions fixed work takes: counted by callgrind, the same number in every run.
//!
//! `cargo bench -p engine --bench instructions -- --save-summary=json` leaves a summary of each benchmark under
//! `target/gungraun`, and beside them the file `simd-path`: the kernels that ran, told by the processes that were
//! counted. Valgrind knows no AVX-512, so these are the AVX2 kernels on every machine that has them.
//!
//! Where valgrind or `gungraun-runner` is missing nothing is counted, and a line says so. `cargo test` lets the runner
//! do all the work once without valgrind. docs/gates-instructions.md says more.

// What the macros make is public and has no documentation of its own.
#![expect(missing_docs)]

mod path;
mod works;

use std::process::{Command, Stdio};

use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group};
use tempo::measure::{Heads, Pairs, Step, Updates, Walk};
use tempo::nnue::Simd;
use tempo::position::{Move, Position};

use works::{Kind, Net, Search};

// What is returned is dropped after the counting.

#[library_benchmark]
#[bench::quiet(args = (Kind::Quiet), setup = works::piece_updates)]
#[bench::capture(args = (Kind::Capture), setup = works::piece_updates)]
#[bench::castling(args = (Kind::Castling), setup = works::piece_updates)]
#[bench::rebuild(args = (), setup = works::piece_rebuilds)]
fn pieces(mut updates: Updates) -> (i16, Updates) {
    (updates.run(Simd::best()), updates)
}

#[library_benchmark]
#[bench::quiet(args = (Kind::Quiet), setup = works::threat_updates)]
#[bench::capture(args = (Kind::Capture), setup = works::threat_updates)]
fn threats(mut updates: Updates) -> (i16, Updates) {
    (updates.run(Simd::best()), updates)
}

#[library_benchmark]
#[bench::sparse(args = (), setup = works::sparse_heads)]
#[bench::dense(args = (), setup = works::dense_heads)]
fn head((mut heads, sparse): (Heads, bool)) -> (i32, Heads) {
    (heads.run(Simd::best(), sparse), heads)
}

#[library_benchmark]
#[bench::main(args = (Net::Main), setup = works::walk)]
#[bench::threats(args = (Net::Threats), setup = works::walk)]
fn evaluation(mut walk: Walk) -> (i32, Walk) {
    (walk.run(1), walk)
}

library_benchmark_group!(name = nnue, benchmarks = [pieces, threats, head, evaluation]);

#[library_benchmark]
#[bench::all(args = (), setup = works::steps)]
fn legal_moves(steps: Vec<Step>) -> (usize, Vec<Step>) {
    (steps.iter().map(|step| step.before.legal_moves().len()).sum(), steps)
}

#[library_benchmark]
#[bench::all(args = (), setup = works::steps)]
fn legal_captures(steps: Vec<Step>) -> (usize, Vec<Step>) {
    (steps.iter().map(|step| step.before.legal_captures().len()).sum(), steps)
}

#[library_benchmark]
#[bench::all(args = (), setup = works::steps)]
fn make(steps: Vec<Step>) -> (u64, Vec<Step>) {
    (steps.iter().fold(0, |sum, step| sum ^ step.before.make(step.played).hash()), steps)
}

#[library_benchmark]
#[bench::all(args = (), setup = works::captures)]
fn see(captures: Vec<(Position, Move)>) -> (usize, Vec<(Position, Move)>) {
    (captures.iter().filter(|(position, played)| position.see_ge(*played, 0)).count(), captures)
}

#[library_benchmark]
#[bench::all(args = (), setup = works::pairs)]
fn threat_pairs((steps, mut pairs): (Vec<Step>, Pairs)) -> (usize, Vec<Step>, Pairs) {
    (steps.iter().map(|step| pairs.changed(step)).sum(), steps, pairs)
}

library_benchmark_group!(name = board, benchmarks = [legal_moves, legal_captures, make, see, threat_pairs]);

#[library_benchmark]
#[bench::opening(args = (0), setup = works::search)]
#[bench::middle(args = (20), setup = works::search)]
#[bench::ending(args = (40), setup = works::search)]
fn nodes(mut search: Search) -> (u64, Search) {
    (search.run(5000), search)
}

library_benchmark_group!(name = search, benchmarks = nodes);

/// Counts, or is the process that is counted.
fn count() {
    // Instructions are counted, caches are not simulated: cycles made of such a simulation hold for one layout.
    gungraun::main!(
        config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"]));
        library_benchmark_groups = nnue, board, search
    );
    main();
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if arguments.first().is_some_and(|first| first == "--gungraun-run") {
        path::tell();
        return count();
    }
    if has("--quick") {
        return eprintln!("instructions: nothing is counted: a count has no quick way");
    }
    let missing = ["valgrind", path::RUNNER].into_iter().find(|program| !is_there(program));
    if let Some(program) = missing {
        return eprintln!("instructions: nothing is counted: no {program}; see docs/gates-instructions.md");
    }
    works::make_net();
    if !has("--bench") {
        return count();
    }
    path::forget();
    count();
    match path::told() {
        Some(simd) => println!("instructions: counted on the path {simd}"),
        None => println!("instructions: nothing was counted"),
    }
}

/// Whether a program can be started.
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The runner takes no such argument, but it starts.
    command.status().is_ok()
}
