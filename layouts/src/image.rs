//! Images: executables read back, and what moved between them.

mod contents;
mod loose;
mod outline;
mod table;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

pub use contents::{contents_sha256, same_units};
pub(crate) use outline::{Access, Named, Outline, SectionOutline, Segment};
pub(crate) use table::is_linker_table;

use crate::Error;
use crate::error::io;
use crate::unit::{Key, Kind, LINE, Unit};

use loose::Loose;

/// How the names of symbols begin that mark a unit.
pub(crate) const UNIT: &str = "unit.";
/// How the names of symbols begin that mark static data of no unit.
pub(crate) const REST: &str = "rest.";

/// Bytes read at once for a hash: a net may have hundreds of megabytes, of which a processor's cache holds this much.
const HASHED_AT_ONCE: usize = 256 << 10;

/// Where the units of one executable lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    path: PathBuf,
    addresses: BTreeMap<Key, u64>,
    loose: Loose,
    fixed: bool,
    heap_follows: bool,
    segments: Vec<Segment>,
    end: u64,
}

/// What lies elsewhere: (moved, all).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Functions.
    pub functions: (usize, usize),
    /// Static data of all kinds.
    pub data: (usize, usize),
}

/// What two executables have in common: for every kind, (at the same address, in common).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Counts by kind; kinds without common units are left out.
    pub kinds: BTreeMap<Kind, (usize, usize)>,
}

impl Shared {
    /// Over all kinds: (at the same address, in common).
    pub fn total(&self) -> (usize, usize) {
        self.kinds.values().fold((0, 0), |(same, all), kind| (same + kind.0, all + kind.1))
    }
}

impl Image {
    /// Reads the executable at `path`, which was linked from a capture with these units.
    pub fn read(path: &Path, units: &[Unit]) -> Result<Self, Error> {
        Self::from_outline(path, &Outline::read(path)?, units)
    }

    pub(crate) fn from_outline(path: &Path, outline: &Outline, units: &[Unit]) -> Result<Self, Error> {
        let address = |unit: &Unit| match outline.symbols.get(&unit.symbol) {
            Some(&address) => Ok((unit.key.clone(), address)),
            None => Err(Error::UnitLost { path: path.to_owned(), unit: unit.key.to_string() }),
        };
        let addresses = units.iter().map(address).collect::<Result<_, _>>()?;
        let loose = Loose::find(outline, units, &addresses);
        Ok(Self {
            path: path.to_owned(),
            addresses,
            loose,
            fixed: outline.fixed,
            heap_follows: outline.heap_follows,
            segments: outline.segments.clone(),
            end: outline.end,
        })
    }

    /// The executable.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where every unit lies: as linked, before the system adds the load address; thread-local units within their block.
    pub fn addresses(&self) -> &BTreeMap<Key, u64> {
        &self.addresses
    }

    /// Whether the heap starts behind the program, so that a draw can shift it. Behind a position-independent executable
    /// that has everything inside (`-static-pie`) newer systems start it at a place of their own.
    pub fn heap_follows(&self) -> bool {
        self.heap_follows
    }

    /// First address behind the program; with address randomisation off its heap starts on the next page.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Counts what lies elsewhere here than in `other`, of the units that both have.
    pub fn moved(&self, other: &Self) -> Moved {
        let mut moved = Moved::default();
        for (key, here, there) in self.common(other) {
            let count = if key.kind == Kind::Function { &mut moved.functions } else { &mut moved.data };
            count.0 += usize::from(here != there);
            count.1 += 1;
        }
        moved
    }

    /// How many functions start in the first, second, third and last quarter of a cache line.
    pub fn line_phases(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for (_, address) in self.addresses.iter().filter(|(key, _)| key.kind == Kind::Function) {
            counts[(address % LINE / (LINE / 4)) as usize] += 1;
        }
        counts
    }

    /// Counts what lies at the same address in both, of the units that both have.
    pub fn shared(&self, other: &Self) -> Shared {
        let mut shared = Shared::default();
        for (key, here, there) in self.common(other) {
            let count = shared.kinds.entry(key.kind).or_default();
            count.0 += usize::from(here == there);
            count.1 += 1;
        }
        shared
    }

    /// Names of the static data that no unit holds by itself and that lies elsewhere in `other`, an executable of the same
    /// draw, or exists in one of both alone: variables that share a section with others, sections that cannot be placed,
    /// common and copied variables.
    ///
    /// Names are those of the symbols, a local one's with its file before it; `file:section` where there is none. Tables
    /// that the linker makes itself do not count.
    pub fn unscattered(&self, other: &Self) -> Vec<String> {
        self.loose.differing(&other.loose).into_iter().collect()
    }

    /// SHA-256 of the executable, hex.
    pub fn sha256(&self) -> Result<String, Error> {
        let failed = || io("read", &self.path);
        let mut file = File::open(&self.path).map_err(failed())?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; HASHED_AT_ONCE];
        loop {
            match file.read(&mut buffer).map_err(failed())? {
                0 => return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
                read => hash.update(&buffer[..read]),
            }
        }
    }

    /// Whether every process has it at the addresses of the file, and what is loaded from the file.
    pub(crate) fn segments(&self) -> (bool, &[Segment]) {
        (self.fixed, &self.segments)
    }

    fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Key, u64, u64)> {
        self.addresses.iter().filter_map(|(key, &here)| Some((key, here, *other.addresses.get(key)?)))
    }
}
