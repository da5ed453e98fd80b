//! The shape of a net: what the header says and which shapes the kernels support.

use super::error::ShapeError;

/// Rows of all threat pairs (see `features::threats` for the count).
pub const THREAT_ROWS: usize = 86_808;
/// Piece rows of one king bucket: 12 pieces on 64 squares.
pub const ROWS_PER_BUCKET: usize = 768;
/// Upper end of every activation.
pub const ACTIVATION_MAX: i32 = 255;
/// Fixed-point shift of the later layers' weights.
pub const WEIGHT_SHIFT: u32 = 14;
/// Widths are multiples of this: two 512-bit registers of accumulator values.
pub const WIDTH_STEP: usize = 64;
/// Largest width the kernels' index types and stacks are made for.
pub const MAX_WIDTH: usize = 4096;
/// Layer sizes after the accumulator for which there are kernels.
pub const HIDDEN_SIZES: [usize; 3] = [16, 32, 64];
/// Squares of the mirrored half board.
pub const KING_SQUARES: usize = 32;

/// Everything that the header fixes about a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Neurons of one view.
    pub width: usize,
    /// Sets of piece rows, chosen by the own king's square.
    pub king_buckets: usize,
    /// 0 or [`THREAT_ROWS`].
    pub threat_rows: usize,
    /// Outputs of layer 2.
    pub hidden2: usize,
    /// Outputs of layer 3.
    pub hidden3: usize,
    /// Centipawns of a full output.
    pub output_scale: u32,
    /// Bucket of each king square of the half board: rank · 4 + file, files a–d.
    pub king_map: [u8; KING_SQUARES],
}

#[rustfmt::skip]
const EIGHT_BUCKETS: [u8; KING_SQUARES] = [
    0, 1, 2, 3,
    4, 4, 5, 5,
    6, 6, 6, 6,
    6, 6, 6, 6,
    7, 7, 7, 7,
    7, 7, 7, 7,
    7, 7, 7, 7,
    7, 7, 7, 7,
];

#[rustfmt::skip]
const FOUR_BUCKETS: [u8; KING_SQUARES] = [
    0, 0, 1, 1,
    2, 2, 2, 2,
    3, 3, 3, 3,
    3, 3, 3, 3,
    3, 3, 3, 3,
    3, 3, 3, 3,
    3, 3, 3, 3,
    3, 3, 3, 3,
];

impl Architecture {
    /// The older main net.
    pub const MAIN4: Self = Self {
        width: 768,
        king_buckets: 4,
        threat_rows: 0,
        hidden2: 16,
        hidden3: 32,
        output_scale: 159,
        king_map: FOUR_BUCKETS,
    };
    /// The main net.
    pub const MAIN: Self =
        Self { king_buckets: 8, output_scale: 153, king_map: EIGHT_BUCKETS, ..Self::MAIN4 };
    /// The teacher.
    pub const T1536: Self = Self {
        width: 1536,
        threat_rows: THREAT_ROWS,
        hidden2: 64,
        hidden3: 64,
        output_scale: 138,
        ..Self::MAIN
    };

    /// The known shapes by name.
    pub const NAMED: [(&'static str, Self); 3] =
        [("main4", Self::MAIN4), ("main", Self::MAIN), ("t1536", Self::T1536)];

    /// The shape called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, shape)| shape)
    }

    /// The name of this shape, whatever its bucket map and output scale.
    pub fn name(&self) -> Option<&'static str> {
        let key = |a: &Self| (a.width, a.king_buckets, a.threat_rows, a.hidden2, a.hidden3);
        Self::NAMED.iter().find(|(_, shape)| key(shape) == key(self)).map(|(name, _)| *name)
    }

    /// All piece rows.
    pub fn piece_rows(&self) -> usize {
        self.king_buckets * ROWS_PER_BUCKET
    }

    /// Whether the net has threat rows.
    pub fn has_threats(&self) -> bool {
        self.threat_rows != 0
    }

    /// Inputs of layer 2: both views.
    pub fn inputs(&self) -> usize {
        2 * self.width
    }

    /// The payload's arrays.
    pub fn sections(&self) -> Sections {
        Sections::new(self)
    }

    /// Numbers in the payload.
    pub fn parameters(&self) -> u64 {
        let s = self.sections();
        ((s.bytes() - s.thirty_two_bit_values() * 4) / 2 + s.thirty_two_bit_values()) as u64
    }

    /// Refuses what no kernel supports.
    pub fn check(&self) -> Result<(), ShapeError> {
        let refuse = |reason: String| Err(ShapeError { shape: self.to_string(), reason });
        if self.width == 0 || !self.width.is_multiple_of(WIDTH_STEP) || self.width > MAX_WIDTH {
            return refuse(format!("width must be a multiple of {WIDTH_STEP} up to {MAX_WIDTH}"));
        }
        if self.king_buckets == 0 || self.king_buckets > KING_SQUARES {
            return refuse(format!("king buckets must be 1 to {KING_SQUARES}"));
        }
        if self.threat_rows != 0 && self.threat_rows != THREAT_ROWS {
            return refuse(format!("threat rows must be 0 or {THREAT_ROWS}"));
        }
        for (layer, size) in [(2, self.hidden2), (3, self.hidden3)] {
            if !HIDDEN_SIZES.contains(&size) {
                return refuse(format!("hidden {layer} must be one of {HIDDEN_SIZES:?}"));
            }
        }
        match self.king_map.iter().position(|&bucket| usize::from(bucket) >= self.king_buckets) {
            Some(square) => refuse(format!(
                "king square {square} of the half board has bucket {} of {}",
                self.king_map[square], self.king_buckets
            )),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "width {}, {} king buckets, {} threat rows, hidden {} and {}, output scale {}",
            self.width, self.king_buckets, self.threat_rows, self.hidden2, self.hidden3, self.output_scale
        )
    }
}

/// Byte ranges of the payload's arrays, in file order, counted from the payload's start.
#[derive(Clone, Debug)]
pub struct Sections {
    ends: [usize; 9],
    wide_values: usize,
}

/// The payload's arrays in file order.
#[derive(Clone, Copy, Debug)]
pub enum Section {
    /// Piece rows.
    Pieces,
    /// Threat rows.
    Threats,
    /// Accumulator bias.
    Bias,
    /// Layer 2 weights.
    Weights2,
    /// Layer 2 bias.
    Bias2,
    /// Layer 3 weights.
    Weights3,
    /// Layer 3 bias.
    Bias3,
    /// Output weights.
    Weights4,
    /// Output bias.
    Bias4,
}

impl Sections {
    fn new(a: &Architecture) -> Self {
        let sizes = [
            2 * a.piece_rows() * a.width,
            2 * a.threat_rows * a.width,
            2 * a.width,
            2 * a.hidden2 * a.inputs(),
            4 * a.hidden2,
            2 * a.hidden3 * a.hidden2,
            4 * a.hidden3,
            2 * a.hidden3,
            4,
        ];
        let mut ends = [0; 9];
        let mut end = 0;
        for (at, size) in ends.iter_mut().zip(sizes) {
            end += size;
            *at = end;
        }
        Self { ends, wide_values: a.hidden2 + a.hidden3 + 1 }
    }

    /// Where the array lies.
    pub fn range(&self, section: Section) -> std::ops::Range<usize> {
        let i = section as usize;
        (if i == 0 { 0 } else { self.ends[i - 1] })..self.ends[i]
    }

    /// Length of the whole payload.
    pub fn bytes(&self) -> usize {
        self.ends[8]
    }

    fn thirty_two_bit_values(&self) -> usize {
        self.wide_values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_sizes() {
        for (shape, parameters, payload) in [
            (Architecture::MAIN4, 2_385_233, 4_770_564),
            (Architecture::MAIN, 4_744_529, 9_489_156),
            (Architecture::T1536, 142_976_705, 285_953_668),
        ] {
            assert_eq!(shape.parameters(), parameters);
            assert_eq!(shape.sections().bytes(), payload);
            shape.check().unwrap();
        }
    }

    #[test]
    fn unsupported_shapes_are_named() {
        for wrong in [
            Architecture { width: 96, ..Architecture::MAIN },
            Architecture { width: 0, ..Architecture::MAIN },
            Architecture { width: 8192, ..Architecture::MAIN },
            Architecture { king_buckets: 0, ..Architecture::MAIN },
            Architecture { king_buckets: 7, ..Architecture::MAIN },
            Architecture { threat_rows: 86_807, ..Architecture::MAIN },
            Architecture { hidden2: 8, ..Architecture::MAIN },
            Architecture { hidden3: 48, ..Architecture::MAIN },
        ] {
            let error = wrong.check().unwrap_err().to_string();
            assert!(error.contains(&wrong.to_string()), "{error}");
        }
    }
}
