//! What joins the accumulators when activations are made.

use super::aligned::Aligned;
use super::architecture::ACTIVATION_MAX;
use crate::memory::Memory;

/// Bias plus zero points of every neuron, in 32 bits and, where that is exact, in 16.
///
/// An activation is `clamp(p + t + b, 0, 255)` with 16-bit p and t. In 16-bit additions that stop at the
/// ends, a sum p + t that stops is 32,767 or −32,768. It is then a case of 255 or 0, and it stays one after
/// b is added if b is at least 255 − 32,767 and at most 32,767. An end met only when b is added lies beyond
/// the clamp already.
pub struct Base {
    wide: Aligned<i32>,
    narrow: Option<Aligned<i16>>,
}

/// The least value that 16-bit additions are exact for.
const LEAST: i32 = ACTIVATION_MAX - i16::MAX as i32;

impl Base {
    /// One value a neuron.
    pub fn new(values: Aligned<i32>) -> Self {
        let exact = |value: &i32| (LEAST..=i32::from(i16::MAX)).contains(value);
        let narrow = values.iter().all(exact).then(|| {
            let mut narrow = Aligned::<i16>::zeros(values.len());
            for (at, &value) in narrow.iter_mut().zip(&*values) {
                *at = value as i16;
            }
            narrow
        });
        Self { wide: values, narrow }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        self.wide.memory() + self.narrow.iter().map(Aligned::memory).sum()
    }

    /// The values in 32 bits.
    #[inline]
    pub fn wide(&self) -> &[i32] {
        &self.wide
    }

    /// The values in 16 bits, unless one of them needs more.
    #[inline]
    pub fn narrow(&self) -> Option<&[i16]> {
        self.narrow.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_are_kept_up_to_the_last_exact_value() {
        for exact in [-32_512, -1, 0, 32_767] {
            let base = Base::new(Aligned::copy_of(&[0, exact]));
            assert_eq!(base.wide(), [0, exact]);
            assert_eq!(base.narrow(), Some(&[0, exact as i16][..]));
        }
        for wide in [-32_513, 32_768, -100_000] {
            let base = Base::new(Aligned::copy_of(&[0, wide]));
            assert_eq!((base.wide(), base.narrow()), (&[0, wide][..], None));
        }
    }

    /// The claim above at the ends: every sum of corners, with the least and the greatest base.
    #[test]
    fn sums_that_stop_at_the_ends_are_clamped_alike() {
        let corners =
            [-32_768_i16, -32_767, -32_513, -32_512, -257, -256, -1, 0, 1, 254, 255, 256, 32_511, 32_767];
        for base in [-32_512, -32_511, -256, -1, 0, 1, 255, 32_766, 32_767_i16] {
            for pieces in corners {
                for threats in corners {
                    let exact = i32::from(pieces) + i32::from(threats) + i32::from(base);
                    let stopping = pieces.saturating_add(threats).saturating_add(base);
                    assert_eq!(
                        i32::from(stopping).clamp(0, ACTIVATION_MAX),
                        exact.clamp(0, ACTIVATION_MAX),
                        "{pieces} + {threats} + {base}"
                    );
                }
            }
        }
    }
}
