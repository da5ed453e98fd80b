//! Surveys: what lies where in any executable, told by its own symbol table. No capture is needed.

mod names;

use std::fs::File;
use std::path::{Path, PathBuf};

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64, ProgramHeader64, SectionHeader64};
use object::read::ReadCache;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};

use crate::Error;
use crate::error::io;
use names::Symbol;

/// What lies where in an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The executable.
    pub path: PathBuf,
    /// Whether the system may load it anywhere.
    pub position_independent: bool,
    /// What is mapped, in the file's order.
    pub segments: Vec<Segment>,
    /// The loaded sections in the file's order.
    pub sections: Vec<Section>,
    /// Functions and variables by section and address.
    pub objects: Vec<Named>,
}

/// A stretch of memory that the file is mapped to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First address.
    pub address: u64,
    /// Bytes in memory.
    pub bytes: u64,
    /// Bytes in the file; the rest is zeroed.
    pub file_bytes: u64,
    /// How it may be used, as `ls` writes it: `r-x`.
    pub access: String,
}

/// A section that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// First address.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// How it may be used.
    pub access: String,
}

/// A function or a variable that the symbol table names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// Its section.
    pub section: String,
    /// First address; a thread-local variable's counts from the start of its block.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
    /// Its stable name, with its source file where that tells it from others.
    pub name: String,
    /// Whether it is machine code.
    pub function: bool,
    /// Whether nothing else in its section has this name, so that it can be found again in another executable.
    pub unique: bool,
}

type Table<'a> = SectionTable<'a, FileHeader64<LE>, &'a ReadCache<File>>;

impl Survey {
    /// Surveys the executable at `path`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        // Only headers and symbols are read, not what may be hundreds of megabytes of net.
        let file = ReadCache::new(File::open(path).map_err(io("read", path))?);
        let data = &file;
        let bad = |reason: String| Error::BadImage { path: path.to_owned(), reason };
        let broken = |error: object::read::Error| bad(error.to_string());
        let header = FileHeader64::<LE>::parse(data).map_err(|_| bad("it is no 64-bit ELF file".into()))?;
        if !header.is_supported() || header.e_ident().data != elf::ELFDATA2LSB {
            return Err(bad("it is no 64-bit little-endian ELF file".into()));
        }
        match header.e_machine(LE) {
            elf::EM_X86_64 => {}
            elf::EM_AARCH64 => return Err(bad("it is for ARM (AArch64) processors".into())),
            elf::EM_RISCV => return Err(bad("it is for RISC-V processors".into())),
            other => return Err(bad(format!("it is for processors with number {}, not 62", other.0))),
        }
        let kind = header.e_type(LE);
        if kind != elf::ET_EXEC && kind != elf::ET_DYN {
            return Err(bad("it is an object file or a memory image, no executable".into()));
        }
        let segments = header.program_headers(LE, data).map_err(broken)?;
        let loaded = |segment: &&ProgramHeader64<LE>| segment.p_type(LE) == elf::PT_LOAD;
        let table = header.sections(LE, data).map_err(broken)?;
        let sections = sections(&table).map_err(broken)?;
        let objects = names::named(symbols(&table, data).map_err(broken)?);
        if objects.is_empty() {
            let reason = "it has no symbols: link it without -s and do not strip it (Cargo: strip = false)";
            return Err(bad(reason.into()));
        }
        Ok(Self {
            path: path.to_owned(),
            position_independent: kind == elf::ET_DYN,
            segments: segments.iter().filter(loaded).map(segment).collect(),
            sections,
            objects,
        })
    }
}

fn segment(header: &ProgramHeader64<LE>) -> Segment {
    let flags = header.p_flags(LE);
    Segment {
        address: header.p_vaddr(LE),
        bytes: header.p_memsz(LE),
        file_bytes: header.p_filesz(LE),
        access: access(flags.contains(elf::PF_W), flags.contains(elf::PF_X)),
    }
}

fn access(write: bool, execute: bool) -> String {
    ["r", if write { "w" } else { "-" }, if execute { "x" } else { "-" }].concat()
}

fn name(table: &Table, section: &SectionHeader64<LE>) -> object::read::Result<String> {
    Ok(String::from_utf8_lossy(table.section_name(LE, section)?).into_owned())
}

fn sections(table: &Table) -> object::read::Result<Vec<Section>> {
    let mut sections = Vec::new();
    for section in table.iter().filter(|section| section.sh_flags(LE).contains(elf::SHF_ALLOC)) {
        let flags = section.sh_flags(LE);
        sections.push(Section {
            name: name(table, section)?,
            address: section.sh_addr(LE),
            bytes: section.sh_size(LE),
            align: section.sh_addralign(LE).max(1),
            access: access(flags.contains(elf::SHF_WRITE), flags.contains(elf::SHF_EXECINSTR)),
        });
    }
    Ok(sections)
}

/// Functions and variables as the table has them, in its order.
fn symbols<'a>(table: &Table<'a>, data: &'a ReadCache<File>) -> object::read::Result<Vec<Symbol>> {
    let symbols = table.symbols(LE, data, elf::SHT_SYMTAB)?;
    let mut found = Vec::new();
    let mut source = None;
    for (index, symbol) in symbols.enumerate() {
        let name_of = || Ok(String::from_utf8_lossy(symbols.symbol_name(LE, symbol)?).into_owned());
        let kind = symbol.st_type();
        if kind == elf::STT_FILE {
            source = Some(name_of()?);
        }
        let wanted = [elf::STT_FUNC, elf::STT_OBJECT, elf::STT_TLS, elf::STT_GNU_IFUNC].contains(&kind);
        if !wanted || symbol.st_size(LE) == 0 {
            continue;
        }
        let Some(section) = symbols.symbol_section(LE, symbol, index)? else { continue };
        let local = symbol.st_bind() == elf::STB_LOCAL;
        found.push(Symbol {
            name: name_of()?,
            section: name(table, table.section(section)?)?,
            address: symbol.st_value(LE),
            bytes: symbol.st_size(LE),
            function: kind == elf::STT_FUNC || kind == elf::STT_GNU_IFUNC,
            // Global symbols come after all files.
            source: source.clone().filter(|_| local),
        });
    }
    Ok(found)
}
