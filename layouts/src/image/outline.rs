//! Outlines: sections and symbols of an executable.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};

use super::{REST, UNIT, is_linker_table};
use crate::Error;
use crate::error::io;
use crate::unit::{is_rust, stable_file_name, stable_name};

/// Sections and unit symbols of an executable.
#[derive(Debug)]
pub struct Outline {
    /// Lowest address of the file in memory; zero in a position-independent executable.
    pub base: u64,
    /// First address behind the file in memory.
    pub end: u64,
    /// Whether it lies at these addresses in every process; a position-independent one is shifted as a whole.
    pub fixed: bool,
    /// Whether the heap starts behind it.
    pub heap_follows: bool,
    /// What is loaded from the file.
    pub segments: Vec<Segment>,
    /// Sections that are loaded, in the file's order.
    pub sections: Vec<SectionOutline>,
    /// Value of every symbol that marks a unit.
    pub symbols: HashMap<String, u64>,
    /// Sections of objects with static data that are no units.
    pub rest: Vec<Named>,
    /// Objects of static data, in the order of the link.
    pub objects: Vec<Named>,
}

/// Static data with the name that it has in every arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name; a local symbol's with its file before it.
    pub name: String,
    /// Address; a thread-local one's from the start of the block.
    pub value: u64,
    /// Bytes.
    pub size: u64,
    /// Whether every thread has its own.
    pub thread_local: bool,
}

/// A loaded piece of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it starts in memory.
    pub address: u64,
    /// Where it starts in the file.
    pub offset: u64,
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
        let mut segments = Vec::new();
        let (mut base, mut end, mut interpreted) = (u64::MAX, 0, false);
        for load in header.program_headers(LE, data).map_err(bad)? {
            if load.p_type(LE) == elf::PT_INTERP {
                interpreted = true;
            }
            if load.p_type(LE) != elf::PT_LOAD {
                continue;
            }
            let start = load.p_vaddr(LE);
            base = start.min(base);
            end = start.saturating_add(load.p_memsz(LE)).max(end);
            if load.p_filesz(LE) > 0 {
                segments.push(Segment { address: start, offset: load.p_offset(LE) });
            }
        }
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
        if !table.iter().any(|section| section.sh_type(LE) == elf::SHT_SYMTAB) {
            return Err(Error::BadImage { path: path.to_owned(), reason: "it has no symbol table".into() });
        }
        let data_sections: HashSet<_> = table
            .enumerate()
            .filter(|(_, section)| {
                let flags = section.sh_flags(LE);
                let name = table.section_name(LE, section).unwrap_or_default();
                flags.contains(elf::SHF_ALLOC)
                    && !flags.contains(elf::SHF_EXECINSTR)
                    && !is_linker_table(&String::from_utf8_lossy(name), section.sh_type(LE))
            })
            .map(|(index, _)| index)
            .collect();
        let symbols = table.symbols(LE, data, elf::SHT_SYMTAB).map_err(bad)?;
        let fixed = header.e_type(LE) == elf::ET_EXEC;
        let mut outline = Self {
            base,
            end,
            fixed,
            heap_follows: fixed || interpreted,
            segments,
            sections,
            symbols: HashMap::new(),
            rest: Vec::new(),
            objects: Vec::new(),
        };
        let mut source = String::new();
        for (index, symbol) in symbols.enumerate() {
            let name = String::from_utf8_lossy(symbols.symbol_name(LE, symbol).map_err(bad)?);
            let section = symbols.symbol_section(LE, symbol, index).map_err(bad)?;
            let (kind, value, size) = (symbol.st_type(), symbol.st_value(LE), symbol.st_size(LE));
            let thread_local = kind == elf::STT_TLS;
            let named = |name: String| Named { name, value, size, thread_local };
            if kind == elf::STT_FILE {
                source = stable_file_name(name.rsplit('/').next().unwrap_or(&name));
                continue;
            }
            // Marks of sections that the linker left out are undefined.
            let Some(section) = section else { continue };
            if name.starts_with(UNIT) {
                outline.symbols.insert(name.into_owned(), value);
            } else if let Some(mark) = name.strip_prefix(REST) {
                let name = mark.splitn(3, '.').nth(2).unwrap_or(mark);
                outline.rest.push(named(name.to_owned()));
            } else if (kind == elf::STT_OBJECT || thread_local)
                && size > 0
                && !name.starts_with(".L")
                && data_sections.contains(&section)
            {
                let local = symbol.st_bind() == elf::STB_LOCAL && !is_rust(&name);
                let stable = stable_name(&name);
                let name = if local { format!("{source}:{stable}") } else { stable };
                outline.objects.push(named(name));
            }
        }
        Ok(outline)
    }
}
