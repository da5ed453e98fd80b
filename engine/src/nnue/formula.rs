//! A net's value by docs/net-format.md alone, from the arrays as they lie in the file: no accumulators, no packing,
//! no kernels, no cache.

use super::architecture::{ACTIVATION_MAX, Section, WEIGHT_SHIFT};
use super::features::list::List;
use super::features::pairs;
use super::features::view::View;
use super::network::Network;
use crate::position::{Color, Position};

/// The net's value of a position.
pub fn value(network: &Network, position: &Position) -> i32 {
    let side = position.side();
    let mut inputs = activations(network, position, side);
    inputs.extend(activations(network, position, !side));
    let hidden2 = layer(network, Section::Weights2, Section::Bias2, &inputs);
    let hidden3 = layer(network, Section::Weights3, Section::Bias3, &hidden2);
    let sum = i64::from(wide(network, Section::Bias4)[0])
        + i64::from(product(narrow(network, Section::Weights4), &hidden3));
    let unit = i64::from(ACTIVATION_MAX) << WEIGHT_SHIFT;
    (sum * i64::from(network.architecture().output_scale) / unit) as i32
}

fn narrow(network: &Network, section: Section) -> &[i16] {
    bytemuck::cast_slice(network.section(section))
}

fn wide(network: &Network, section: Section) -> Vec<i32> {
    bytemuck::allocation::pod_collect_to_vec(network.section(section))
}

/// The first layer's outputs for one view.
fn activations(network: &Network, position: &Position, color: Color) -> Vec<i16> {
    let view = View::new(position, color, network.architecture());
    let mut sums: Vec<i32> = narrow(network, Section::Bias).iter().map(|&bias| i32::from(bias)).collect();
    let mut add = |section, row: u32| {
        let row = &narrow(network, section)[row as usize * sums.len()..][..sums.len()];
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum += i32::from(value);
        }
    };
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            add(Section::Pieces, view.piece_row(piece, square));
        }
    }
    if network.architecture().has_threats() {
        let mut active = List::new();
        pairs::active(position, &mut active);
        active.iter().for_each(|pair| add(Section::Threats, pair.row(view)));
    }
    sums.into_iter().map(|sum| sum.clamp(0, ACTIVATION_MAX) as i16).collect()
}

fn layer(network: &Network, weights: Section, bias: Section, inputs: &[i16]) -> Vec<i16> {
    let rows = narrow(network, weights).chunks_exact(inputs.len());
    let sums = rows.zip(wide(network, bias)).map(|(row, bias)| bias + product(row, inputs));
    sums.map(|sum| (sum >> WEIGHT_SHIFT).clamp(0, ACTIVATION_MAX) as i16).collect()
}

/// The weighted sum of the inputs. The loader has proved that it fits.
fn product(weights: &[i16], inputs: &[i16]) -> i32 {
    weights.iter().zip(inputs).map(|(&weight, &input)| i32::from(weight) * i32::from(input)).sum()
}
