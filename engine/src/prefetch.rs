//! The component `prefetch` in one place: asks the processor for a cache line before it is needed.

/// Fetches the cache line at `address` into all cache levels. Never faults, whatever the address.
#[cfg(all(feature = "prefetch", target_arch = "x86_64"))]
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch is a hint: it reads nothing into the program and cannot fault. SSE is part of x86-64.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// Without the component, and on other processors, nothing happens.
#[cfg(not(all(feature = "prefetch", target_arch = "x86_64")))]
#[inline(always)]
pub fn prefetch<T>(_address: *const T) {}
