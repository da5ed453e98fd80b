//! Memory for tables of hundreds of megabytes.

use bytemuck::Pod;
use memmap2::MmapMut;

/// A fixed number of values, zero at first, in pages of their own: huge ones where the system has them, so
/// that scattered reads miss fewer address translations.
pub struct Block<T> {
    map: MmapMut,
    values: std::marker::PhantomData<T>,
}

impl<T: Pod> Block<T> {
    /// `len` zeros, or what the system said instead.
    pub fn zeros(len: usize) -> std::io::Result<Self> {
        let map = MmapMut::map_anon(len * size_of::<T>())?;
        // Only advice: a system without huge pages refuses it, and the block is as good with small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, values: std::marker::PhantomData })
    }
}

impl<T: Pod> std::ops::Deref for Block<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map)
    }
}

impl<T: Pod> std::ops::DerefMut for Block<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_start_on_a_page_and_stay() {
        let mut block = Block::<i16>::zeros(5 << 20).unwrap();
        assert!(block.as_ptr().addr().is_multiple_of(4096) && block.len() == 5 << 20);
        assert!(block.iter().all(|&value| value == 0));
        let last = block.len() - 1;
        block[last] = -7;
        assert_eq!(block[last], -7);
    }

    #[test]
    fn a_block_may_be_empty_but_not_endless() {
        assert!(Block::<i8>::zeros(0).unwrap().is_empty());
        assert!(Block::<i8>::zeros(isize::MAX as usize / 2).is_err());
    }
}
