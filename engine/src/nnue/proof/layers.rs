//! Bounds of the later layers, whose inputs are 0…255 each.

use crate::nnue::architecture::{ACTIVATION_MAX, Architecture, WEIGHT_SHIFT};
use crate::nnue::error::Refusal;

/// Weights and biases of the layers after the accumulator, as they lie in the file.
pub(in crate::nnue) struct Layers<'a> {
    pub weights2: &'a [i16],
    pub bias2: &'a [i32],
    pub weights3: &'a [i16],
    pub bias3: &'a [i32],
    pub weights4: &'a [i16],
    pub bias4: i32,
}

/// Proves that the sums of layers 2 and 3 fit 32 bits, and the output 64 bits and its value 32.
pub(in crate::nnue) fn prove_layers(architecture: &Architecture, layers: &Layers<'_>) -> Result<(), Refusal> {
    for (layer, weights, bias) in [(2, layers.weights2, layers.bias2), (3, layers.weights3, layers.bias3)] {
        let inputs = weights.len() / bias.len();
        for (neuron, (row, &bias)) in weights.chunks_exact(inputs).zip(bias).enumerate() {
            fits(&format!("layer {layer}, neuron {neuron}"), bounds(row, bias))?;
        }
    }
    fits("the output layer", bounds(layers.weights4, 0))?;
    let scale = i64::from(architecture.output_scale);
    let unit = i64::from(ACTIVATION_MAX) << WEIGHT_SHIFT;
    let (low, high) = bounds(layers.weights4, layers.bias4);
    // Both factors are below 2³³, so their product may leave 64 bits.
    let value = |sum: i64| sum.checked_mul(scale).map(|product| product / unit);
    match (value(low), value(high)) {
        (Some(low), Some(high)) => fits("the net value", (low, high)),
        _ => Err(Refusal::Overflow {
            place: "the net value".into(),
            allowed: "64 bits before the division".into(),
            found: format!("{low} to {high}, times output scale {scale}"),
        }),
    }
}

fn bounds(row: &[i16], bias: i32) -> (i64, i64) {
    let mut low = 0;
    let mut high = 0;
    // 32-bit partial sums of 4096 values vectorise and cannot overflow themselves.
    for part in row.chunks(4096) {
        low += i64::from(part.iter().map(|&weight| i32::from(weight.min(0))).sum::<i32>());
        high += i64::from(part.iter().map(|&weight| i32::from(weight.max(0))).sum::<i32>());
    }
    let max = i64::from(ACTIVATION_MAX);
    (low * max + i64::from(bias), high * max + i64::from(bias))
}

/// Refuses a sum whose bounds leave 32 bits.
pub(in crate::nnue) fn fits(place: &str, (low, high): (i64, i64)) -> Result<(), Refusal> {
    if low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX) {
        return Ok(());
    }
    Err(Refusal::Overflow {
        place: place.into(),
        allowed: format!("{} to {}", i32::MIN, i32::MAX),
        found: format!("{low} to {high}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_proved_up_to_their_last_value() {
        let edge = i32::MAX - 255 * 1000;
        fits("x", bounds(&[1000, -1000], edge)).unwrap();
        assert!(fits("x", bounds(&[1000, -1000], edge + 1)).is_err());
        let edge = i32::MIN + 255 * 1000;
        fits("x", bounds(&[1000, -1000], edge)).unwrap();
        assert!(fits("x", bounds(&[1000, -1000], edge - 1)).is_err());
        let many = vec![i16::MIN; 10_000];
        assert_eq!(bounds(&many, 0), (-255 * 32_768 * 10_000, 0));
    }

    #[test]
    fn the_value_is_proved_too() {
        let layers = |bias4| Layers {
            weights2: &[0; 64],
            bias2: &[0; 16],
            weights3: &[0; 16],
            bias3: &[0; 16],
            weights4: &[0; 16],
            bias4,
        };
        let scaled = |output_scale| Architecture { output_scale, ..Architecture::MAIN };
        prove_layers(&scaled(153), &layers(i32::MAX)).unwrap();
        // i32::MAX · scale / (255 · 16384) just below and just above 2³¹.
        prove_layers(&scaled(4_177_920), &layers(i32::MAX)).unwrap();
        assert!(prove_layers(&scaled(4_177_921), &layers(i32::MAX)).is_err());
        assert!(prove_layers(&scaled(u32::MAX), &layers(i32::MIN)).is_err());
    }
}
