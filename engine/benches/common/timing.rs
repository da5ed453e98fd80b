//! How long criterion measures, and what it calls one iteration.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion};

/// About a second for each benchmark.
pub fn settings() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
}

/// Times `pass`, which does its work `count` times, as the work done once.
pub fn bench<O>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    count: usize,
    mut pass: impl FnMut() -> O,
) {
    group.bench_function(id, |bencher| {
        bencher.iter_custom(|iterations| {
            let passes = iterations.div_ceil(count as u64);
            let start = Instant::now();
            for _ in 0..passes {
                black_box(pass());
            }
            start.elapsed().mul_f64(iterations as f64 / (passes * count as u64) as f64)
        });
    });
}
