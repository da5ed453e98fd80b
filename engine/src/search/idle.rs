//! Code that is never executed (feature `lab-null`): a component that does nothing.
//!
//! It has a kilobyte and a half of instructions, so that in an ordinary build what lies behind them lies elsewhere.
//! A speed-up that such a component seems to bring is the luck of a layout.

/// Keeps the code in the executable without ever calling it.
pub fn keep() {
    #[cfg(feature = "lab-null")]
    std::hint::black_box(code as fn(u64) -> u64);
}

#[cfg(feature = "lab-null")]
#[inline(never)]
fn code(mut state: u64) -> u64 {
    macro_rules! steps {
        ($($constant:literal)*) => { $(
            state = (state ^ $constant).rotate_left(state as u32).wrapping_mul($constant | 1);
        )* };
    }
    // Fractions of the square roots of the first primes, as in SHA-512.
    steps! {
        0x6a09e667f3bcc908 0xbb67ae8584caa73b 0x3c6ef372fe94f82b 0xa54ff53a5f1d36f1
        0x510e527fade682d1 0x9b05688c2b3e6c1f 0x1f83d9abfb41bd6b 0x5be0cd19137e2179
        0xcbbb9d5dc1059ed8 0x629a292a367cd507 0x9159015a3070dd17 0x152fecd8f70e5939
        0x67332667ffc00b31 0x8eb44a8768581511 0xdb0c2e0d64f98fa7 0x47b5481dbefa4fa4
        0x6a09e667f3bcc909 0xbb67ae8584caa73d 0x3c6ef372fe94f82d 0xa54ff53a5f1d36f3
        0x510e527fade682d3 0x9b05688c2b3e6c21 0x1f83d9abfb41bd6d 0x5be0cd19137e217b
        0xcbbb9d5dc1059eda 0x629a292a367cd509 0x9159015a3070dd19 0x152fecd8f70e593b
        0x67332667ffc00b33 0x8eb44a8768581513 0xdb0c2e0d64f98fa9 0x47b5481dbefa4fa6
    }
    state
}
