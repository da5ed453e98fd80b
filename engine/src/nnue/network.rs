//! A net ready for use: read, checked, proved and packed.

use std::alloc::{Layout, handle_alloc_error};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::aligned::Aligned;
use super::architecture::{Architecture, Section};
use super::base::Base;
use super::beside::beside;
use super::error::{NetError, Refusal};
use super::head::Head;
use super::header::{HEADER_BYTES, Header, hex};
use super::loading::{HashCheck, Loading};
use super::narrow::ThreatTables;
use super::order::{FirstLayer, Order};
use super::progress::Progress;
use super::proof::{self, Layers};
use super::source::Source;
use crate::huge::{HugeTable, has_room, table_bytes};
use crate::memory::Memory;

/// What stands for the path of the net in the executable.
pub const EMBEDDED: &str = "<embedded>";

/// Room for all that is made of a net apart from its tables, at any supported shape.
pub(super) const SMALL: usize = 16 << 20;

/// An immutable net, shared by everything that evaluates with it.
pub struct Network {
    architecture: Architecture,
    payload_hash: [u8; 32],
    hash_check: HashCheck,
    source: Source,
    pieces: HugeTable<i16>,
    threat_tables: ThreatTables,
    piece_start: Aligned<i16>,
    threat_start: Aligned<i16>,
    base: Base,
    head: Head,
}

impl Network {
    /// The default net in the executable.
    ///
    /// Its hash is not computed at every start: a test of this crate does it, and nothing but the
    /// build can change it.
    ///
    /// # Errors
    /// The system has no memory for it.
    pub fn try_embedded() -> Result<Arc<Self>, NetError> {
        Self::new(Source::Embedded, &Loading::default()).map(Arc::new).map_err(at(Path::new(EMBEDDED)))
    }

    /// The same where a lack of memory may end the process.
    pub fn embedded() -> Arc<Self> {
        match Self::try_embedded() {
            Ok(network) => network,
            // As any other allocation that fails so early.
            Err(NetError { refusal: Refusal::Memory { .. }, .. }) => {
                handle_alloc_error(Layout::for_value(Source::Embedded.bytes()))
            }
            Err(error) => unreachable!("the embedded net, loaded by the tests, is refused: {error}"),
        }
    }

    /// Loads a net file with all its checks.
    pub fn load(path: &Path) -> Result<Arc<Self>, NetError> {
        Self::load_as(path, &Loading::default())
    }

    /// Loads a net file.
    pub fn load_as(path: &Path, loading: &Loading<'_>) -> Result<Arc<Self>, NetError> {
        let loaded = Source::map(path).and_then(|source| Self::new(source, loading));
        loaded.map(Arc::new).map_err(at(path))
    }

    /// The net of a file's bytes.
    pub(super) fn new(source: Source, loading: &Loading<'_>) -> Result<Self, Refusal> {
        let read = Read::of(&source, loading);
        // Whatever came out of a file that changed meanwhile means nothing.
        source.unchanged()?;
        let Read { header, hash_check, parts } = read?;
        let Header { architecture, payload_hash } = header;
        if hash_check == HashCheck::Now {
            remember(&source, &payload_hash, loading);
        }
        source.release();
        let Parts { pieces, threat_tables, piece_start, threat_start, base, head } = parts;
        Ok(Self {
            architecture,
            payload_hash,
            hash_check,
            source,
            pieces,
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

    /// What all that evaluate with it share.
    pub fn memory(&self) -> Memory {
        self.pieces.memory()
            + self.threat_tables.memory()
            + self.piece_start.memory()
            + self.threat_start.memory()
            + self.base.memory()
            + self.head.memory()
    }

    /// When the payload's hash was checked.
    pub fn hash_check(&self) -> HashCheck {
        self.hash_check
    }

    /// Length of the whole file.
    pub fn file_bytes(&self) -> usize {
        self.source.bytes().len()
    }

    /// Refuses if somebody has written to the file since it was opened. What is in use was copied from it before.
    pub fn unchanged(&self) -> Result<(), Refusal> {
        self.source.unchanged()
    }

    /// The bytes of one array of the payload, from the file. Whoever uses them asks afterwards whether they are still
    /// those that were checked: [`unchanged`](Self::unchanged).
    pub(super) fn section(&self, section: Section) -> &[u8] {
        &self.source.bytes()[HEADER_BYTES..][self.architecture.sections().range(section)]
    }

    /// Piece rows.
    #[inline]
    pub(super) fn piece_rows(&self) -> &[i16] {
        &self.pieces
    }

    /// Threat rows.
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

    /// Bias plus zero points: what joins the accumulators when activations are made.
    #[inline]
    pub(super) fn base(&self) -> &Base {
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

pub(super) fn at(path: &Path) -> impl FnOnce(Refusal) -> NetError {
    move |refusal| NetError { path: PathBuf::from(path), refusal }
}

/// Checks nothing but header, length and hash.
pub(super) fn check(source: &Source, loading: &Loading<'_>) -> Result<[u8; 32], Refusal> {
    let header = Header::of_file(source.bytes());
    let checked = header.and_then(|Header { payload_hash, .. }| {
        let payload = &source.bytes()[HEADER_BYTES..];
        let progress = Progress::new(payload.len(), loading.report);
        check_hash(payload, &payload_hash, &progress).map(|()| payload_hash)
    });
    source.unchanged()?;
    let hash = checked?;
    remember(source, &hash, loading);
    Ok(hash)
}

fn remember(source: &Source, hash: &[u8; 32], loading: &Loading<'_>) {
    if let Some(state) = source.steady_state() {
        loading.checks.remember(state, hash);
    }
}

/// What is read of a file.
struct Read {
    header: Header,
    hash_check: HashCheck,
    parts: Parts,
}

impl Read {
    fn of(source: &Source, loading: &Loading<'_>) -> Result<Self, Refusal> {
        let header = Header::of_file(source.bytes())?;
        let Header { architecture, payload_hash } = &header;
        let hash_check = match source.state() {
            None => HashCheck::Built,
            Some(state) if !loading.anew && loading.checks.know(state, payload_hash) => HashCheck::Before,
            Some(_) => HashCheck::Now,
        };
        let sections = architecture.sections();
        room_for_all(architecture)?;
        let payload = &source.bytes()[HEADER_BYTES..];
        // Threat rows are read twice: for their bounds, and to be packed.
        let twice = 2 * sections.range(Section::Threats).len();
        let (hash, parts) = if hash_check == HashCheck::Now {
            let progress = Progress::new(payload.len() + twice, loading.report);
            beside(
                || check_hash(payload, payload_hash, &progress),
                || Parts::build(architecture, payload, &progress),
            )
        } else {
            let progress = Progress::new(twice, loading.report);
            (Ok(()), Parts::build(architecture, payload, &progress))
        };
        // A wrong hash explains all that is wrong behind it.
        hash?;
        let parts = parts?;
        Ok(Self { header, hash_check, parts })
    }
}

/// Refuses a net for which there is too little memory, before the process ends for lack of a little.
fn room_for_all(architecture: &Architecture) -> Result<(), Refusal> {
    let pieces = 2 * architecture.piece_rows() * architecture.width;
    let threats = ThreatTables::least_bytes(architecture.threat_rows * architecture.width);
    room(table_bytes(pieces) + table_bytes(threats) + SMALL)
}

pub(super) fn room(bytes: usize) -> Result<(), Refusal> {
    has_room(bytes).map_err(|error| Refusal::memory(bytes as u64, error))
}

fn table(name: &str, len: usize) -> Result<HugeTable<i16>, Refusal> {
    HugeTable::zeroed(name, len).map_err(|error| Refusal::memory(2 * len as u64, error))
}

/// What is made from the payload at load.
struct Parts {
    pieces: HugeTable<i16>,
    threat_tables: ThreatTables,
    piece_start: Aligned<i16>,
    threat_start: Aligned<i16>,
    base: Base,
    head: Head,
}

impl Parts {
    fn build(architecture: &Architecture, payload: &[u8], progress: &Progress<'_>) -> Result<Self, Refusal> {
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
        let first = FirstLayer {
            pieces: narrow_values(Section::Pieces),
            threats: narrow_values(Section::Threats),
            bias: narrow_values(Section::Bias),
        };
        let width = architecture.width;
        let piece_zeros = proof::piece_bounds(architecture, first.pieces).zero_points("piece")?;
        let threat_zeros = proof::threat_bounds(width, first.threats, progress).zero_points("threat")?;
        let zeros = piece_zeros.iter().zip(&threat_zeros);
        let base: Vec<i32> =
            first.bias.iter().zip(zeros).map(|(&bias, (a, b))| i32::from(bias) + a + b).collect();
        // All that has a place for every neuron of the first layer is copied in the net's order.
        let order = Order::of(architecture, &first);
        let mut pieces = table("piece rows", first.pieces.len())?;
        order.copy_rows(width, first.pieces, &mut pieces);
        let threat_tables = ThreatTables::build(&order, width, first.threats, progress)
            .map_err(|error| Refusal::memory(2 * first.threats.len() as u64, error))?;
        let weights2 = order.arranged(width, layers.weights2);
        // How much of the room the tables left is not known before.
        room(SMALL)?;
        Ok(Self {
            pieces,
            threat_tables,
            piece_start: start(&order.arranged(width, &piece_zeros)),
            threat_start: start(&order.arranged(width, &threat_zeros)),
            base: Base::new(Aligned::copy_of(&order.arranged(width, &base))),
            head: Head::pack(architecture, &Layers { weights2: &weights2, ..layers }),
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

fn check_hash(payload: &[u8], expected: &[u8; 32], progress: &Progress<'_>) -> Result<(), Refusal> {
    let mut hash = Sha256::new();
    for part in payload.chunks(1 << 20) {
        hash.update(part);
        progress.advance(part.len());
    }
    let found = hash.finalize();
    if found[..] == expected[..] {
        return Ok(());
    }
    Err(Refusal::Hash { expected: hex(expected), found: hex(&found) })
}
