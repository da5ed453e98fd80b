//! Every kernel against the plain one, on random data.

use super::*;
use crate::nnue::architecture::{Architecture, HIDDEN_SIZES};
use crate::nnue::noise::Noise;
use crate::nnue::proof::Layers;

const WIDTHS: [usize; 6] = [64, 128, 192, 320, 768, 1536];

fn available() -> impl Iterator<Item = Kernels> {
    Simd::ALL.into_iter().filter(|simd| simd.is_available()).map(Kernels::new)
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

#[test]
fn forward_passes_agree_with_the_formula() {
    let mut noise = Noise::new(3);
    let sizes = HIDDEN_SIZES.into_iter().flat_map(|h2| HIDDEN_SIZES.map(|h3| (h2, h3)));
    for (round, (hidden2, hidden3)) in sizes.enumerate() {
        let width = WIDTHS[round % WIDTHS.len()];
        let architecture = Architecture { width, hidden2, hidden3, ..Architecture::MAIN };
        let mut weights =
            |count: usize, spread: i32| -> Vec<i16> { (0..count).map(|_| noise.bell(spread)).collect() };
        let weights2 = weights(hidden2 * 2 * width, 500);
        let weights3 = weights(hidden3 * hidden2, 6000);
        let weights4 = weights(hidden3, 9000);
        let bias2: Vec<i32> = weights(hidden2, 9000).iter().map(|&bias| i32::from(bias) * 100).collect();
        let bias3: Vec<i32> = weights(hidden3, 9000).iter().map(|&bias| i32::from(bias) * 100).collect();
        let layers = Layers {
            weights2: &weights2,
            bias2: &bias2,
            weights3: &weights3,
            bias3: &bias3,
            weights4: &weights4,
            bias4: 0,
        };
        let head = Head::pack(&architecture, &layers);
        for sample in 0..20 {
            let sums: Vec<i16> = random_values(&mut noise, 4 * width);
            // The base decides how many neurons are active, from none to all.
            let base: Vec<i32> =
                (0..width).map(|_| (sample - 10) * 7000 + i32::from(noise.bell(300))).collect();
            let view = |part: usize| -> &[i16] { &sums[part * width..][..width] };
            for threats in [None, Some([view(2), view(3)])] {
                let accumulated = Accumulated { pieces: [view(0), view(1)], threats, base: &base };
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
                    let simd = kernels.simd();
                    assert_eq!(found.map(i64::from), [wanted; 2], "sparse, dense: {simd:?} {architecture}");
                }
            }
        }
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
