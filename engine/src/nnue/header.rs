//! The 112 bytes before the payload.
//!
//! | offset | content |
//! |---|---|
//! | 0 | magic `TEMPONET` |
//! | 8 | 10 × u32: version, width, king buckets, piece rows, threat rows, hidden 2, hidden 3, output scale, activation max, weight shift |
//! | 48 | bucket of each of the 32 king squares |
//! | 80 | SHA-256 of the payload |

use super::architecture::{ACTIVATION_MAX, Architecture, ROWS_PER_BUCKET, WEIGHT_SHIFT};
use super::error::Refusal;

/// Length of the header.
pub const HEADER_BYTES: usize = 112;
/// First bytes of every net file.
pub const MAGIC: &[u8; 8] = b"TEMPONET";
/// The format version of this program.
pub const VERSION: u32 = 1;

/// A parsed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The shape.
    pub architecture: Architecture,
    /// SHA-256 of everything after the header.
    pub payload_hash: [u8; 32],
}

impl Header {
    /// The header's bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let a = &self.architecture;
        let numbers = [
            VERSION,
            a.width as u32,
            a.king_buckets as u32,
            a.piece_rows() as u32,
            a.threat_rows as u32,
            a.hidden2 as u32,
            a.hidden3 as u32,
            a.output_scale,
            ACTIVATION_MAX as u32,
            WEIGHT_SHIFT,
        ];
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        for (at, number) in bytes[8..48].chunks_exact_mut(4).zip(numbers) {
            at.copy_from_slice(&number.to_le_bytes());
        }
        bytes[48..80].copy_from_slice(&a.king_map);
        bytes[80..].copy_from_slice(&self.payload_hash);
        bytes
    }

    /// Reads and checks the header of a whole file, and the file's length.
    pub fn of_file(file: &[u8]) -> Result<Self, Refusal> {
        let header = Self::parse(file)?;
        let expected = (HEADER_BYTES + header.architecture.sections().bytes()) as u64;
        let found = file.len() as u64;
        if found == expected { Ok(header) } else { Err(Refusal::Length { expected, found }) }
    }

    /// Reads and checks the header at the start of `file`.
    pub fn parse(file: &[u8]) -> Result<Self, Refusal> {
        // A copy, so that what is checked is what is used, whoever writes to the file meanwhile.
        let head = file[..file.len().min(HEADER_BYTES)].to_vec();
        let magic = &head[..head.len().min(8)];
        if magic != MAGIC {
            return Err(Refusal::Magic { found: format!("\"{}\"", magic.escape_ascii()) });
        }
        let Some(bytes) = head.get(..HEADER_BYTES) else {
            return Err(Refusal::Length { expected: HEADER_BYTES as u64, found: file.len() as u64 });
        };
        let number = |i: usize| {
            let at = 8 + 4 * i;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        if number(0) != VERSION {
            return Err(Refusal::Version { expected: VERSION, found: number(0) });
        }
        let king_buckets = number(2);
        for (field, expected, i) in [
            ("piece rows", u64::from(king_buckets) * ROWS_PER_BUCKET as u64, 3),
            ("activation max", ACTIVATION_MAX as u64, 8),
            ("weight shift", u64::from(WEIGHT_SHIFT), 9),
        ] {
            if u64::from(number(i)) != expected {
                return Err(Refusal::Field { field, expected, found: u64::from(number(i)) });
            }
        }
        let mut king_map = [0; 32];
        king_map.copy_from_slice(&bytes[48..80]);
        let mut payload_hash = [0; 32];
        payload_hash.copy_from_slice(&bytes[80..]);
        let architecture = Architecture {
            width: number(1) as usize,
            king_buckets: king_buckets as usize,
            threat_rows: number(4) as usize,
            hidden2: number(5) as usize,
            hidden3: number(6) as usize,
            output_scale: number(7),
            king_map,
        };
        architecture.check()?;
        Ok(Self { architecture, payload_hash })
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_lie_where_the_format_says() {
        let header = Header { architecture: Architecture::T1536, payload_hash: [0xab; 32] };
        let bytes = header.to_bytes();
        assert_eq!(&bytes[..8], b"TEMPONET");
        let numbers: Vec<u32> =
            bytes[8..48].chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        assert_eq!(numbers, [1, 1536, 8, 6144, 86_808, 64, 64, 138, 255, 14]);
        assert_eq!(Header::parse(&bytes).unwrap(), header);
    }
}
