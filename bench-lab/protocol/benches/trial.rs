//! What the lab computes around a trial: its schedule, its records as text, its verdict, a trial of the simulation.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use protocol::record::ProcessRecord;
use protocol::simulation::{Noise, Setting, simulate};
use protocol::synthetic::{Spec, trial};
use protocol::{judge, lines, schedule};

/// A trial of so many components on two lanes.
fn spec(components: usize) -> Spec {
    let names: Vec<String> = (1..=components).map(|number| format!("component-{number}")).collect();
    let gains: Vec<f64> = (0..components).map(|number| 1.0 + number as f64 / 4.0).collect();
    let named: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(gains.iter().copied()).collect();
    Spec::new(&named, 1).with_lane("second", &gains)
}

fn text(records: &[ProcessRecord]) -> String {
    records.iter().map(|record| lines::write(record).expect("records are JSON")).collect()
}

/// Sizes of trials: our quick start's, and what a year of an engine's speed-ups comes to.
const COMPONENTS: [usize; 2] = [2, 14];

fn schedules(c: &mut Criterion) {
    let mut group = c.benchmark_group("schedule");
    for components in COMPONENTS {
        group.bench_function(BenchmarkId::new("draw", components), |bencher| {
            let mut master = 0;
            bencher.iter(|| {
                master += 1;
                schedule::draw(components + 2, &["first", "second"], master)
            });
        });
    }
}

fn records(c: &mut Criterion) {
    let mut group = c.benchmark_group("records");
    for components in COMPONENTS {
        let (_, records) = trial(&spec(components)).expect("a sound spec");
        let written = text(&records);
        group
            .bench_function(BenchmarkId::new("write", components), |bencher| bencher.iter(|| text(&records)));
        group.bench_function(BenchmarkId::new("read", components), |bencher| {
            bencher.iter(|| lines::read(black_box(&written)));
        });
    }
}

fn verdicts(c: &mut Criterion) {
    let mut group = c.benchmark_group("verdict");
    for components in COMPONENTS {
        let (plan, records) = trial(&spec(components)).expect("a sound spec");
        let digest = protocol::canonical::sha256_hex(text(&records).as_bytes());
        group.bench_function(BenchmarkId::new("judge", components), |bencher| {
            bencher.iter(|| judge::judge(&plan, &records, &digest).expect("whole"));
        });
    }
}

fn simulated(c: &mut Criterion) {
    let gains = vec![0.0, 0.5, 1.0, 2.0];
    let setting = Setting {
        noise: Noise::Normal,
        sd: 0.5,
        components: 3,
        lanes: 1,
        gains,
        threshold_percent: 1.5,
        seed: 1,
    };
    let mut group = c.benchmark_group("simulation");
    let mut number = 0;
    group.bench_function("trial", |bencher| {
        bencher.iter(|| {
            number += 1;
            simulate(&setting, number..number + 1)
        });
    });
}

criterion_group! {
    name = all;
    config = Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600));
    targets = schedules, records, verdicts, simulated
}
criterion_main!(all);
