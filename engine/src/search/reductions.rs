//! Late move reductions: the product of the logarithms of depth and move number, in whole numbers so that
//! every machine reduces alike.

use super::params::{REDUCTION_BASE, REDUCTION_DIVISOR};

const SIZE: usize = 64;

/// Natural logarithm in 1024ths, by repeated squaring of the binary one.
const fn ln_1024(n: u64) -> i32 {
    assert!(n > 0);
    let whole = 63 - n.leading_zeros();
    // The mantissa in [1, 2) with 30 fractional bits.
    let mut mantissa = (n << 30) >> whole;
    let mut log2 = (whole as u64) << 20;
    let mut bit = 1 << 19;
    while bit > 0 {
        mantissa = (mantissa * mantissa) >> 30;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            log2 |= bit;
        }
        bit >>= 1;
    }
    // ln 2 in 2^-20ths
    ((log2 * 726_817) >> 30) as i32
}

static TABLE: [[i32; SIZE]; SIZE] = {
    let mut table = [[0; SIZE]; SIZE];
    let mut depth = 1;
    while depth < SIZE {
        let mut number = 1;
        while number < SIZE {
            let product = ln_1024(depth as u64) * ln_1024(number as u64);
            table[depth][number] = REDUCTION_BASE + product / REDUCTION_DIVISOR;
            number += 1;
        }
        depth += 1;
    }
    table
};

/// Reduction of the `number`-th move at `depth`, in 1024ths of a ply.
pub fn reduction(depth: i32, number: usize) -> i32 {
    TABLE[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for n in 1..=1000u64 {
            let expected = (n as f64).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - expected).abs() < 1.5, "{n}: {} for {expected}", ln_1024(n));
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        for depth in 2..SIZE as i32 {
            for number in 2..SIZE {
                assert!(reduction(depth, number) >= reduction(depth - 1, number));
                assert!(reduction(depth, number) >= reduction(depth, number - 1));
            }
        }
        assert_eq!(reduction(200, 500), reduction(63, 63));
        assert!((1024..3 * 1024).contains(&reduction(10, 10)));
    }
}
