//! The kernels: plain Rust in loops of fixed length, compiled once for every vector width. All give the same values.

use super::layers::{Layer, Layers};
use super::{ACTIVATION_MAX, HIDDEN, INPUTS, OUTPUT_DIVISOR, Row, WEIGHT_SHIFT, WIDTH};
use crate::nnue::kernels;
#[cfg(target_arch = "x86_64")]
use crate::nnue::kernels::Simd;

/// Values of an accumulator that are summed at a time: what fits registers.
const TILE: usize = 64;

/// A set of kernels that this processor has.
#[derive(Clone, Copy)]
pub struct Kernels(pub kernels::Kernels);

impl Kernels {
    /// `target` = `source` with rows of the table added and removed, wrapping.
    #[inline]
    pub fn update(self, source: &Row, target: &mut Row, table: &[Row], added: &[u32], removed: &[u32]) {
        match self.0.simd() {
            // SAFETY: `kernels::Kernels` names only what the processor has.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512::update(source, target, table, added, removed) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2::update(source, target, table, added, removed) },
            _ => update(source, target, table, added, removed),
        }
    }

    /// The net's value of both views' accumulators, the side to move's first.
    #[inline]
    pub fn forward(self, views: [&Row; 2], layers: &Layers) -> i32 {
        match self.0.simd() {
            // SAFETY: `kernels::Kernels` names only what the processor has.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512::forward(views, layers) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2::forward(views, layers) },
            _ => forward(views, layers),
        }
    }
}

/// The same code for other processors.
macro_rules! compiled_for {
    ($name:ident, $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        mod $name {
            use super::{Layers, Row};

            #[target_feature(enable = $features)]
            pub fn update(source: &Row, target: &mut Row, table: &[Row], added: &[u32], removed: &[u32]) {
                super::update(source, target, table, added, removed);
            }

            #[target_feature(enable = $features)]
            pub fn forward(views: [&Row; 2], layers: &Layers) -> i32 {
                super::forward(views, layers)
            }
        }
    };
}

compiled_for!(avx2, "avx2");
compiled_for!(avx512, "avx2,avx512f,avx512bw,avx512vl");

#[inline(always)]
fn update(source: &Row, target: &mut Row, table: &[Row], added: &[u32], removed: &[u32]) {
    for (tile, (source, target)) in tiles(source).iter().zip(target.0.as_chunks_mut::<TILE>().0).enumerate() {
        let mut sums = *source;
        for &row in added {
            take(&mut sums, &tiles(&table[row as usize])[tile], i16::wrapping_add);
        }
        for &row in removed {
            take(&mut sums, &tiles(&table[row as usize])[tile], i16::wrapping_sub);
        }
        *target = sums;
    }
}

#[inline(always)]
fn tiles(row: &Row) -> &[[i16; TILE]] {
    row.0.as_chunks().0
}

#[inline(always)]
fn take(sums: &mut [i16; TILE], values: &[i16; TILE], operation: impl Fn(i16, i16) -> i16) {
    for (sum, &value) in sums.iter_mut().zip(values) {
        *sum = operation(*sum, value);
    }
}

#[inline(always)]
fn forward(views: [&Row; 2], layers: &Layers) -> i32 {
    let mut inputs = [0; INPUTS];
    for (inputs, view) in inputs.as_chunks_mut::<WIDTH>().0.iter_mut().zip(views) {
        for (input, &sum) in inputs.iter_mut().zip(&view.0) {
            *input = sum.clamp(0, ACTIVATION_MAX);
        }
    }
    let hidden = dense(&layers.second, &dense(&layers.first, &inputs));
    (layers.output_bias + product(&layers.output, &hidden)) / OUTPUT_DIVISOR
}

#[inline(always)]
fn dense<const IN: usize>(layer: &Layer<IN>, inputs: &[i16; IN]) -> [i16; HIDDEN] {
    let mut outputs = [0; HIDDEN];
    for ((output, weights), &bias) in outputs.iter_mut().zip(layer.rows()).zip(&layer.bias) {
        let sum = bias + product(weights, inputs);
        *output = (sum >> WEIGHT_SHIFT).clamp(0, i32::from(ACTIVATION_MAX)) as i16;
    }
    outputs
}

/// The weighted sum of the inputs. The loader has proved that it fits.
#[inline(always)]
fn product<const N: usize>(weights: &[i16; N], inputs: &[i16; N]) -> i32 {
    weights.iter().zip(inputs).map(|(&weight, &input)| i32::from(weight) * i32::from(input)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Simd;
    use crate::nnue::halfkp::formula;
    use crate::nnue::halfkp::testing::random_layers;
    use crate::nnue::noise::Noise;

    fn available() -> Vec<Kernels> {
        let simds = Simd::ALL.into_iter().filter(|simd| simd.is_available());
        simds.map(|simd| Kernels(kernels::Kernels::new(simd))).collect()
    }

    fn random_row(noise: &mut Noise) -> Row {
        Row(std::array::from_fn(|_| noise.below(1 << 16) as u16 as i16))
    }

    #[test]
    fn updates_agree_with_adding_one_by_one() {
        let mut noise = Noise::new(1);
        let table: Vec<Row> = (0..40).map(|_| random_row(&mut noise)).collect();
        for round in 0..200 {
            let source = random_row(&mut noise);
            let mut list =
                || -> Vec<u32> { (0..noise.below(1 + round % 31)).map(|_| noise.below(40)).collect() };
            let (added, removed) = (list(), list());
            let mut wanted = source;
            for (j, sum) in wanted.0.iter_mut().enumerate() {
                let total =
                    |rows: &[u32]| rows.iter().map(|&row| i32::from(table[row as usize].0[j])).sum::<i32>();
                *sum = (i32::from(*sum) + total(&added) - total(&removed)) as i16;
            }
            for kernels in available() {
                let mut target = random_row(&mut noise);
                kernels.update(&source, &mut target, &table, &added, &removed);
                assert!(target == wanted, "{}", kernels.0.simd());
            }
        }
    }

    #[test]
    fn values_agree_with_the_formula() {
        let mut noise = Noise::new(2);
        let mut values = std::collections::HashSet::new();
        for round in 0..20 {
            let layers = random_layers(&mut noise);
            for sample in 0..50 {
                // From accumulators of which few values are active to such of which most are at either end.
                let spread = 10 << (sample % 10);
                let mut row = || Row(std::array::from_fn(|_| noise.bell(spread) + round));
                let views = [row(), row()];
                let wanted = formula::layers_value(&layers, [&views[0], &views[1]]);
                values.insert(wanted);
                for kernels in available() {
                    let found = kernels.forward([&views[0], &views[1]], &layers);
                    assert_eq!(i64::from(found), wanted, "{}", kernels.0.simd());
                }
            }
        }
        assert!(values.len() > 500, "{} values", values.len());
    }
}
