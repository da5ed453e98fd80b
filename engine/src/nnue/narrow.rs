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

    /// The 8-bit copy, made when the net is loaded.
    pub struct ThreatTables {
        rows: HugeTable<i8>,
        fits: Vec<bool>,
    }

    impl ThreatTables {
        /// Copies the rows, half of them on a second thread.
        pub fn build(width: usize, wide: &[i16]) -> std::io::Result<Self> {
            let mut rows = HugeTable::zeroed("threat rows", wide.len())?;
            let mut fits = vec![false; wide.len() / width];
            let middle = fits.len() / 2;
            let (rows_before, rows_behind) = rows.split_at_mut(middle * width);
            let (fits_before, fits_behind) = fits.split_at_mut(middle);
            let (wide_before, wide_behind) = wide.split_at(middle * width);
            std::thread::scope(|scope| {
                scope.spawn(|| narrow(width, wide_before, rows_before, fits_before));
                narrow(width, wide_behind, rows_behind, fits_behind);
            });
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

    fn narrow(width: usize, wide: &[i16], rows: &mut [i8], fits: &mut [bool]) {
        let rows = rows.chunks_exact_mut(width).zip(wide.chunks_exact(width));
        for (fits, (copy, row)) in fits.iter_mut().zip(rows) {
            let mut lost = 0;
            for (at, &value) in copy.iter_mut().zip(row) {
                *at = value as i8;
                lost |= i16::from(*at) ^ value;
            }
            *fits = lost == 0;
        }
    }
}

#[cfg(not(feature = "threats-i8"))]
mod widest {
    use crate::huge::HugeTable;

    /// The 16-bit copy, made when the net is loaded.
    pub struct ThreatTables(HugeTable<i16>);

    impl ThreatTables {
        /// Copies the rows, half of them on a second thread.
        pub fn build(width: usize, wide: &[i16]) -> std::io::Result<Self> {
            let mut rows = HugeTable::zeroed("threat rows", wide.len())?;
            let middle = wide.len() / width / 2 * width;
            let (before, behind) = rows.split_at_mut(middle);
            std::thread::scope(|scope| {
                scope.spawn(|| before.copy_from_slice(&wide[..middle]));
                behind.copy_from_slice(&wide[middle..]);
            });
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
