//! Every kernel against the plain one, on random data.

use super::*;
use crate::nnue::architecture::{Architecture, HIDDEN_SIZES};
use crate::nnue::noise::Noise;
use crate::nnue::proof::Layers;

/// With every sequence of tile sizes, the smallest and the largest width, and those of the known nets.
const WIDTHS: [usize; 9] = [64, 128, 192, 320, 768, 1024, 1088, 1536, 4096];

/// All that this processor has; where AVX-512 has VNNI, without it too.
fn available() -> impl Iterator<Item = Kernels> {
    let kernels = Simd::ALL.into_iter().filter(|simd| simd.is_available()).map(Kernels::new);
    kernels.flat_map(|kernels| {
        let plain = Kernels { vnni: false, ..kernels };
        [Some(kernels), (kernels.simd == Simd::Avx512 && kernels.vnni).then_some(plain)].into_iter().flatten()
    })
}

fn random_values(noise: &mut Noise, count: usize) -> Vec<i16> {
    (0..count).map(|_| noise.below(1 << 16) as u16 as i16).collect()
}

#[test]
fn updates_agree_with_the_plain_kernel() {
    let mut noise = Noise::new(1);
    for width in WIDTHS {
        let wide = random_values(&mut noise, 9 * width);
        let narrow: Vec<i8> = random_values(&mut noise, 7 * width).iter().map(|&value| value as i8).collect();
        let source = random_values(&mut noise, width);
        for _ in 0..50 {
            let mut list = |rows: u32| -> Vec<u32> {
                let count = noise.below(6);
                (0..count).map(|_| noise.below(rows)).collect()
            };
            let [a, b, c, d] = [list(9), list(9), list(7), list(7)];
            let wide = Rows { table: &wide, added: &a, removed: &b };
            let narrow = Rows { table: &narrow, added: &c, removed: &d };
            let results: Vec<Vec<i16>> = available()
                .flat_map(|kernels| {
                    let (mut fused, mut row_by_row) = (vec![0; width], vec![0; width]);
                    kernels.update_by::<true>(&source, &mut fused, wide, narrow);
                    kernels.update_by::<false>(&source, &mut row_by_row, wide, narrow);
                    [fused, row_by_row]
                })
                .collect();
            assert!(results.iter().all(|result| result == results.last().unwrap()));
        }
    }
}

#[test]
fn both_register_widths_agree() {
    #[cfg(target_arch = "x86_64")]
    if Simd::Avx512.is_available() {
        let mut noise = Noise::new(2);
        let (source, table) = (random_values(&mut noise, 768), random_values(&mut noise, 2 * 768));
        let rows = Rows { table: &table, added: &[1], removed: &[0] };
        let none = Rows { table: &[], added: &[], removed: &[] };
        let (mut a, mut b) = (vec![0; 768], vec![0; 768]);
        // SAFETY: the processor has AVX-512 and with it AVX2; rows and lengths fit.
        unsafe {
            avx2::update::<FUSED>(&source, &mut a, rows, none);
            avx512::update::<FUSED>(&source, &mut b, rows, none);
        }
        assert_eq!(a, b);
    }
}

#[test]
#[should_panic(expected = "row 3 of 2")]
fn rows_beyond_the_table_are_not_read() {
    let rows = Rows { table: &[0; 128], added: &[2], removed: &[] };
    let none = Rows { table: &[], added: &[], removed: &[] };
    Kernels::new(Simd::best()).update(&[0; 64], &mut [0; 64], rows, none);
}

/// The published formula with 64-bit sums, over weights as they lie in the file.
fn formula(layers: &Layers<'_>, inputs: &[i64]) -> i64 {
    let dense = |weights: &[i16], bias: &[i32], inputs: &[i64]| -> Vec<i64> {
        let rows = weights.chunks_exact(inputs.len()).zip(bias);
        let sums = rows.map(|(row, &bias)| {
            let products = row.iter().zip(inputs).map(|(&weight, &input)| i64::from(weight) * input);
            i64::from(bias) + products.sum::<i64>()
        });
        sums.map(|sum| (sum >> 14).clamp(0, 255)).collect()
    };
    let hidden2 = dense(layers.weights2, layers.bias2, inputs);
    let hidden3 = dense(layers.weights3, layers.bias3, &hidden2);
    layers.weights4.iter().zip(hidden3).map(|(&weight, input)| i64::from(weight) * input).sum()
}

/// Layers after the accumulator as they lie in a file.
struct Owned {
    architecture: Architecture,
    weights2: Vec<i16>,
    bias2: Vec<i32>,
    weights3: Vec<i16>,
    bias3: Vec<i32>,
    weights4: Vec<i16>,
}

impl Owned {
    fn random(noise: &mut Noise, width: usize, (hidden2, hidden3): (usize, usize)) -> Self {
        let mut weights =
            |count: usize, spread: i32| -> Vec<i16> { (0..count).map(|_| noise.bell(spread)).collect() };
        let mut bias =
            |count| -> Vec<i32> { weights(count, 9000).iter().map(|&bias| i32::from(bias) * 100).collect() };
        let (bias2, bias3) = (bias(hidden2), bias(hidden3));
        Self {
            architecture: Architecture { width, hidden2, hidden3, ..Architecture::MAIN },
            weights2: weights(hidden2 * 2 * width, 500),
            bias2,
            weights3: weights(hidden3 * hidden2, 6000),
            bias3,
            weights4: weights(hidden3, 9000),
        }
    }

    fn layers(&self) -> Layers<'_> {
        Layers {
            weights2: &self.weights2,
            bias2: &self.bias2,
            weights3: &self.weights3,
            bias3: &self.bias3,
            weights4: &self.weights4,
            bias4: 0,
        }
    }

    /// Compares all kernels with the formula, with `sums` of pieces and of threats, two views each.
    fn compare(&self, base: &[i32], sums: &[i16], place: &str) {
        let (layers, width) = (self.layers(), base.len());
        let head = Head::pack(&self.architecture, &layers);
        let view = |part: usize| -> &[i16] { &sums[part * width..][..width] };
        let owned_base = Base::new(Aligned::copy_of(base));
        for threats in [None, Some([view(2), view(3)])] {
            let accumulated = Accumulated { pieces: [view(0), view(1)], threats, base: &owned_base };
            let inputs: Vec<i64> = (0..2 * width)
                .map(|i| {
                    let (side, j) = (i / width, i % width);
                    let threat = threats.map_or(0, |threats| i64::from(threats[side][j]));
                    (i64::from(base[j]) + i64::from(view(side)[j]) + threat).clamp(0, 255)
                })
                .collect();
            let wanted = formula(&layers, &inputs);
            for kernels in available() {
                let mut scratch = Scratch::new(2 * width);
                let found = [
                    kernels.forward_by::<true>(&accumulated, &head, &mut scratch),
                    kernels.forward_by::<false>(&accumulated, &head, &mut scratch),
                ];
                let shape = &self.architecture;
                assert_eq!(found.map(i64::from), [wanted; 2], "sparse, dense: {kernels:?} {shape} {place}");
            }
        }
    }
}

fn hidden_sizes() -> impl Iterator<Item = (usize, usize)> {
    HIDDEN_SIZES.into_iter().flat_map(|hidden2| HIDDEN_SIZES.map(|hidden3| (hidden2, hidden3)))
}

#[test]
fn forward_passes_agree_with_the_formula() {
    let mut noise = Noise::new(3);
    for (round, hidden) in hidden_sizes().enumerate() {
        let width = WIDTHS[round % WIDTHS.len()];
        let layers = Owned::random(&mut noise, width, hidden);
        for sample in 0..20 {
            let sums = random_values(&mut noise, 4 * width);
            // The base decides how many neurons are active, from none to all, and whether it fits 16 bits.
            let base: Vec<i32> =
                (0..width).map(|_| (sample - 10) * 7000 + i32::from(noise.bell(300))).collect();
            layers.compare(&base, &sums, &format!("sample {sample}"));
        }
    }
}

#[test]
fn every_number_of_active_inputs_agrees() {
    let mut noise = Noise::new(4);
    for hidden in hidden_sizes() {
        let layers = Owned::random(&mut noise, 64, hidden);
        for active in 0..=128 {
            let order = noise.permutation(128);
            let mut sums = vec![0; 4 * 64];
            order[..active].iter().for_each(|&input| sums[input] = 1 + noise.below(300) as i16);
            layers.compare(&[0; 64], &sums, &format!("{active} active"));
        }
    }
}

#[test]
fn extreme_sums_agree() {
    let mut noise = Noise::new(5);
    let corners = [i16::MIN, i16::MIN + 1, -32_513, -32_512, -256, -1, 0, 1, 255, 256, 32_512, i16::MAX];
    let bases = [-65_536, -32_513, -32_512, -32_511, -1, 0, 255, 32_767, 32_768, 65_536];
    for (round, hidden) in hidden_sizes().enumerate() {
        let width = WIDTHS[round % 5];
        let layers = Owned::random(&mut noise, width, hidden);
        let mut drawn = |from: &[i16]| from[noise.below(from.len() as u32) as usize];
        for base in bases {
            let sums: Vec<i16> = (0..4 * width).map(|_| drawn(&corners)).collect();
            layers.compare(&vec![base; width], &sums, &format!("base {base}"));
        }
    }
}

/// The greatest and least weights, as many as the loader's proof lets pass.
#[test]
fn extreme_weights_agree() {
    let mut noise = Noise::new(6);
    for hidden in hidden_sizes() {
        let mut layers = Owned::random(&mut noise, 320, hidden);
        layers.weights2.fill(0);
        for row in layers.weights2.chunks_exact_mut(640) {
            for (rank, input) in noise.permutation(640).into_iter().take(512).enumerate() {
                row[input] = if rank < 256 { i16::MAX } else { i16::MIN };
            }
        }
        for weight in &mut layers.weights3 {
            *weight = if noise.below(2) == 0 { i16::MIN } else { i16::MAX };
        }
        layers.bias2.fill(0);
        for share in [2, 3, 10] {
            let active = |_| if noise.below(10) < share { 32_767 } else { 0 };
            let sums: Vec<i16> = (0..4 * 320).map(active).collect();
            layers.compare(&[0; 320], &sums, &format!("{share} of 10 active"));
        }
        layers.compare(&[255; 320], &[0; 4 * 320], "all active");
    }
}

#[test]
fn names_are_read() {
    assert_eq!(Simd::parse("scalar"), Some(Simd::Scalar));
    assert_eq!(Simd::parse("AVX2"), Some(Simd::Avx2));
    assert_eq!(Simd::parse("avx512"), Some(Simd::Avx512));
    assert_eq!(Simd::parse("auto"), Some(Simd::best()));
    assert_eq!(Simd::parse("sse"), None);
    assert!(Simd::best().is_available());
    assert!(Simd::ALL.iter().all(|simd| Simd::parse(&simd.to_string()) == Some(*simd)));
}
