//! How fast this machine reads memory, with loads of each width.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::hint::black_box;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use tempo::huge::HugeTable;
use tempo::measure::Reads;
use tempo::nnue::Simd;

use crate::probe::{Probes, Series};

/// Reads rows of `row` bytes that begin at `starts`; returns the exclusive or of all.
fn read(simd: Simd, bytes: &[u8], row: usize, starts: impl Iterator<Item = usize>) -> u64 {
    assert!(simd.is_available() && row.is_multiple_of(64));
    match simd {
        // SAFETY: the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { read_512(bytes, row, starts) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { read_256(bytes, row, starts) },
        _ => read_plain(bytes, row, starts),
    }
}

fn read_plain(bytes: &[u8], row: usize, starts: impl Iterator<Item = usize>) -> u64 {
    let mut sums = [0_u64; 4];
    for start in starts {
        for four in bytes[start..][..row].as_chunks::<32>().0 {
            for (sum, word) in sums.iter_mut().zip(four.as_chunks::<8>().0) {
                *sum ^= u64::from_le_bytes(*word);
            }
        }
    }
    sums.iter().fold(0, |all, sum| all ^ sum)
}

/// One reader for each width of registers: four loads at a time, each into a register of its own.
#[cfg(target_arch = "x86_64")]
macro_rules! reader {
    ($name:ident, $feature:literal, $vector:ty, $zero:ident, $load:ident, $xor:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(bytes: &[u8], row: usize, starts: impl Iterator<Item = usize>) -> u64 {
            const STEP: usize = size_of::<$vector>();
            let mut sums = [$zero(); 4];
            for start in starts {
                let (fours, rest) = bytes[start..][..row].as_chunks::<{ 4 * STEP }>();
                for four in fours {
                    for (i, sum) in sums.iter_mut().enumerate() {
                        // SAFETY: four registers lie within the chunk.
                        *sum = $xor(*sum, unsafe { $load(four.as_ptr().add(i * STEP).cast()) });
                    }
                }
                for (sum, one) in sums.iter_mut().zip(rest.as_chunks::<STEP>().0) {
                    // SAFETY: one register lies within the chunk.
                    *sum = $xor(*sum, unsafe { $load(one.as_ptr().cast()) });
                }
            }
            let sum = $xor($xor(sums[0], sums[1]), $xor(sums[2], sums[3]));
            // SAFETY: a register has as many bits as the words.
            let words: [u64; STEP / 8] = unsafe { std::mem::transmute(sum) };
            words.iter().fold(0, |all, word| all ^ word)
        }
    };
}

#[cfg(target_arch = "x86_64")]
reader!(read_512, "avx512f", __m512i, _mm512_setzero_si512, _mm512_loadu_si512, _mm512_xor_si512);
#[cfg(target_arch = "x86_64")]
reader!(read_256, "avx2", __m256i, _mm256_setzero_si256, _mm256_loadu_si256, _mm256_xor_si256);

/// Memory like the engine's own tables, touched.
pub struct Memory(HugeTable<u8>);

impl Memory {
    pub fn new(bytes: usize) -> Self {
        let mut memory = HugeTable::zeroed("measured memory", bytes).expect("memory to read");
        memory.fill(1);
        Self(memory)
    }
}

/// A probe that reads, and how many bytes.
pub struct Reader {
    probe: usize,
    bytes: usize,
}

impl Reader {
    /// Reads the first `bytes` from front to back, `page` by `page`.
    pub fn in_a_row<'a>(
        probes: &mut Probes<'a>,
        simd: Simd,
        memory: &'a Memory,
        bytes: usize,
        page: usize,
    ) -> Self {
        let pages = bytes / page;
        let probe = probes.add(move || {
            let starts = (0..pages).map(|number| number * page);
            black_box(read(simd, black_box(&memory.0), page, starts));
        });
        Self { probe, bytes: pages * page }
    }

    /// Reads all rows of the first `bytes` in random order.
    pub fn random<'a>(
        probes: &mut Probes<'a>,
        simd: Simd,
        memory: &'a Memory,
        bytes: usize,
        row: usize,
    ) -> Self {
        let rows = bytes / row;
        let mut starts: Vec<u32> = (0..rows).map(|number| (number * row) as u32).collect();
        starts.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
        let probe = probes.add(move || {
            let starts = starts.iter().map(|&start| start as usize);
            black_box(read(simd, black_box(&memory.0), row, starts));
        });
        Self { probe, bytes: rows * row }
    }

    /// Reads the same places as a kernel.
    pub fn alike<'a>(probes: &mut Probes<'a>, simd: Simd, memory: &'a Memory, reads: Reads) -> Self {
        let Reads { length, places } = reads;
        let bytes = places.len() * length;
        // A table larger than the memory goes on at its start.
        let starts: Vec<u32> =
            places.iter().map(|place| (place % (memory.0.len() - length)) as u32).collect();
        let probe = probes.add(move || {
            let starts = starts.iter().map(|&start| start as usize);
            black_box(read(simd, black_box(&memory.0), length, starts));
        });
        Self { probe, bytes }
    }

    /// Seconds of one pass.
    pub fn seconds(&self, probes: &Probes<'_>) -> Series {
        probes.seconds(self.probe)
    }

    /// Gigabytes a second.
    pub fn speed(&self, probes: &Probes<'_>) -> Series {
        self.seconds(probes).map(|seconds| self.bytes as f64 / seconds / 1e9)
    }
}
