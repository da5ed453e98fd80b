//! A list of fixed capacity, for row numbers and pairs.

/// Up to `N` values without allocation. Pushing beyond `N` panics: every use proves its bound.
#[derive(Clone, Debug)]
pub struct List<T, const N: usize> {
    values: [T; N],
    len: usize,
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Nothing yet.
    #[inline]
    pub fn new() -> Self {
        Self { values: [T::default(); N], len: 0 }
    }

    /// Forgets the values.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.values[self.len] = value;
        self.len += 1;
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> std::ops::Deref for List<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.values[..self.len]
    }
}
