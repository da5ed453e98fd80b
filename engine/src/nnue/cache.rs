//! The component `eval-cache`: values of positions met before.

#[cfg(not(feature = "eval-cache"))]
pub use absent::EvalCache;
#[cfg(feature = "eval-cache")]
pub use present::EvalCache;

#[cfg(feature = "eval-cache")]
mod present {
    use std::alloc::{Layout, handle_alloc_error};

    use crate::huge::HugeTable;
    use crate::memory::Memory;
    use crate::prefetch::prefetch;

    const SLOTS: usize = 65_536;
    /// Marks an empty slot; so small a value is not kept.
    const EMPTY: i16 = i16::MIN;

    /// 65,536 slots of one thread: the key's upper 48 bits, and 16 bits of value.
    ///
    /// The lower 16 bits of the key choose the slot, so a hit has all 64 bits equal. The value is
    /// kept exclusive-or'd with [`EMPTY`], so that zeroed memory is an empty cache.
    pub struct EvalCache(HugeTable<u64>);

    impl EvalCache {
        pub fn new() -> Self {
            let slots = HugeTable::zeroed("eval cache", SLOTS);
            Self(slots.unwrap_or_else(|_| handle_alloc_error(Layout::new::<[u64; SLOTS]>())))
        }

        pub fn clear(&mut self) {
            self.0.fill(0);
        }

        /// What it holds.
        pub fn memory(&self) -> Memory {
            self.0.memory()
        }

        /// Asks for the key's slot ahead of its use.
        #[inline]
        pub fn prefetch(&self, key: u64) {
            prefetch(&raw const self.0[key as usize % SLOTS]);
        }

        #[inline]
        pub fn get(&self, key: u64) -> Option<i32> {
            let slot = self.0[key as usize % SLOTS];
            let value = slot as i16 ^ EMPTY;
            ((slot ^ key) >> 16 == 0 && value != EMPTY).then_some(i32::from(value))
        }

        /// Keeps a value that fits 16 bits.
        #[inline]
        pub fn put(&mut self, key: u64, value: i32) {
            if let Ok(value) = i16::try_from(value)
                && value != EMPTY
            {
                self.0[key as usize % SLOTS] = key & !0xffff | u64::from((value ^ EMPTY) as u16);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn keeps_exact_values_only() {
            let mut cache = EvalCache::new();
            assert_eq!(cache.get(0), None);
            for (key, value) in [(0, 0), (0x1234_0007, -1), (u64::MAX, 32_767), (5, -32_767)] {
                cache.put(key, value);
                assert_eq!(cache.get(key), Some(value));
                assert_eq!(cache.get(key ^ 1 << 16), None);
                assert_eq!(cache.get(key ^ 1 << 63), None);
            }
            for large in [32_768, -32_768, i32::MAX] {
                cache.put(77, large);
                assert_eq!(cache.get(77), None);
            }
            cache.clear();
            assert_eq!(cache.get(5), None);
        }
    }
}

#[cfg(not(feature = "eval-cache"))]
mod absent {
    use crate::memory::Memory;

    /// Without the component nothing is kept.
    pub struct EvalCache;

    impl EvalCache {
        pub fn new() -> Self {
            Self
        }

        pub fn clear(&mut self) {}

        pub fn memory(&self) -> Memory {
            Memory::default()
        }

        #[inline]
        pub fn prefetch(&self, _key: u64) {}

        #[inline]
        pub fn get(&self, _key: u64) -> Option<i32> {
            None
        }

        #[inline]
        pub fn put(&mut self, _key: u64, _value: i32) {}
    }
}
