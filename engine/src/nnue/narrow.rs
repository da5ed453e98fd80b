//! The component `threats-i8`: threat rows in 8 bits, so that a row is half the cache lines.
//!
//! A row with a value outside −128…127 is flagged and read from the file's 16-bit table. Nothing is
//! rounded. Without the component every row is read from a copy of the 16-bit table. Both copies lie in
//! memory of the same kind, so that only the rows' width differs.

#[cfg(feature = "threats-i8")]
pub use narrowed::ThreatTables;
#[cfg(not(feature = "threats-i8"))]
pub use widest::ThreatTables;

#[cfg(feature = "threats-i8")]
mod narrowed {
    use crate::huge::HugeTable;
    use crate::nnue::beside::beside;
    use crate::nnue::progress::Progress;

    /// Rows between two looks at how far the work has come: about a megabyte.
    const STEP: usize = 512;

    /// The 8-bit copy, made when the net is loaded.
    pub struct ThreatTables {
        rows: HugeTable<i8>,
        fits: Vec<bool>,
    }

    impl ThreatTables {
        /// The bytes that a table of so many values has at least.
        pub fn least_bytes(values: usize) -> usize {
            values
        }

        /// Copies the rows, half of them on a second thread.
        pub fn build(width: usize, wide: &[i16], progress: &Progress<'_>) -> std::io::Result<Self> {
            let mut rows = HugeTable::zeroed("threat rows", wide.len())?;
            let mut fits = vec![false; wide.len() / width];
            let middle = fits.len() / 2;
            let (rows_before, rows_behind) = rows.split_at_mut(middle * width);
            let (fits_before, fits_behind) = fits.split_at_mut(middle);
            let (wide_before, wide_behind) = wide.split_at(middle * width);
            beside(
                || narrow(width, wide_before, rows_before, fits_before, progress),
                || narrow(width, wide_behind, rows_behind, fits_behind, progress),
            );
            Ok(Self { rows, fits })
        }

        /// The 8-bit table.
        #[inline]
        pub fn narrow(&self) -> &[i8] {
            &self.rows
        }

        /// The 16-bit table: the file's.
        #[inline]
        pub fn wide<'a>(&'a self, file: &'a [i16]) -> &'a [i16] {
            file
        }

        /// Whether the row may be read from the 8-bit table.
        #[inline]
        pub fn is_narrow(&self, row: u32) -> bool {
            self.fits[row as usize]
        }
    }

    fn narrow(width: usize, wide: &[i16], rows: &mut [i8], fits: &mut [bool], progress: &Progress<'_>) {
        let rows = rows.chunks_mut(STEP * width).zip(wide.chunks(STEP * width));
        for (fits, (copies, wide)) in fits.chunks_mut(STEP).zip(rows) {
            let rows = copies.chunks_exact_mut(width).zip(wide.chunks_exact(width));
            for (fits, (copy, row)) in fits.iter_mut().zip(rows) {
                let mut lost = 0;
                for (at, &value) in copy.iter_mut().zip(row) {
                    *at = value as i8;
                    lost |= i16::from(*at) ^ value;
                }
                *fits = lost == 0;
            }
            progress.advance(size_of_val(wide));
        }
    }
}

#[cfg(not(feature = "threats-i8"))]
mod widest {
    use crate::huge::HugeTable;
    use crate::nnue::beside::beside;
    use crate::nnue::progress::Progress;

    /// Values between two looks at how far the work has come: a megabyte.
    const STEP: usize = 1 << 19;

    /// The 16-bit copy, made when the net is loaded.
    pub struct ThreatTables(HugeTable<i16>);

    impl ThreatTables {
        /// The bytes that a table of so many values has at least.
        pub fn least_bytes(values: usize) -> usize {
            2 * values
        }

        /// Copies the rows, half of them on a second thread.
        pub fn build(width: usize, wide: &[i16], progress: &Progress<'_>) -> std::io::Result<Self> {
            let mut rows = HugeTable::zeroed("threat rows", wide.len())?;
            let middle = wide.len() / width / 2 * width;
            let (before, behind) = rows.split_at_mut(middle);
            let copy = |to: &mut [i16], from: &[i16]| {
                for (to, from) in to.chunks_mut(STEP).zip(from.chunks(STEP)) {
                    to.copy_from_slice(from);
                    progress.advance(size_of_val(from));
                }
            };
            beside(|| copy(before, &wide[..middle]), || copy(behind, &wide[middle..]));
            Ok(Self(rows))
        }

        /// No 8-bit table.
        #[inline]
        pub fn narrow(&self) -> &[i8] {
            &[]
        }

        /// The 16-bit table: the copy of the file's.
        #[inline]
        pub fn wide<'a>(&'a self, _file: &'a [i16]) -> &'a [i16] {
            &self.0
        }

        /// No row.
        #[inline]
        pub fn is_narrow(&self, _row: u32) -> bool {
            false
        }
    }
}
