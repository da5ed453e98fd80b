//! What a search does with positions and its table besides evaluating. Times are those of one list of moves, one move
//! made, one exchange looked at, one probe, one store.

#[path = "common/timing.rs"]
mod timing;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

use tempo::measure::{Bound, Known, Step, Table, games};
use tempo::position::{Move, Position};
use timing::{bench, settings};

/// A table beyond the second cache of every processor.
const TABLE_MB: usize = 64;
/// Results in it: a fifth of its entries, so that hardly one has to give way.
const RESULTS: u64 = 1 << 20;
/// Probes and stores between two looks at the clock.
const PASS: usize = 4096;

fn positions(c: &mut Criterion) {
    let steps: Vec<Step> = games(0..50).iter().flat_map(|game| game.steps.clone()).collect();
    let captures: Vec<(Position, Move)> = steps
        .iter()
        .flat_map(|step| step.before.legal_captures().iter().map(|&m| (step.before, m)).collect::<Vec<_>>())
        .collect();
    let mut group = c.benchmark_group("board");
    bench(&mut group, BenchmarkId::from_parameter("legal-moves"), steps.len(), || {
        steps.iter().map(|step| step.before.legal_moves().len()).sum::<usize>()
    });
    bench(&mut group, BenchmarkId::from_parameter("legal-captures"), steps.len(), || {
        steps.iter().map(|step| step.before.legal_captures().len()).sum::<usize>()
    });
    bench(&mut group, BenchmarkId::from_parameter("make"), steps.len(), || {
        steps.iter().fold(0, |sum, step| sum ^ step.before.make(step.played).hash())
    });
    bench(&mut group, BenchmarkId::from_parameter("see"), captures.len(), || {
        captures.iter().filter(|(position, played)| position.see_ge(*played, 0)).count()
    });
}

/// Spreads numbers over all hashes: the finalizer of SplitMix64.
fn hash(number: u64) -> u64 {
    let number = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

fn table(c: &mut Criterion) {
    let mut table = Table::new(TABLE_MB).expect("64 MB of memory");
    let known = Known { best: Move::NULL, score: 7, value: 9, depth: 3, bound: Bound::Lower, on_pv: false };
    (0..RESULTS).for_each(|number| table.store(hash(number), known));
    let mut group = c.benchmark_group("table");
    let mut number = 0;
    // Which is next hangs on what is found, so that no probe begins before the last one has ended.
    bench(&mut group, BenchmarkId::from_parameter("probe"), PASS, || {
        for _ in 0..PASS {
            number = (number + 1 + u64::from(table.probe(hash(number)).is_none())) % RESULTS;
        }
        number
    });
    bench(&mut group, BenchmarkId::from_parameter("probe-after-prefetch"), PASS, || {
        for _ in 0..PASS {
            table.prefetch(hash((number + 8) % RESULTS));
            number = (number + 1 + u64::from(table.probe(hash(number)).is_none())) % RESULTS;
        }
        number
    });
    let mut number = 0;
    bench(&mut group, BenchmarkId::from_parameter("store"), PASS, || {
        for _ in 0..PASS {
            table.store(hash(number), known);
            number = (number + 1) % RESULTS;
        }
    });
}

criterion_group! {
    name = all;
    config = settings();
    targets = positions, table
}
criterion_main!(all);
