//! The component `threats-i8`: threat rows in 8 bits, so that a row is half the cache lines.
//!
//! A row with a value outside −128…127 is flagged and read from the 16-bit table. Nothing is rounded.

#[cfg(feature = "threats-i8")]
pub use copied::NarrowRows;
#[cfg(not(feature = "threats-i8"))]
pub use empty::NarrowRows;

#[cfg(feature = "threats-i8")]
mod copied {
    use crate::nnue::aligned::Aligned;

    /// The 8-bit copy, made when the net is loaded.
    pub struct NarrowRows {
        rows: Aligned<i8>,
        fits: Vec<bool>,
    }

    impl NarrowRows {
        /// Copies the rows that fit.
        pub fn build(width: usize, wide: &[i16]) -> Self {
            let mut rows = Aligned::zeros(wide.len());
            let mut fits = Vec::with_capacity(wide.len() / width);
            for (copy, row) in rows.chunks_exact_mut(width).zip(wide.chunks_exact(width)) {
                let mut lost = 0;
                for (at, &value) in copy.iter_mut().zip(row) {
                    *at = value as i8;
                    lost |= i16::from(*at) ^ value;
                }
                fits.push(lost == 0);
            }
            Self { rows, fits }
        }

        /// The table.
        #[inline]
        pub fn table(&self) -> &[i8] {
            &self.rows
        }

        /// Whether the row may be read from the table.
        #[inline]
        pub fn holds(&self, row: u32) -> bool {
            self.fits[row as usize]
        }
    }
}

#[cfg(not(feature = "threats-i8"))]
mod empty {
    /// Without the component every row is read from the 16-bit table.
    pub struct NarrowRows;

    impl NarrowRows {
        /// Copies nothing.
        pub fn build(_width: usize, _wide: &[i16]) -> Self {
            Self
        }

        /// No table.
        #[inline]
        pub fn table(&self) -> &[i8] {
            &[]
        }

        /// No row.
        #[inline]
        pub fn holds(&self, _row: u32) -> bool {
            false
        }
    }
}
