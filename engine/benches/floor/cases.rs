//! The kernels that are held against the readers.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

use tempo::measure::{Heads, Traffic, Updates, Walk, games};
use tempo::nnue::{Network, Simd};

use crate::bandwidth::{Memory, Reader};
use crate::caches;
use crate::probe::{Probes, Series};

const LEVELS: [&str; 4] = ["L1", "L2", "L3", "memory"];
/// Games from one position, whose rows recur as in one search, and from all fifty of `bench`.
const SPANS: [(&str, Range<usize>); 2] = [("1 position", 10..11), ("50 positions", 0..50)];
/// Positions on which layer 2 is measured.
const HEADS: usize = 16;
/// Active chunks whose weights the nearest cache holds.
const NEAR_CHUNKS: usize = 40;
/// Times that each move is evaluated where its rows shall be near.
const NEAR_REPEATS: usize = 16;

/// Seconds of one operation: what a probe takes, less what another does.
struct Time {
    probe: usize,
    less: Option<usize>,
    operations: f64,
}

impl Time {
    fn series(&self, probes: &Probes<'_>) -> Series {
        let all = probes.seconds(self.probe);
        let own = self.less.map_or(all.clone(), |less| all.with(&probes.seconds(less), |a, b| a - b));
        own.map(|seconds| seconds / self.operations)
    }
}

/// A kernel's work, and who times it.
struct Case {
    /// Net, kernel, work.
    names: [&'static str; 3],
    /// Of all operations.
    traffic: Traffic,
    time: Time,
    /// With all data in the nearest caches.
    near: Option<Time>,
    /// Rows as long as the kernel's, out of as large a working set.
    random: Reader,
}

/// All of them.
#[derive(Default)]
pub struct Cases(Vec<Case>);

impl Cases {
    /// Adds the kernels of a net.
    pub fn add_net<'a>(
        &mut self,
        probes: &mut Probes<'a>,
        (net, network): (&'static str, &Arc<Network>),
        simd: Simd,
        memory: &'a Memory,
    ) {
        let mut adder = Adder { probes, cases: &mut self.0, net, simd, memory };
        let shape = network.architecture();
        let wide = 2 * shape.width;
        let narrow = if cfg!(feature = "threats-i8") { shape.width } else { wide };
        for (span, positions) in SPANS {
            let games = games(positions);
            let pieces = || Updates::pieces_along(network, &games);
            adder.updates(["piece update", span], wide, pieces(), pieces().near());
            if shape.has_threats() {
                let threats = || Updates::threats_along(network, &games);
                adder.updates(["threat update", span], narrow, threats(), threats().near());
                if narrow < wide {
                    let copied = |updates: Updates| updates.sixteen_bit().expect("memory for 16-bit rows");
                    let (far, near) = (copied(threats()), copied(threats().near()));
                    adder.updates(["threat update, 16 bits", span], wide, far, near);
                }
            }
            let row = if shape.has_threats() { narrow } else { wide };
            adder.evaluation(["evaluation", span], row, || Walk::new(network, simd, games.clone()));
        }
        let games = games(SPANS[1].1.clone());
        let positions = games.iter().step_by(games.len() / HEADS).map(|game| &game.start).take(HEADS);
        adder.layer2(4 * shape.hidden2, Heads::new(network, positions));
    }

    /// All lines; `fastest` is what the reader in a row gets out of each level.
    pub fn table(&self, probes: &Probes<'_>, fastest: &[Series]) -> String {
        let heading = "| net | kernel | work | rows, sums, weights (bytes) | working set | ns | GB/s | of reads in a row | of random rows | time if all were near | limited by |\n\
                       |---|---|---|---|---|---|---|---|---|---|---|\n";
        let sizes = caches::sizes();
        let lines = self.0.iter().map(|case| {
            let level = caches::level(sizes, case.traffic.working_set);
            case.line(probes, LEVELS[level], &fastest[level])
        });
        heading.to_owned() + &lines.collect::<String>()
    }
}

impl Case {
    fn line(&self, probes: &Probes<'_>, level: &str, fastest: &Series) -> String {
        let time = self.time.series(probes);
        let each = |bytes: usize| bytes as f64 / self.time.operations;
        let speed = time.map(|seconds| each(self.traffic.bytes()) / seconds / 1e9);
        let of_fastest = speed.with(fastest, |a, b| a / b).median();
        let of_random = speed.with(&self.random.speed(probes), |a, b| a / b).median();
        let near = self.near.as_ref().map(|near| near.series(probes).with(&time, |a, b| a / b).median());
        let Traffic { rows, sums, weights, working_set } = self.traffic;
        let cells = [
            self.names.join(" | "),
            format!("{:.0}, {:.0}, {:.0}", each(rows), each(sums), each(weights)),
            format!("{:.0} kB, {level}", working_set as f64 / 1024.0),
            time.map(|seconds| seconds * 1e9).text(0),
            speed.text(1),
            percent(of_fastest),
            percent(of_random),
            near.map_or("–".into(), percent),
            limit(near, of_random, level),
        ];
        format!("| {} |\n", cells.join(" | "))
    }
}

fn percent(fraction: f64) -> String {
    format!("{:.0} %", 100.0 * fraction)
}

/// What holds the kernel up: it takes nearly as long with all data near, or reads as fast as any reader, or waits.
fn limit(near: Option<f64>, of_random: f64, level: &str) -> String {
    match near {
        Some(near) if near >= 0.8 => "instructions".into(),
        _ if of_random >= 0.7 => format!("bandwidth of {level}"),
        Some(_) => format!("latency of {level}"),
        None => "instructions or latency".into(),
    }
}

struct Adder<'p, 'a> {
    probes: &'p mut Probes<'a>,
    cases: &'p mut Vec<Case>,
    net: &'static str,
    simd: Simd,
    memory: &'a Memory,
}

impl Adder<'_, '_> {
    fn updates(
        &mut self,
        [kernel, span]: [&'static str; 2],
        row: usize,
        mut far: Updates,
        mut near: Updates,
    ) {
        let (simd, operations, traffic) = (self.simd, far.len() as f64, far.traffic());
        let time = |probe| Time { probe, less: None, operations };
        let far = self.probes.add(move || _ = black_box(far.run(simd)));
        let near = self.probes.add(move || _ = black_box(near.run(simd)));
        self.push([kernel, span], traffic, time(far), Some(time(near)), row);
    }

    fn evaluation(&mut self, names: [&'static str; 2], row: usize, walk: impl Fn() -> Walk) {
        let (mut far, mut near) = (walk(), walk());
        let traffic = far.traffic();
        let operations = [1, NEAR_REPEATS].map(|repeats| far.evaluations(repeats) as f64);
        let time = |probe, operations| Time { probe, less: None, operations };
        let far = self.probes.add(move || _ = black_box(far.run(1)));
        let near = self.probes.add(move || _ = black_box(near.run(NEAR_REPEATS)));
        self.push(names, traffic, time(far, operations[0]), Some(time(near, operations[1])), row);
    }

    /// Layer 2 alone, sparse and dense: the whole head's time, less that without an active neuron.
    fn layer2(&mut self, row: usize, heads: Heads) {
        let (simd, count) = (self.simd, heads.len() as f64);
        let (silent, few) = (heads.limited(0), heads.limited(NEAR_CHUNKS));
        let own = |sparse| {
            let (all, rest) = (heads.traffic(sparse), silent.traffic(true));
            // Of the sums only the activations are read again: a chunk is two of them.
            let chunks = if sparse { heads.active_chunks() } else { heads.chunks() };
            let weights = all.weights - rest.weights;
            let working_set = all.working_set - rest.working_set;
            Traffic { rows: 0, sums: 4 * chunks, weights, working_set }
        };
        let traffic = [own(true), own(false)];
        // The time of few chunks, whose weights are near, as that of as many as are active.
        let few_operations = few.active_chunks() as f64 / heads.active_chunks() as f64 * count;
        let mut dense = heads.limited(usize::MAX);
        let mut probe = |mut heads: Heads| self.probes.add(move || _ = black_box(heads.run(simd, true)));
        let [silent, few, sparse] = [silent, few, heads].map(&mut probe);
        let dense = self.probes.add(move || _ = black_box(dense.run(simd, false)));
        let time = |probe, operations| Time { probe, less: Some(silent), operations };
        let near = time(few, few_operations);
        self.push(["layer 2, sparse", "16 positions"], traffic[0], time(sparse, count), Some(near), row);
        self.push(["layer 2, dense", "16 positions"], traffic[1], time(dense, count), None, row);
    }

    fn push(
        &mut self,
        [kernel, span]: [&'static str; 2],
        traffic: Traffic,
        time: Time,
        near: Option<Time>,
        row: usize,
    ) {
        let random = Reader::random(self.probes, self.simd, self.memory, traffic.working_set, row);
        self.cases.push(Case { names: [self.net, kernel, span], traffic, time, near, random });
    }
}
