//! The network's kernels, one by one and together, on every SIMD path that the processor has.
//!
//! `cargo bench -p engine --bench nnue -- FILTER` runs those whose name, `group/work/path`, matches the regular
//! expression; `--quick` ends early. Times are those of one update, one head, one evaluation, one move.

#[path = "common/nets.rs"]
mod nets;
#[path = "common/timing.rs"]
mod timing;

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

use tempo::measure::{Game, Heads, Pairs, Step, Updates, Walk, games, moves};
use tempo::nnue::Network;
use tempo::position::{Move, Position};
use timing::{bench, settings};

/// Moves of each kind.
const MOVES: usize = 200;
/// Sums on which the head is measured: few enough to lie where a search has them.
const HEADS: usize = 16;

type IsWanted = fn(&Position, Move) -> bool;

/// The kinds of moves that ask for different rows.
const KINDS: [(&str, IsWanted); 3] = [
    ("quiet", |position, played| !played.is_castling() && !position.is_capture(played)),
    ("capture", |position, played| position.is_capture(played)),
    ("castling", |_, played| played.is_castling()),
];

fn updates(c: &mut Criterion) {
    let games = games(0..50);
    let steps: Vec<Step> = all_steps(&games);
    let positions: Vec<Position> = steps.iter().step_by(12).map(|step| step.after).collect();
    for (net, network) in nets::all() {
        let of_kinds = |part: fn(&Arc<Network>, &[Step]) -> Updates| {
            KINDS.map(|(kind, wanted)| (kind, part(&network, &moves(&games, MOVES, wanted))))
        };
        let rebuild = ("rebuild", Updates::piece_rebuilds(&network, &positions));
        measure_updates(c, &format!("pieces-{net}"), of_kinds(Updates::pieces).into_iter().chain([rebuild]));
        if !network.architecture().has_threats() {
            continue;
        }
        let rebuild = ("rebuild", Updates::threat_rebuilds(&network, &positions));
        measure_updates(
            c,
            &format!("threats-{net}"),
            of_kinds(Updates::threats).into_iter().chain([rebuild]),
        );
        let wide = Updates::threats(&network, &moves(&games, MOVES, KINDS[0].1)).sixteen_bit();
        match wide {
            Ok(wide) => measure_updates(c, &format!("threats-{net}-16-bit"), [("quiet", wide)]),
            Err(error) => eprintln!("threats-{net}-16-bit left out: {error}"),
        }
    }
}

fn all_steps(games: &[Game]) -> Vec<Step> {
    games.iter().flat_map(|game| game.steps.iter().copied()).collect()
}

fn measure_updates(c: &mut Criterion, group: &str, works: impl IntoIterator<Item = (&'static str, Updates)>) {
    let mut group = c.benchmark_group(group);
    for (name, mut updates) in works {
        for simd in nets::paths() {
            let count = updates.len();
            bench(&mut group, BenchmarkId::new(name, simd), count, || updates.run(simd));
        }
    }
}

fn heads(c: &mut Criterion) {
    let games = games(0..50);
    let starts = || games.iter().step_by(games.len() / HEADS).map(|game| &game.start).take(HEADS);
    for (net, network) in nets::all() {
        let mut group = c.benchmark_group(format!("head-{net}"));
        let mut heads = Heads::new(&network, starts());
        let mut silent = heads.limited(0);
        for simd in nets::paths() {
            bench(&mut group, BenchmarkId::new("sparse", simd), HEADS, || heads.run(simd, true));
            bench(&mut group, BenchmarkId::new("dense", simd), HEADS, || heads.run(simd, false));
            bench(&mut group, BenchmarkId::new("no-active-neuron", simd), HEADS, || silent.run(simd, true));
        }
    }
}

fn evaluations(c: &mut Criterion) {
    for (net, network) in nets::all() {
        let mut group = c.benchmark_group(format!("evaluation-{net}"));
        for simd in nets::paths() {
            let mut walk = Walk::new(&network, simd, games(0..50));
            let count = walk.evaluations(1);
            bench(&mut group, BenchmarkId::new("along-games", simd), count, || walk.run(1));
            bench(&mut group, BenchmarkId::new("from-nothing", simd), count, || walk.run_from_nothing());
        }
    }
}

fn pairs(c: &mut Criterion) {
    let steps = all_steps(&games(0..50));
    let mut pairs = Pairs::default();
    let mut group = c.benchmark_group("pairs");
    bench(&mut group, BenchmarkId::from_parameter("all"), steps.len(), || {
        steps.iter().map(|step| pairs.all(&step.after)).sum::<usize>()
    });
    bench(&mut group, BenchmarkId::from_parameter("of-a-move"), steps.len(), || {
        steps.iter().map(|step| pairs.changed(step)).sum::<usize>()
    });
}

criterion_group! {
    name = all;
    config = settings();
    targets = updates, heads, evaluations, pairs
}
criterion_main!(all);
