//! Memory that starts on a cache line.

use bytemuck::{Pod, Zeroable};

use crate::memory::Memory;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

/// A fixed number of values from a cache line's start on, zero at first.
#[derive(Clone)]
pub struct Aligned<T> {
    lines: Vec<CacheLine>,
    len: usize,
    values: std::marker::PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(64);
        Self { lines: bytemuck::allocation::zeroed_vec(lines), len, values: std::marker::PhantomData }
    }

    /// A copy of `values`.
    pub fn copy_of(values: &[T]) -> Self {
        let mut copy = Self::zeros(values.len());
        copy.copy_from_slice(values);
        copy
    }
}

impl<T> Aligned<T> {
    /// What it holds.
    pub fn memory(&self) -> Memory {
        Memory::of_list(&self.lines)
    }
}

impl<T: Pod> std::ops::Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl<T: Pod> std::ops::DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}
