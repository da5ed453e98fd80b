//! Object files: which of their sections can be placed.

mod loads;
mod marks;
mod names;
mod pools;
mod rest;

use std::collections::HashSet;

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym, SymbolTable};

pub use marks::Mark;
pub use pools::Pools;

use crate::Error;
use crate::unit::{Kind, stable_file_name};

type Sections<'a> = SectionTable<'a, FileHeader64<LE>>;
type Symbols<'a> = SymbolTable<'a, FileHeader64<LE>>;

/// A section of an object that can be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it is.
    pub kind: Kind,
    /// Its stable name; several may have the same.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The pool that it stays with, if it is one of many small constants.
    pub pool: Option<String>,
    /// Whether it may hold several objects: the compiler gave them no sections of their own.
    pub lumped: bool,
    /// Index of the section in its object.
    section: usize,
}

/// One parsed object.
pub struct Object<'a> {
    data: &'a [u8],
    file: String,
    header: &'a FileHeader64<LE>,
    pub(super) sections: Sections<'a>,
    pub(super) symbols: Symbols<'a>,
    /// For every section, the name of the symbol at its start, if there is one.
    starts: Vec<Option<&'a str>>,
    /// Names that other objects see.
    globals: HashSet<&'a str>,
    /// Name that the compiler gives the source, else the object's own.
    source: String,
}

/// How many functions have a section of their own and how many share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionSections {
    /// Functions alone in their section.
    pub own: usize,
    /// Functions that share a section.
    pub lumped: usize,
}

impl<'a> Object<'a> {
    /// Parses `data`, called `file` in messages; `None` if it is something that is linked as it is (a shared library,
    /// a linker's text file).
    pub fn parse(data: &'a [u8], file: &str) -> Result<Option<Self>, Error> {
        if data.starts_with(b"BC\xc0\xde") || data.starts_with(b"\xde\xc0\x17\x0b") {
            return Err(Error::Intermediate {
                path: file.to_owned(),
                kind: "LLVM",
                remedy: "link with the flags that `bench-lab layout flags` prints, which capture machine code (Rust: lto = \"fat\" in the profile)",
            });
        }
        if !data.starts_with(&elf::ELFMAG) {
            return Ok(None);
        }
        let bad = |error: object::read::Error| Error::BadObject {
            path: file.to_owned(),
            reason: error.to_string(),
        };
        let foreign = |reason: &str| Error::BadObject { path: file.to_owned(), reason: reason.to_owned() };
        if data.get(4..6) != Some(&[elf::ELFCLASS64.0, elf::ELFDATA2LSB.0]) {
            return Err(foreign("it is not 64-bit little-endian ELF"));
        }
        let header = FileHeader64::<LE>::parse(data).map_err(bad)?;
        match header.e_type(LE) {
            elf::ET_REL => {}
            elf::ET_DYN => return Ok(None),
            _ => return Err(foreign("it is neither an object nor a shared library")),
        }
        if header.e_machine(LE) != elf::EM_X86_64 {
            return Err(foreign(&format!("its machine number is {}, not 62", header.e_machine(LE))));
        }
        let sections = header.sections(LE, data).map_err(bad)?;
        let symbols = sections.symbols(LE, data, elf::SHT_SYMTAB).map_err(bad)?;
        // GCC marks objects that hold nothing but intermediate code; those that hold both can be linked.
        if symbols
            .iter()
            .any(|symbol| symbols.symbol_name(LE, symbol).is_ok_and(|name| name == b"__gnu_lto_slim"))
        {
            return Err(Error::Intermediate {
                path: file.to_owned(),
                kind: "GCC",
                remedy: "link with the flags that `bench-lab layout flags` prints, which capture machine code, or first run g++ -flto -r -flinker-output=nolto-rel over the objects and link its output",
            });
        }
        let base = file.rsplit(['/', '(']).next().unwrap_or(file).trim_end_matches(')');
        let mut object = Self {
            data,
            file: file.to_owned(),
            header,
            starts: vec![None; sections.len()],
            globals: HashSet::new(),
            source: stable_file_name(base),
            sections,
            symbols,
        };
        object.find_starts().map_err(bad)?;
        Ok(Some(object))
    }

    /// Notes for every section the best symbol at its start: global before local, first before later.
    fn find_starts(&mut self) -> object::read::Result<()> {
        let mut ranks = vec![u8::MAX; self.sections.len()];
        for (index, symbol) in self.symbols.enumerate() {
            let Ok(name) = std::str::from_utf8(self.symbols.symbol_name(LE, symbol)?) else { continue };
            if symbol.st_type() == elf::STT_FILE {
                self.source = stable_file_name(name.rsplit('/').next().unwrap_or(name));
            }
            if symbol.st_bind() != elf::STB_LOCAL {
                self.globals.insert(name);
            }
            let Some(section) = self.symbols.symbol_section(LE, symbol, index)? else { continue };
            let compiler_made = name.is_empty() || name.starts_with(".L");
            if symbol.st_value(LE) != 0 || compiler_made || symbol.st_type() == elf::STT_SECTION {
                continue;
            }
            let rank = match symbol.st_bind() {
                elf::STB_GLOBAL => 0,
                elf::STB_WEAK => 1,
                _ => 2,
            };
            if let Some(best) = ranks.get_mut(section.0)
                && rank < *best
            {
                *best = rank;
                self.starts[section.0] = Some(name);
            }
        }
        Ok(())
    }

    /// The sections that can be placed, in the object's order, then the entries of pools.
    pub fn candidates(&self, pools: &Pools) -> Result<Vec<Candidate>, Error> {
        let mut candidates = Vec::new();
        for (index, section) in self.sections.enumerate() {
            let Some((kind, rest)) = self.placeable(section)? else { continue };
            if pools.emptied.contains(&index) {
                continue;
            }
            // A pool that could not be cut is placed in one piece.
            let lumped = rest.is_empty() || section.sh_flags(LE).contains(elf::SHF_MERGE);
            candidates.push(Candidate {
                kind,
                name: self.section_key(index, &mut Vec::new())?,
                size: section.sh_size(LE),
                align: section.sh_addralign(LE).max(1),
                pool: None,
                lumped,
                section: index.0,
            });
        }
        for (number, entry) in pools.entries.iter().enumerate() {
            candidates.push(entry.candidate(self.sections.len() + number));
        }
        Ok(candidates)
    }

    /// The section's kind and the part of its name behind the kind's, if a draw can place it.
    fn placeable(&self, section: &'a SectionHeader64<LE>) -> Result<Option<(Kind, &'a str)>, Error> {
        let flags = section.sh_flags(LE);
        let excluded = elf::SHF_LINK_ORDER | elf::SHF_EXCLUDE;
        if !flags.contains(elf::SHF_ALLOC) || flags.intersects(excluded) || section.sh_size(LE) == 0 {
            return Ok(None);
        }
        let name = self.sections.section_name(LE, section).map_err(|error| self.bad(&error))?;
        let Some((kind, rest)) = std::str::from_utf8(name).ok().and_then(Kind::of_section) else {
            return Ok(None);
        };
        let zeroed = section.sh_type(LE) == elf::SHT_NOBITS;
        let usual = zeroed || section.sh_type(LE) == elf::SHT_PROGBITS;
        Ok((usual && zeroed == kind.is_zeroed()).then_some((kind, rest)))
    }

    /// Counts functions by whether the linker can place each on its own.
    pub fn function_sections(&self) -> FunctionSections {
        let mut functions = vec![0usize; self.sections.len()];
        for (index, symbol) in self.symbols.enumerate() {
            if symbol.st_type() == elf::STT_FUNC
                && let Ok(Some(section)) = self.symbols.symbol_section(LE, symbol, index)
                && let Some(count) = functions.get_mut(section.0)
            {
                *count += 1;
            }
        }
        let own = functions.iter().filter(|&&count| count == 1).count();
        FunctionSections { own, lumped: functions.iter().filter(|&&count| count > 1).sum() }
    }

    fn bad(&self, error: &object::read::Error) -> Error {
        Error::BadObject { path: self.file.clone(), reason: error.to_string() }
    }
}

/// Lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
