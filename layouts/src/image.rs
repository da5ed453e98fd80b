//! Images: executables read back, and what moved between them.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::error::io;
use crate::unit::{Key, Kind, Unit};

/// Where the units of one executable lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    path: PathBuf,
    addresses: BTreeMap<Key, u64>,
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
        Ok(Self { path: path.to_owned(), addresses: units.iter().map(address).collect::<Result<_, _>>()? })
    }

    /// The executable.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where every unit lies: as linked, before the system adds the load address; thread-local units within their block.
    pub fn addresses(&self) -> &BTreeMap<Key, u64> {
        &self.addresses
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

    /// SHA-256 of the executable, hex.
    pub fn sha256(&self) -> Result<String, Error> {
        let data = fs::read(&self.path).map_err(io("read", &self.path))?;
        Ok(Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Key, u64, u64)> {
        self.addresses.iter().filter_map(|(key, &here)| Some((key, here, *other.addresses.get(key)?)))
    }
}

/// Sections and unit symbols of an executable.
#[derive(Debug)]
pub struct Outline {
    /// Lowest address of the file in memory; zero in a position-independent executable.
    pub base: u64,
    /// Sections that are loaded, in the file's order.
    pub sections: Vec<SectionOutline>,
    /// Value of every symbol that marks a unit.
    pub symbols: HashMap<String, u64>,
}

/// A loaded section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionOutline {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Read-only, executable or writable: what shares a segment.
    pub access: Access,
}

/// How a segment may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Read.
    Read,
    /// Read and execute.
    Execute,
    /// Read and write.
    Write,
}

impl Outline {
    /// Reads the executable at `path`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let data = fs::read(path).map_err(io("read", path))?;
        let bad =
            |error: object::read::Error| Error::BadImage { path: path.to_owned(), reason: error.to_string() };
        let header = FileHeader64::<LE>::parse(&*data).map_err(bad)?;
        if header.e_machine(LE) != elf::EM_X86_64 {
            let reason = format!("its machine number is {}, not 62", header.e_machine(LE));
            return Err(Error::BadImage { path: path.to_owned(), reason });
        }
        let loads = header.program_headers(LE, &*data).map_err(bad)?;
        let loads = loads.iter().filter(|segment| segment.p_type(LE) == elf::PT_LOAD);
        let base = loads.map(|segment| segment.p_vaddr(LE)).min().unwrap_or(0);
        let table = header.sections(LE, &*data).map_err(bad)?;
        let mut sections = Vec::new();
        for section in table.iter() {
            let flags = section.sh_flags(LE);
            if !flags.contains(elf::SHF_ALLOC) {
                continue;
            }
            sections.push(SectionOutline {
                name: String::from_utf8_lossy(table.section_name(LE, section).map_err(bad)?).into_owned(),
                address: section.sh_addr(LE),
                size: section.sh_size(LE),
                align: section.sh_addralign(LE).max(1),
                access: match flags {
                    flags if flags.contains(elf::SHF_WRITE) => Access::Write,
                    flags if flags.contains(elf::SHF_EXECINSTR) => Access::Execute,
                    _ => Access::Read,
                },
            });
        }
        let symbols = table.symbols(LE, &*data, elf::SHT_SYMTAB).map_err(bad)?;
        let mut marks = HashMap::new();
        for symbol in symbols.iter().filter(|symbol| !symbol.is_undefined(LE)) {
            let name = symbols.symbol_name(LE, symbol).map_err(bad)?;
            if name.starts_with(b"unit.") {
                marks.insert(String::from_utf8_lossy(name).into_owned(), symbol.st_value(LE));
            }
        }
        Ok(Self { base, sections, symbols: marks })
    }
}
