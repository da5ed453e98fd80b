//! From accumulators to the output layer's sum, for every register width.

use super::activate::activate;
use super::lanes::Lanes;
use super::{Accumulated, Scratch, output};
use crate::nnue::head::{Head, Layer, Layout, MAX_HIDDEN};

/// Inputs or pairs that are taken in one step.
const STEP: usize = 4;

/// The output layer's weighted sum, without its bias.
///
/// # Safety
/// The processor must have the instructions.
#[inline(always)]
pub(super) unsafe fn forward<L: Lanes, const SPARSE: bool>(
    accumulated: &Accumulated<'_>,
    head: &Head,
    scratch: &mut Scratch,
) -> i32 {
    scratch.check(accumulated, head);
    let mut hidden2 = [0; MAX_HIDDEN];
    let mut hidden3 = [0; MAX_HIDDEN];
    // SAFETY: by the caller; the lengths have been checked.
    unsafe {
        let layer = &head.layer2;
        match layer.layout {
            Layout::Pairs => {
                activate::<L, SPARSE, true>(accumulated, scratch);
                let pairs = layer.inputs() / 2;
                if SPARSE {
                    let steps = active::<L>(&scratch.nonzero[..pairs / 32], &mut scratch.active);
                    by_pairs::<L>(layer, &scratch.wide, steps, &mut hidden2);
                } else {
                    by_pairs::<L>(layer, &scratch.wide, every(pairs), &mut hidden2);
                }
            }
            Layout::Singles => {
                activate::<L, SPARSE, false>(accumulated, scratch);
                let inputs = layer.inputs();
                if SPARSE {
                    let steps = active::<L>(&scratch.nonzero[..inputs / 32], &mut scratch.active);
                    by_singles::<L>(layer, &scratch.narrow, steps, &mut hidden2);
                } else {
                    by_singles::<L>(layer, &scratch.narrow, every(inputs), &mut hidden2);
                }
            }
        }
        let layer = &head.layer3;
        by_pairs::<L>(layer, &hidden2, every(layer.inputs() / 2), &mut hidden3);
    }
    output(head, &hidden3)
}

/// The numbers of the bits that are set, filled up with the number behind the last bit, which is that of the zeros
/// behind the inputs.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
unsafe fn active<'a, L: Lanes>(
    words: &[u32],
    numbers: &'a mut [u16],
) -> impl Iterator<Item = [usize; STEP]> + use<'a, L> {
    // SAFETY: by the caller.
    let count = unsafe { L::list(words, numbers) };
    numbers[count..][..STEP].fill((words.len() * 32) as u16);
    let steps = numbers[..count.next_multiple_of(STEP)].as_chunks::<STEP>().0;
    steps.iter().map(|step| step.map(usize::from))
}

/// All numbers below `count`, a multiple of [`STEP`].
#[inline(always)]
fn every(count: usize) -> impl Iterator<Item = [usize; STEP]> {
    (0..count / STEP).map(|step| std::array::from_fn(|i| step * STEP + i))
}

/// A layer over the pairs with these numbers.
///
/// # Safety
/// As for [`pairs`].
#[inline(always)]
unsafe fn by_pairs<L: Lanes>(
    layer: &Layer,
    inputs: &[i16],
    steps: impl Iterator<Item = [usize; STEP]>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    // SAFETY: by the caller; the registers hold the layer's outputs.
    unsafe {
        match layer.outputs() {
            16 if L::COUNT == 32 => pairs::<L, 1, 4>(layer, inputs, steps, outputs),
            16 => pairs::<L, 2, 2>(layer, inputs, steps, outputs),
            32 if L::COUNT == 32 => pairs::<L, 2, 2>(layer, inputs, steps, outputs),
            32 => pairs::<L, 4, 1>(layer, inputs, steps, outputs),
            64 if L::COUNT == 32 => pairs::<L, 4, 1>(layer, inputs, steps, outputs),
            64 => pairs::<L, 8, 1>(layer, inputs, steps, outputs),
            other => unreachable!("{other} outputs passed the check of the shape"),
        }
    }
}

/// A layer over the inputs with these numbers.
///
/// # Safety
/// As for [`singles`].
#[inline(always)]
unsafe fn by_singles<L: Lanes>(
    layer: &Layer,
    inputs: &[u8],
    steps: impl Iterator<Item = [usize; STEP]>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    // SAFETY: by the caller; the registers hold the layer's outputs.
    unsafe {
        match layer.outputs() {
            32 if L::COUNT == 32 => singles::<L, 1, 2>(layer, inputs, steps, outputs),
            32 => singles::<L, 2, 1>(layer, inputs, steps, outputs),
            64 if L::COUNT == 32 => singles::<L, 2, 2>(layer, inputs, steps, outputs),
            64 => singles::<L, 4, 1>(layer, inputs, steps, outputs),
            other => unreachable!("{other} outputs are not packed in singles"),
        }
    }
}

/// A layer in pairs with 32-bit sums in N registers. `SETS` of them are summed apart, so that one addition
/// need not wait for the one before.
///
/// # Safety
/// The processor must have the instructions; the layer must have N registers of outputs, and both it and
/// `inputs` must have the pairs.
#[inline(always)]
unsafe fn pairs<L: Lanes, const N: usize, const SETS: usize>(
    layer: &Layer,
    inputs: &[i16],
    steps: impl Iterator<Item = [usize; STEP]>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    // SAFETY: by the caller.
    unsafe {
        let mut sums = [[L::zero(); N]; SETS];
        for (i, sum) in sums[0].iter_mut().enumerate() {
            *sum = L::load32(layer.bias.as_ptr().add(i * L::COUNT / 2));
        }
        for step in steps {
            for (k, pair) in step.into_iter().enumerate() {
                let values = L::pair(inputs.as_ptr().cast::<i32>().add(pair).read_unaligned());
                let weights = layer.weights.as_ptr().add(pair * N * L::COUNT);
                for (i, sum) in sums[k % SETS].iter_mut().enumerate() {
                    *sum = L::dot(*sum, L::load(weights.add(i * L::COUNT)), values);
                }
            }
        }
        let mut shifted = [L::zero(); N];
        for (i, shifted) in shifted.iter_mut().enumerate() {
            let mut sum = sums[0][i];
            for set in &sums[1..] {
                sum = L::add32(sum, set[i]);
            }
            *shifted = L::shift(sum);
        }
        // A single register is packed with zeros, which lie behind the outputs.
        for i in 0..N.div_ceil(2) {
            let high = if 2 * i + 1 < N { shifted[2 * i + 1] } else { L::zero() };
            let values = L::clamp(L::pack(shifted[2 * i], high));
            L::store(outputs.as_mut_ptr().add(i * L::COUNT), values);
        }
    }
}

/// A layer in singles with an input's weights in N registers, two inputs at a time. `SETS` as in [`pairs`].
///
/// # Safety
/// The processor must have the instructions; the layer must have N registers of outputs, and both it and
/// `inputs` must have the inputs.
#[inline(always)]
unsafe fn singles<L: Lanes, const N: usize, const SETS: usize>(
    layer: &Layer,
    inputs: &[u8],
    steps: impl Iterator<Item = [usize; STEP]>,
    outputs: &mut [i16; MAX_HIDDEN],
) {
    // SAFETY: by the caller.
    unsafe {
        let mut sums = [[[L::zero(); 2]; N]; SETS];
        for (i, sums) in sums[0].iter_mut().enumerate() {
            *sums = L::load32_interleaved(layer.bias.as_ptr().add(i * L::COUNT));
        }
        for [a, b, c, d] in steps {
            for (k, (first, second)) in [(a, b), (c, d)].into_iter().enumerate() {
                let low = i32::from(*inputs.get_unchecked(first));
                let high = i32::from(*inputs.get_unchecked(second));
                let values = L::pair(low | high << 16);
                let first = layer.weights.as_ptr().add(first * N * L::COUNT);
                let second = layer.weights.as_ptr().add(second * N * L::COUNT);
                for (i, sums) in sums[k % SETS].iter_mut().enumerate() {
                    let first = L::load(first.add(i * L::COUNT));
                    let second = L::load(second.add(i * L::COUNT));
                    let [low, high] = L::interleave(first, second);
                    sums[0] = L::dot(sums[0], low, values);
                    sums[1] = L::dot(sums[1], high, values);
                }
            }
        }
        for i in 0..N {
            let mut all = sums[0][i];
            for set in &sums[1..] {
                all = [L::add32(all[0], set[i][0]), L::add32(all[1], set[i][1])];
            }
            let values = L::clamp(L::pack_interleaved([L::shift(all[0]), L::shift(all[1])]));
            L::store(outputs.as_mut_ptr().add(i * L::COUNT), values);
        }
    }
}
