//! A value by docs/net-format.md alone: no accumulators, no kernels, no cache.

use super::features::{Rows, View};
use super::layers::Layers;
use super::net::{HalfKpNet, Parts};
use super::{ACTIVATION_MAX, OUTPUT_DIVISOR, Row, WEIGHT_SHIFT};
use crate::position::Position;

/// The net's value of a position.
pub fn value(net: &HalfKpNet, position: &Position) -> i32 {
    let Parts { bias, rows: table, layers, .. } = net.parts();
    let views = [position.side(), !position.side()].map(|own| {
        let mut sums = bias.0.map(i64::from);
        for row in Rows::all(position, View::new(position, own)).added {
            sums.iter_mut().zip(&table[row as usize].0).for_each(|(sum, &value)| *sum += i64::from(value));
        }
        // The format's sums have 16 bits and wrap.
        Row(sums.map(|sum| sum as i16))
    });
    layers_value(layers, [&views[0], &views[1]]) as i32
}

/// The value of both views' sums, the side to move's first.
pub fn layers_value(layers: &Layers, views: [&Row; 2]) -> i64 {
    let inputs: Vec<i64> = views.iter().flat_map(|view| view.0).map(|sum| clamp(sum.into())).collect();
    let first: Vec<i64> = layers
        .first
        .rows()
        .iter()
        .zip(layers.first.bias)
        .map(|(row, bias)| hidden(row, bias, &inputs))
        .collect();
    let second: Vec<i64> = layers
        .second
        .rows()
        .iter()
        .zip(layers.second.bias)
        .map(|(row, bias)| hidden(row, bias, &first))
        .collect();
    sum(&layers.output, layers.output_bias, &second) / i64::from(OUTPUT_DIVISOR)
}

fn hidden(weights: &[i16], bias: i32, inputs: &[i64]) -> i64 {
    clamp(sum(weights, bias, inputs) >> WEIGHT_SHIFT)
}

fn sum(weights: &[i16], bias: i32, inputs: &[i64]) -> i64 {
    i64::from(bias)
        + weights.iter().zip(inputs).map(|(&weight, input)| i64::from(weight) * input).sum::<i64>()
}

fn clamp(value: i64) -> i64 {
    value.clamp(0, ACTIVATION_MAX.into())
}
