//! A net ready for use: read, checked, proved and packed.

use std::alloc::{Layout, handle_alloc_error};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::aligned::Aligned;
use super::architecture::{Architecture, Section};
use super::error::{NetError, Refusal};
use super::head::Head;
use super::header::{HEADER_BYTES, Header, hex};
use super::narrow::ThreatTables;
use super::proof::{self, Layers};
use super::source::Source;
use crate::huge::HugeTable;

/// An immutable net, shared by everything that evaluates with it.
pub struct Network {
    architecture: Architecture,
    payload_hash: [u8; 32],
    source: Source,
    pieces: HugeTable<i16>,
    threats: Range<usize>,
    threat_tables: ThreatTables,
    piece_start: Aligned<i16>,
    threat_start: Aligned<i16>,
    base: Aligned<i32>,
    head: Head,
}

impl Network {
    /// The default net in the executable.
    ///
    /// Its hash is not computed at every start: a test of this crate does it, and nothing but the
    /// build can change it.
    pub fn embedded() -> Arc<Self> {
        match Self::new(Source::Embedded, false) {
            Ok(network) => Arc::new(network),
            // As any other allocation that fails so early.
            Err(Refusal::Memory(_)) => handle_alloc_error(Layout::for_value(Source::Embedded.bytes())),
            Err(refusal) => unreachable!("the embedded net, loaded by the tests, is refused: {refusal}"),
        }
    }

    /// Loads and verifies a net file.
    pub fn load(path: &Path) -> Result<Arc<Self>, NetError> {
        Source::map(path)
            .map_err(Refusal::from)
            .and_then(|source| Self::new(source, true))
            .map(Arc::new)
            .map_err(|refusal| NetError { path: PathBuf::from(path), refusal })
    }

    fn new(source: Source, hash: bool) -> Result<Self, Refusal> {
        let Header { architecture, payload_hash } = Header::parse(source.bytes())?;
        let sections = architecture.sections();
        let expected = HEADER_BYTES as u64 + sections.bytes() as u64;
        if source.bytes().len() as u64 != expected {
            return Err(Refusal::Length { expected, found: source.bytes().len() as u64 });
        }
        let payload = &source.bytes()[HEADER_BYTES..];
        // The hash on a second thread; proof and packing on this one.
        let parts = std::thread::scope(|scope| {
            let hash = hash.then(|| scope.spawn(|| check_hash(payload, &payload_hash)));
            let parts = Parts::build(&architecture, payload);
            match hash.map(|thread| thread.join().expect("hashing does not panic")) {
                Some(Err(refusal)) => Err(refusal),
                _ => parts,
            }
        })?;
        let place = |section| {
            let range = sections.range(section);
            HEADER_BYTES + range.start..HEADER_BYTES + range.end
        };
        let rows: &[i16] = bytemuck::cast_slice(&source.bytes()[place(Section::Pieces)]);
        let mut pieces = HugeTable::zeroed("piece rows", rows.len()).map_err(Refusal::Memory)?;
        pieces.copy_from_slice(rows);
        let threats = place(Section::Threats);
        let Parts { threat_tables, piece_start, threat_start, base, head } = parts;
        Ok(Self {
            architecture,
            payload_hash,
            source,
            pieces,
            threats,
            threat_tables,
            piece_start,
            threat_start,
            base,
            head,
        })
    }

    /// The net's shape.
    #[inline]
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// SHA-256 of the payload.
    pub fn payload_hash(&self) -> &[u8; 32] {
        &self.payload_hash
    }

    /// Length of the whole file.
    pub fn file_bytes(&self) -> usize {
        self.source.bytes().len()
    }

    /// The bytes of one array of the payload.
    pub(super) fn section(&self, section: Section) -> &[u8] {
        &self.source.bytes()[HEADER_BYTES..][self.architecture.sections().range(section)]
    }

    /// Piece rows.
    #[inline]
    pub(super) fn piece_rows(&self) -> &[i16] {
        &self.pieces
    }

    /// 16-bit threat rows.
    #[inline]
    pub(super) fn threat_rows(&self) -> &[i16] {
        self.threat_tables.wide(bytemuck::cast_slice(&self.source.bytes()[self.threats.clone()]))
    }

    /// What the component `threats-i8` makes of them.
    #[inline]
    pub(super) fn threat_tables(&self) -> &ThreatTables {
        &self.threat_tables
    }

    /// The piece accumulator of an empty board: minus its zero points.
    #[inline]
    pub(super) fn piece_start(&self) -> &[i16] {
        &self.piece_start
    }

    /// The threat accumulator without pairs: minus its zero points.
    #[inline]
    pub(super) fn threat_start(&self) -> &[i16] {
        &self.threat_start
    }

    /// Bias plus zero points: what joins the accumulators after widening.
    #[inline]
    pub(super) fn base(&self) -> &[i32] {
        &self.base
    }

    /// The later layers.
    #[inline]
    pub(super) fn head(&self) -> &Head {
        &self.head
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({}, {})", self.architecture, hex(&self.payload_hash))
    }
}

/// What is made from the payload at load.
struct Parts {
    threat_tables: ThreatTables,
    piece_start: Aligned<i16>,
    threat_start: Aligned<i16>,
    base: Aligned<i32>,
    head: Head,
}

impl Parts {
    fn build(architecture: &Architecture, payload: &[u8]) -> Result<Self, Refusal> {
        let sections = architecture.sections();
        let narrow_values = |section| -> &[i16] { bytemuck::cast_slice(&payload[sections.range(section)]) };
        let wide_values = |section| -> Vec<i32> {
            bytemuck::allocation::pod_collect_to_vec(&payload[sections.range(section)])
        };
        let (bias2, bias3) = (wide_values(Section::Bias2), wide_values(Section::Bias3));
        let layers = Layers {
            weights2: narrow_values(Section::Weights2),
            bias2: &bias2,
            weights3: narrow_values(Section::Weights3),
            bias3: &bias3,
            weights4: narrow_values(Section::Weights4),
            bias4: wide_values(Section::Bias4)[0],
        };
        proof::prove_layers(architecture, &layers)?;
        let pieces =
            proof::piece_bounds(architecture, narrow_values(Section::Pieces)).zero_points("piece")?;
        let threat_rows = narrow_values(Section::Threats);
        let threats = proof::threat_bounds(architecture.width, threat_rows).zero_points("threat")?;
        let mut base = Aligned::zeros(architecture.width);
        for (j, &bias) in narrow_values(Section::Bias).iter().enumerate() {
            base[j] = i32::from(bias) + pieces[j] + threats[j];
        }
        Ok(Self {
            threat_tables: ThreatTables::build(architecture.width, threat_rows).map_err(Refusal::Memory)?,
            piece_start: start(&pieces),
            threat_start: start(&threats),
            base,
            head: Head::pack(architecture, &layers),
        })
    }
}

/// An accumulator without rows. Wraps where a zero point is beyond 16 bits, as all accumulator
/// arithmetic does: the sum of every position fits again.
fn start(zero_points: &[i32]) -> Aligned<i16> {
    let mut start = Aligned::zeros(zero_points.len());
    for (at, &zero) in start.iter_mut().zip(zero_points) {
        *at = zero.wrapping_neg() as i16;
    }
    start
}

fn check_hash(payload: &[u8], expected: &[u8; 32]) -> Result<(), Refusal> {
    let found = Sha256::digest(payload);
    if found[..] == expected[..] {
        return Ok(());
    }
    Err(Refusal::Hash { expected: hex(expected), found: hex(&found) })
}
