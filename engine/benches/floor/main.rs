//! The floor under the kernels: what they move, how fast, and how fast this machine reads at all.
//!
//! Every round times the readers and the kernels one after the other; what is printed are medians and quartiles over
//! the rounds, and fractions are taken within a round. docs/kernels.md explains the columns.
//!
//!     cargo bench -p engine --bench floor             TEACHER=FILE names the teacher's net
//!     cargo bench -p engine --bench floor -- --quick  fewer rounds

mod bandwidth;
mod caches;
mod cases;
#[path = "../common/nets.rs"]
mod nets;
mod probe;

use std::time::Duration;

use tempo::nnue::Simd;

use bandwidth::{Memory, Reader};
use cases::Cases;
use probe::{Probes, Series};

/// What the readers read: about half of a first, second and third cache, and more than any.
const SIZES: [usize; 4] = [16 << 10, 512 << 10, 8 << 20, 256 << 20];
/// Bytes that a reader takes in a row, and those of a random row: 768 values of 16 bits or 1536 of 8.
const PAGE: usize = 4096;
const ROW: usize = 1536;

/// How long everything is measured.
struct Effort {
    rounds: usize,
    least: Duration,
}

impl Effort {
    /// From the command line; none if a filter wants other benchmarks. Without `--bench` Cargo is only testing.
    fn of_arguments(arguments: &[String]) -> Option<Self> {
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let elsewhere =
            |argument: &String| !argument.starts_with('-') && !"floor".contains(argument.as_str());
        if has("--list") || arguments.iter().any(elsewhere) {
            return None;
        }
        let (rounds, milliseconds) = match (has("--bench") && !has("--test"), has("--quick")) {
            (false, _) => (1, 0),
            (true, true) => (5, 2),
            (true, false) => (25, 5),
        };
        Some(Self { rounds, least: Duration::from_millis(milliseconds) })
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(effort) = Effort::of_arguments(&arguments) else { return };
    let memory = Memory::new(SIZES[3]);
    let [first, second, third] = caches::sizes().map(|bytes| bytes >> 10);
    println!("Caches: {first} kB, {second} kB, {third} kB.");
    let vectors: Vec<Simd> = nets::paths().filter(|&simd| simd != Simd::Scalar).collect();
    for simd in if vectors.is_empty() { vec![Simd::Scalar] } else { vectors } {
        measure(simd, &memory, &effort);
    }
}

/// Prints both tables of one width of registers.
fn measure(simd: Simd, memory: &Memory, effort: &Effort) {
    let mut probes = Probes::default();
    let in_a_row = SIZES.map(|bytes| Reader::in_a_row(&mut probes, simd, memory, bytes, PAGE));
    let random = SIZES.map(|bytes| Reader::random(&mut probes, simd, memory, bytes, ROW));
    let mut cases = Cases::default();
    for (net, network) in nets::all() {
        cases.add_net(&mut probes, (net, &network), simd, memory);
    }
    probes.rounds(effort.rounds, effort.least);

    println!("\n### {simd}\n\nReads, GB/s:\n\n| | 16 kB | 512 kB | 8 MB | 256 MB |\n|---|---|---|---|---|");
    for (name, readers) in [("in a row", &in_a_row), ("random rows of 1536 bytes", &random)] {
        let cells = readers.iter().map(|reader| reader.speed(&probes).text(1));
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    let fastest: Vec<Series> = in_a_row.iter().map(|reader| reader.speed(&probes)).collect();
    println!("\nKernels:\n\n{}", cases.table(&probes, &fastest));
}
