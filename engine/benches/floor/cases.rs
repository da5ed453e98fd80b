//! The kernels that are held against the readers.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

use tempo::measure::{Heads, Reads, Traffic, Updates, Walk, games};
use tempo::nnue::{Network, Simd};

use crate::bandwidth::{Memory, Reader};
use crate::caches;
use crate::probe::{Probes, Series};

const LEVELS: [&str; 4] = ["L1", "L2", "L3", "memory"];
/// Games from one position, whose rows recur as in one search, and from all fifty of `bench`.
const SPANS: [(&str, Range<usize>); 2] = [("1 position", 10..11), ("50 positions", 0..50)];
/// Positions on which layer 2 is measured.
const HEADS: usize = 16;
/// Active chunks whose weights the nearest cache holds. What lies between is the chunks' own time, without what a head
/// costs however few they are.
const NEAR_CHUNKS: [usize; 2] = [16, 64];
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
    /// What it reads out of tables, only read.
    reads: Reader,
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
        for (span, positions) in SPANS {
            let games = games(positions);
            let pieces = || Updates::pieces_along(network, &games);
            adder.updates(["piece update", span], pieces(), pieces().near());
            if shape.has_threats() {
                let threats = || Updates::threats_along(network, &games);
                adder.updates(["threat update", span], threats(), threats().near());
                if cfg!(feature = "threats-i8") {
                    let copied = |updates: Updates| updates.sixteen_bit().expect("memory for 16-bit rows");
                    let (far, near) = (copied(threats()), copied(threats().near()));
                    adder.updates(["threat update, 16 bits", span], far, near);
                }
            }
            adder.evaluation(["evaluation", span], || Walk::new(network, simd, games.clone()));
        }
        let games = games(SPANS[1].1.clone());
        let positions = games.iter().step_by(games.len() / HEADS).map(|game| &game.start).take(HEADS);
        adder.layer2(Heads::new(network, positions));
    }

    /// All lines; `fastest` is what the reader in a row gets out of each level.
    pub fn table(&self, probes: &Probes<'_>, fastest: &[Series]) -> String {
        let heading = "| net | kernel | work | rows, sums, weights (bytes) | working set | ns | GB/s | of reads in a row | time if it only read | time if all were near | limited by |\n\
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
        let own_part = |part: Series| part.with(&time, |a, b| a / b).median();
        let only_read = own_part(self.reads.seconds(probes).map(|seconds| seconds / self.time.operations));
        let near = self.near.as_ref().map(|near| own_part(near.series(probes)));
        let Traffic { rows, sums, weights, working_set } = self.traffic;
        let cells = [
            self.names.join(" | "),
            format!("{:.0}, {:.0}, {:.0}", each(rows), each(sums), each(weights)),
            format!("{:.0} kB, {level}", working_set as f64 / 1024.0),
            time.map(|seconds| seconds * 1e9).text(0),
            speed.text(1),
            percent(of_fastest),
            percent(only_read),
            near.map_or("–".into(), percent),
            limit(near, only_read, level),
        ];
        format!("| {} |\n", cells.join(" | "))
    }
}

fn percent(fraction: f64) -> String {
    format!("{:.0} %", 100.0 * fraction)
}

/// What holds the kernel up: it takes nearly as long with all data near, or as long as reading alone takes, or both
/// take their share because too little of the one is done during the other.
fn limit(near: Option<f64>, only_read: f64, level: &str) -> String {
    match near {
        Some(near) if near >= 0.8 && near >= only_read => "instructions".into(),
        _ if only_read >= 0.7 => format!("reading from {level}"),
        Some(_) => format!("instructions and {level}, in turn"),
        None => "instructions or waiting".into(),
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
    fn updates(&mut self, names: [&'static str; 2], mut far: Updates, mut near: Updates) {
        let (simd, operations) = (self.simd, far.len() as f64);
        let counted = (far.traffic(), far.reads());
        let time = |probe| Time { probe, less: None, operations };
        let far = self.probes.add(move || _ = black_box(far.run(simd)));
        let near = self.probes.add(move || _ = black_box(near.run(simd)));
        self.push(names, counted, time(far), Some(time(near)));
    }

    fn evaluation(&mut self, names: [&'static str; 2], walk: impl Fn() -> Walk) {
        let (mut far, mut near) = (walk(), walk());
        let counted = (far.traffic(), far.reads());
        let operations = [1, NEAR_REPEATS].map(|repeats| far.evaluations(repeats) as f64);
        let time = |probe, operations| Time { probe, less: None, operations };
        let far = self.probes.add(move || _ = black_box(far.run(1)));
        let near = self.probes.add(move || _ = black_box(near.run(NEAR_REPEATS)));
        self.push(names, counted, time(far, operations[0]), Some(time(near, operations[1])));
    }

    /// Layer 2 alone, sparse and dense: the whole head's time, less that without an active neuron.
    fn layer2(&mut self, heads: Heads) {
        let (simd, count) = (self.simd, heads.len() as f64);
        let silent = heads.limited(0);
        let [few, more] = NEAR_CHUNKS.map(|chunks| heads.limited(chunks));
        let own = |sparse| {
            let (all, rest) = (heads.traffic(sparse), silent.traffic(true));
            // Of the sums only the activations are read again.
            let chunks = if sparse { heads.active_chunks() } else { heads.chunks() };
            let weights = all.weights - rest.weights;
            let working_set = all.working_set - rest.working_set;
            (
                Traffic { rows: 0, sums: heads.chunk_bytes() * chunks, weights, working_set },
                heads.reads(sparse),
            )
        };
        let [counted, all_counted] = [own(true), own(false)];
        // The time of the chunks between, whose weights are near, as that of as many as are active.
        let between = (more.active_chunks() - few.active_chunks()) as f64;
        let near_operations = between / heads.active_chunks() as f64 * count;
        let mut dense = heads.limited(usize::MAX);
        let mut probe = |mut heads: Heads| self.probes.add(move || _ = black_box(heads.run(simd, true)));
        let [silent, few, more, sparse] = [silent, few, more, heads].map(&mut probe);
        let dense = self.probes.add(move || _ = black_box(dense.run(simd, false)));
        let time = |probe, operations| Time { probe, less: Some(silent), operations };
        let near = Time { probe: more, less: Some(few), operations: near_operations };
        self.push(["layer 2, sparse", "16 positions"], counted, time(sparse, count), Some(near));
        self.push(["layer 2, dense", "16 positions"], all_counted, time(dense, count), None);
    }

    fn push(
        &mut self,
        [kernel, work]: [&'static str; 2],
        (traffic, reads): (Traffic, Reads),
        time: Time,
        near: Option<Time>,
    ) {
        let reads = Reader::alike(self.probes, self.simd, self.memory, reads);
        self.cases.push(Case { names: [self.net, kernel, work], traffic, time, near, reads });
    }
}
