//! Images: executables read back, and what moved between them.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::ReadCache;
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
        Ok(Self { path: path.to_owned(), addresses, end: outline.end })
    }

    /// The executable.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where every unit lies: as linked, before the system adds the load address; thread-local units within their block.
    pub fn addresses(&self) -> &BTreeMap<Key, u64> {
        &self.addresses
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
    /// First address behind the file in memory.
    pub end: u64,
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
        // Only headers and symbols are read, not what may be hundreds of megabytes of net.
        let file = ReadCache::new(File::open(path).map_err(io("read", path))?);
        let data = &file;
        let bad =
            |error: object::read::Error| Error::BadImage { path: path.to_owned(), reason: error.to_string() };
        let header = FileHeader64::<LE>::parse(data).map_err(bad)?;
        if header.e_machine(LE) != elf::EM_X86_64 {
            let reason = format!("its machine number is {}, not 62", header.e_machine(LE));
            return Err(Error::BadImage { path: path.to_owned(), reason });
        }
        let loads = header.program_headers(LE, data).map_err(bad)?;
        let loads = loads.iter().filter(|segment| segment.p_type(LE) == elf::PT_LOAD);
        let (base, end) = loads.fold((u64::MAX, 0), |(base, end), load| {
            let start = load.p_vaddr(LE);
            (start.min(base), start.saturating_add(load.p_memsz(LE)).max(end))
        });
        let table = header.sections(LE, data).map_err(bad)?;
        let mut sections = Vec::new();
        for section in table.iter() {
            let flags = section.sh_flags(LE);
            let name = String::from_utf8_lossy(table.section_name(LE, section).map_err(bad)?).into_owned();
            // The filler behind protected relocated data is no section of the program's.
            if !flags.contains(elf::SHF_ALLOC) || name == ".relro_padding" {
                continue;
            }
            sections.push(SectionOutline {
                name,
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
        let symbols = table.symbols(LE, data, elf::SHT_SYMTAB).map_err(bad)?;
        let mut marks = HashMap::new();
        for symbol in symbols.iter().filter(|symbol| !symbol.is_undefined(LE)) {
            let name = symbols.symbol_name(LE, symbol).map_err(bad)?;
            if name.starts_with(b"unit.") {
                marks.insert(String::from_utf8_lossy(name).into_owned(), symbol.st_value(LE));
            }
        }
        Ok(Self { base, end, sections, symbols: marks })
    }
}
