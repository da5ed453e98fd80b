//! A net of any kind.

use std::path::Path;
use std::sync::Arc;

use super::error::{NetError, Refusal};
use super::halfkp::{self, HalfKpNet};
use super::header::hex;
use super::loading::Loading;
use super::network::{self, EMBEDDED, Network, at, room};
use super::source::Source;
use crate::memory::Memory;

/// Room for an evaluator and what else one thread searches with, for any net: half of it for the accumulators of a
/// path.
const EVALUATOR: usize = 32 << 20;

/// A net that an evaluator can be made for.
#[derive(Clone, Debug)]
pub enum Net {
    /// One of the engine's own format.
    Native(Arc<Network>),
    /// One of the shape HalfKP 256x2-32-32.
    HalfKp(Arc<HalfKpNet>),
}

impl Net {
    /// The default net in the executable.
    ///
    /// # Errors
    /// The system has no memory for it.
    pub fn try_embedded() -> Result<Self, NetError> {
        Network::try_embedded().map(Self::Native)
    }

    /// Loads a net file, of the kind that its first bytes tell, with all its checks.
    pub fn load(path: &Path) -> Result<Self, NetError> {
        Self::load_as(path, &Loading::default())
    }

    /// Loads a net file.
    pub fn load_as(path: &Path, loading: &Loading<'_>) -> Result<Self, NetError> {
        Source::map(path).and_then(|source| Self::new(source, loading)).map_err(at(path))
    }

    fn new(source: Source, loading: &Loading<'_>) -> Result<Self, Refusal> {
        if halfkp::is_container(source.bytes()) {
            HalfKpNet::new(source).map(Arc::new).map(Self::HalfKp)
        } else {
            Network::new(source, loading).map(Arc::new).map(Self::Native)
        }
    }

    /// Hashes a net file, or the net in the executable, whatever is remembered of it, and returns its hash if that is
    /// what its header says; the header of a HalfKP file says nothing of it.
    pub fn check(file: Option<&Path>, loading: &Loading<'_>) -> Result<[u8; 32], NetError> {
        let source = file.map_or(Ok(Source::Embedded), Source::map);
        let hash = source.and_then(|source| {
            if halfkp::is_container(source.bytes()) {
                halfkp::hash(&source)
            } else {
                network::check(&source, loading)
            }
        });
        hash.map_err(at(file.unwrap_or(Path::new(EMBEDDED))))
    }

    /// Refuses to evaluate with the net of a file, or with that in the executable, while there is too little memory
    /// for an evaluator.
    pub fn check_room(file: Option<&Path>) -> Result<(), NetError> {
        room(EVALUATOR).map_err(at(file.unwrap_or(Path::new(EMBEDDED))))
    }

    /// Refuses if this is not the net with that hash.
    pub fn check_same(&self, file: &Path, hash: &[u8; 32]) -> Result<(), NetError> {
        if self.hash() == hash {
            return Ok(());
        }
        let (expected, found) = (hex(self.hash()), hex(hash));
        Err(at(file)(Refusal::Replaced { expected, found }))
    }

    /// What all that evaluate with it share.
    pub fn memory(&self) -> Memory {
        match self {
            Self::Native(network) => network.memory(),
            Self::HalfKp(net) => net.memory(),
        }
    }

    /// SHA-256 of the payload, or of the whole HalfKP file.
    pub fn hash(&self) -> &[u8; 32] {
        match self {
            Self::Native(network) => network.payload_hash(),
            Self::HalfKp(net) => net.hash(),
        }
    }

    /// Refuses if somebody has written to the file since it was opened. What is in use was copied from it before.
    pub fn unchanged(&self) -> Result<(), Refusal> {
        match self {
            Self::Native(network) => network.unchanged(),
            Self::HalfKp(net) => net.unchanged(),
        }
    }
}

impl From<Arc<Network>> for Net {
    fn from(network: Arc<Network>) -> Self {
        Self::Native(network)
    }
}
