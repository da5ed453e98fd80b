//! Outlines: sections and symbols of an executable.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};

use crate::Error;
use crate::error::io;

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
