//! Seeded nets for the tests of this folder.

use std::sync::Arc;

use bytemuck::Zeroable;

use super::layers::{Layer, Layers};
use super::net::{HalfKpNet, Parts};
use super::{HIDDEN, ROWS, Row};
use crate::huge::HugeTable;
use crate::nnue::noise::Noise;

/// Layers whose activations lie at both ends and between.
pub fn random_layers(noise: &mut Noise) -> Layers {
    Layers {
        first: random_layer(noise, 12),
        second: random_layer(noise, 40),
        output: std::array::from_fn(|_| small(noise, 50).into()),
        output_bias: i32::from(noise.bell(3000)),
    }
}

fn random_layer<const IN: usize>(noise: &mut Noise, deviation: i32) -> Layer<IN> {
    let weights: Vec<i8> = (0..HIDDEN * IN).map(|_| small(noise, deviation)).collect();
    Layer::new(&weights, std::array::from_fn(|_| noise.bell(2000).into()))
}

fn small(noise: &mut Noise, deviation: i32) -> i8 {
    noise.bell(deviation).clamp(-128, 127) as i8
}

/// A net of random weights, some sums beyond 16 bits.
pub fn random_net(seed: u64) -> Arc<HalfKpNet> {
    let mut noise = Noise::new(seed);
    let mut bias = Box::new(Row::zeroed());
    noise.fill(&mut bias.0, 100);
    let mut rows = HugeTable::<Row>::zeroed("halfkp rows", ROWS).unwrap();
    for row in rows.iter_mut() {
        noise.fill(&mut row.0, 40);
        // The first neurons of all rows are so large that they wrap.
        row.0[..8].iter_mut().for_each(|value| *value *= 200);
    }
    let layers = random_layers(&mut noise);
    layers.prove().unwrap();
    Arc::new(HalfKpNet::of(Parts { description: String::new(), bias, rows, layers }))
}
