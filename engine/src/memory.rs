//! How much memory something holds.

use std::iter::Sum;
use std::ops::Add;

/// Bytes by where they come from; those of the value itself are not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// From the allocator.
    pub heap: usize,
    /// Mapped for big tables. Up to two huge pages more may be taken for each, of which parts stay unused.
    pub mapped: usize,
}

impl Memory {
    /// Nothing but allocations.
    pub fn heap(bytes: usize) -> Self {
        Self { heap: bytes, mapped: 0 }
    }

    /// The place that a list has for its values.
    pub fn of_list<T>(list: &Vec<T>) -> Self {
        Self::heap(list.capacity() * size_of::<T>())
    }

    /// A value in a box.
    pub fn of_box<T>(value: &T) -> Self {
        Self::heap(size_of_val(value))
    }

    /// All together.
    pub fn bytes(self) -> usize {
        self.heap + self.mapped
    }
}

impl Add for Memory {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { heap: self.heap + other.heap, mapped: self.mapped + other.mapped }
    }
}

impl Sum for Memory {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}
