//! The components `prefetch-tt` and `prefetch-rows`: cache lines are asked for before they are needed.

/// The component `prefetch-tt`: the next position's slots in the transposition table and in the evaluation cache are
/// asked for before the move to it is made, as soon as its keys are known.
pub const SLOTS: bool = cfg!(all(feature = "prefetch-tt", target_arch = "x86_64"));

/// The component `prefetch-rows`: weight rows are asked for when they are listed.
pub const ROWS: bool = cfg!(all(feature = "prefetch-rows", target_arch = "x86_64"));

/// Fetches the cache line at `address` into all cache levels. Never faults, whatever the address. Without effect on
/// processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint: it reads nothing into the program and cannot fault. SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
