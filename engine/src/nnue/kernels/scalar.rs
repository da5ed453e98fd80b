//! The kernels in plain Rust: the reference for the others.

use super::{Accumulated, Rows, Scratch, output};
use crate::nnue::architecture::{ACTIVATION_MAX, WEIGHT_SHIFT};
use crate::nnue::head::{Head, Layer, Layout, MAX_HIDDEN};

/// Columns that are summed at a time when all rows are taken together: what fits registers.
const TILE: usize = 64;

pub(super) fn update<const FUSED: bool>(
    source: &[i16],
    target: &mut [i16],
    wide: Rows<'_, i16>,
    narrow: Rows<'_, i8>,
) {
    target.copy_from_slice(source);
    if FUSED {
        for (tile, sums) in target.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut local = *sums;
            apply(&mut local, (tile * TILE, source.len()), wide, |value| value);
            apply(&mut local, (tile * TILE, source.len()), narrow, i16::from);
            *sums = local;
        }
    } else {
        apply(target, (0, source.len()), wide, |value| value);
        apply(target, (0, source.len()), narrow, i16::from);
    }
}

/// Takes the rows, `width` long, of the columns from `column` on.
#[inline(always)]
fn apply<T: Copy>(
    sums: &mut [i16],
    (column, width): (usize, usize),
    rows: Rows<'_, T>,
    widen: impl Fn(T) -> i16,
) {
    let count = sums.len();
    let row = |row: u32| &rows.table[row as usize * width + column..][..count];
    for &added in rows.added {
        for (sum, &value) in sums.iter_mut().zip(row(added)) {
            *sum = sum.wrapping_add(widen(value));
        }
    }
    for &removed in rows.removed {
        for (sum, &value) in sums.iter_mut().zip(row(removed)) {
            *sum = sum.wrapping_sub(widen(value));
        }
    }
}

pub(super) fn forward<const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    head: &Head,
    scratch: &mut Scratch,
) -> i32 {
    scratch.check(accumulated, head);
    let base = accumulated.base.wide();
    let width = base.len();
    for (view, inputs) in scratch.wide[..2 * width].chunks_exact_mut(width).enumerate() {
        for (j, input) in inputs.iter_mut().enumerate() {
            let threats = accumulated.threats.map_or(0, |threats| i32::from(threats[view][j]));
            let sum = base[j] + i32::from(accumulated.pieces[view][j]) + threats;
            *input = sum.clamp(0, ACTIVATION_MAX) as i16;
        }
    }
    let mut hidden2 = [0; MAX_HIDDEN];
    let mut hidden3 = [0; MAX_HIDDEN];
    layer::<SPARSE>(&head.layer2, &scratch.wide[..2 * width], &mut hidden2);
    layer::<false>(&head.layer3, &hidden2[..head.layer3.inputs()], &mut hidden3);
    output(head, &hidden3)
}

fn layer<const SPARSE: bool>(layer: &Layer, inputs: &[i16], outputs: &mut [i16; MAX_HIDDEN]) {
    let count = layer.outputs();
    let mut sums = [0_i32; MAX_HIDDEN];
    sums[..count].copy_from_slice(&layer.bias);
    match layer.layout {
        Layout::Pairs => {
            for (pair, weights) in inputs.chunks_exact(2).zip(layer.weights.chunks_exact(2 * count)) {
                if SPARSE && pair == [0, 0] {
                    continue;
                }
                for (sum, weight) in sums.iter_mut().zip(weights.chunks_exact(2)) {
                    let first = i32::from(weight[0]) * i32::from(pair[0]);
                    let second = i32::from(weight[1]) * i32::from(pair[1]);
                    *sum = sum.wrapping_add(first).wrapping_add(second);
                }
            }
        }
        Layout::Singles => {
            for (&input, weights) in inputs.iter().zip(layer.weights.chunks_exact(count)) {
                if SPARSE && input == 0 {
                    continue;
                }
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(i32::from(weight) * i32::from(input));
                }
            }
        }
    }
    for (output, sum) in outputs.iter_mut().zip(&sums[..count]) {
        *output = (sum >> WEIGHT_SHIFT).clamp(0, ACTIVATION_MAX) as i16;
    }
}
