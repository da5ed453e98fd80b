//! Object files: which sections can be placed, what they are called, and a symbol on each for the ordering file.

use std::collections::HashSet;

use object::elf::{self, FileHeader64, SectionHeader64, Sym64, SymbolInfo, SymbolSection};
use object::read::elf::{FileHeader, Rela, SectionHeader, SectionTable, Sym, SymbolTable};
use object::{LittleEndian as LE, SectionIndex, SymbolIndex, U16, U32, U64};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::unit::{Kind, is_rust, stable_file_name, stable_name};

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
    /// Index of the section in its object.
    section: usize,
}

/// One parsed object.
pub struct Object<'a> {
    data: &'a [u8],
    file: String,
    header: &'a FileHeader64<LE>,
    sections: Sections<'a>,
    symbols: Symbols<'a>,
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
                remedy: "link the program with -C lto=fat (Rust), or capture the link that ThinLTO runs on its machine code (clang: --save-temps, or build without -flto)",
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
        let header = FileHeader64::<LE>::parse(data).map_err(bad)?;
        if !header.is_supported() || header.e_ident().data != elf::ELFDATA2LSB {
            return Err(foreign("it is not 64-bit little-endian ELF"));
        }
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
        for (_, section) in sections.enumerate() {
            if sections.section_name(LE, section).map_err(bad)?.starts_with(b".gnu.lto_") {
                return Err(Error::Intermediate {
                    path: file.to_owned(),
                    kind: "GCC",
                    remedy: "first run g++ -flto -r -flinker-output=nolto-rel over the objects and link its output",
                });
            }
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

    /// The sections that can be placed, in the object's order.
    pub fn candidates(&self) -> Result<Vec<Candidate>, Error> {
        let mut candidates = Vec::new();
        for (index, section) in self.sections.enumerate() {
            let Some((kind, _)) = self.placeable(section)? else { continue };
            candidates.push(Candidate {
                kind,
                name: self.section_key(index, &mut Vec::new())?,
                size: section.sh_size(LE),
                align: section.sh_addralign(LE).max(1),
                section: index.0,
            });
        }
        Ok(candidates)
    }

    /// The section's kind and the part of its name behind the kind's, if a draw can place it.
    fn placeable(&self, section: &'a SectionHeader64<LE>) -> Result<Option<(Kind, &'a str)>, Error> {
        let flags = section.sh_flags(LE);
        let excluded = elf::SHF_MERGE | elf::SHF_LINK_ORDER | elf::SHF_EXCLUDE;
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

    /// The stable name of a section: by its symbol, else by its own name, else by what it holds.
    fn section_key(&self, index: SectionIndex, above: &mut Vec<SectionIndex>) -> Result<String, Error> {
        let section = self.sections.section(index).map_err(|error| self.bad(&error))?;
        let name = self.sections.section_name(LE, section).map_err(|error| self.bad(&error))?;
        let name = String::from_utf8_lossy(name);
        let rest = Kind::of_section(&name).map_or("", |(_, rest)| rest);
        if rest.is_empty() {
            // The object's common section: not cut into units, so named by the file.
            return Ok(format!("{}:{name}", self.source));
        }
        if let Some(symbol) = self.starts[index.0] {
            return Ok(self.scoped(symbol));
        }
        if rest.starts_with("Lanon.") || rest.starts_with("L__unnamed") || rest.starts_with("Lconst") {
            return self.content_key(index, section, above);
        }
        Ok(match rest.strip_prefix("Lswitch.table.") {
            Some(function) => format!("switch table of {}", self.scoped(function)),
            None => self.scoped(rest),
        })
    }

    /// A name that tells its place by itself, or has the file before it.
    fn scoped(&self, symbol: &str) -> String {
        let name = stable_name(symbol);
        if self.globals.contains(symbol) || is_rust(symbol) {
            name
        } else {
            format!("{}:{name}", self.source)
        }
    }

    /// The name of an anonymous constant: a hash of its bytes and of what its relocations point to.
    fn content_key(
        &self,
        index: SectionIndex,
        section: &SectionHeader64<LE>,
        above: &mut Vec<SectionIndex>,
    ) -> Result<String, Error> {
        let mut hash = Sha256::new();
        hash.update(section.data(LE, self.data).map_err(|error| self.bad(&error))?);
        above.push(index);
        for (at, target) in self.relocations(index)? {
            hash.update(at.to_le_bytes());
            hash.update(self.target_key(target, above)?);
        }
        above.pop();
        Ok(format!("constant {}", hex(&hash.finalize()[..16])))
    }

    /// What a relocation points to, in stable words.
    fn target_key(&self, target: Target, above: &mut Vec<SectionIndex>) -> Result<String, Error> {
        let symbol = self.symbols.symbol(target.symbol).map_err(|error| self.bad(&error))?;
        let name = self.symbols.symbol_name(LE, symbol).map_err(|error| self.bad(&error))?;
        let name = String::from_utf8_lossy(name);
        let section =
            self.symbols.symbol_section(LE, symbol, target.symbol).map_err(|error| self.bad(&error))?;
        let Some(index) = section else { return Ok(format!("{name}+{}", target.addend)) };
        let offset = symbol.st_value(LE).wrapping_add_signed(target.addend);
        let header = self.sections.section(index).map_err(|error| self.bad(&error))?;
        if above.contains(&index) {
            return Ok(format!("itself+{offset}"));
        }
        if header.sh_flags(LE).contains(elf::SHF_MERGE) {
            let data = header.data(LE, self.data).map_err(|error| self.bad(&error))?;
            let tail = usize::try_from(offset).ok().and_then(|at| data.get(at..)).unwrap_or_default();
            let entry = tail.split(|&byte| byte == 0).next().unwrap_or_default();
            return Ok(format!("merged {}", hex(entry)));
        }
        Ok(format!("{}+{offset}", self.section_key(index, above)?))
    }

    /// The relocations of a section: where, and what they point to.
    fn relocations(&self, index: SectionIndex) -> Result<Vec<(u64, Target)>, Error> {
        let mut out = Vec::new();
        for section in self.sections.iter() {
            if section.sh_info(LE) as usize != index.0 {
                continue;
            }
            if let Some((relocations, _)) = section.rela(LE, self.data).map_err(|error| self.bad(&error))? {
                out.extend(relocations.iter().map(|rela| {
                    let symbol = SymbolIndex(rela.r_sym(LE, false) as usize);
                    (rela.r_offset(LE), Target { symbol, addend: rela.r_addend(LE) })
                }));
            }
        }
        Ok(out)
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

    /// The object's bytes with one more symbol at the start of every candidate, named by `label`.
    ///
    /// The symbols are global and hidden, so that they come after all others and no index changes; the linker makes
    /// them local. The new tables go to the end of the file, everything else stays where it is.
    pub fn with_symbols(
        &self,
        candidates: &[Candidate],
        label: impl Fn(usize) -> String,
    ) -> Result<Vec<u8>, Error> {
        let mut out = self.data.to_vec();
        let broken = |reason: &str| Error::BadObject { path: self.file.clone(), reason: reason.to_owned() };
        if candidates.is_empty() {
            return Ok(out);
        }
        let table = self.symbols.section();
        if table.0 == 0 || self.symbols.shndx_section().0 != 0 {
            return Err(broken("it has no symbol table, or more than 65,000 sections"));
        }
        let strings = self.symbols.string_section();
        let bytes_of = |index: SectionIndex| -> Result<&[u8], Error> {
            let section = self.sections.section(index).map_err(|error| self.bad(&error))?;
            section.data(LE, self.data).map_err(|error| self.bad(&error))
        };
        let mut names = bytes_of(strings)?.to_vec();
        let mut entries = bytes_of(table)?.to_vec();
        for (number, candidate) in candidates.iter().enumerate() {
            let too_large = |_| broken("its tables are too large");
            let kind = if candidate.kind.is_thread_local() { elf::STT_TLS } else { elf::STT_NOTYPE };
            let symbol = Sym64::<LE> {
                st_name: U32::new(LE, u32::try_from(names.len()).map_err(too_large)?),
                st_info: SymbolInfo::new(elf::STB_GLOBAL, kind),
                st_other: elf::STV_HIDDEN.into(),
                st_shndx: U16::new(LE, SymbolSection(u16::try_from(candidate.section).map_err(too_large)?)),
                st_value: U64::new(LE, 0),
                st_size: U64::new(LE, 0),
            };
            entries.extend_from_slice(object::pod::bytes_of(&symbol));
            names.extend_from_slice(label(number).as_bytes());
            names.push(0);
        }
        for (index, bytes) in [(strings, names), (table, entries)] {
            out.resize(out.len().next_multiple_of(8), 0);
            let at = self.header.e_shoff(LE) + (index.0 * size_of::<SectionHeader64<LE>>()) as u64;
            let mut header = *self.sections.section(index).map_err(|error| self.bad(&error))?;
            header.sh_offset = U64::new(LE, out.len() as u64);
            header.sh_size = U64::new(LE, bytes.len() as u64);
            let raw = object::pod::bytes_of(&header);
            let place = usize::try_from(at).ok().and_then(|at| out.get_mut(at..at + raw.len()));
            place.ok_or_else(|| broken("its section table is cut off"))?.copy_from_slice(raw);
            out.extend_from_slice(&bytes);
        }
        Ok(out)
    }

    fn bad(&self, error: &object::read::Error) -> Error {
        Error::BadObject { path: self.file.clone(), reason: error.to_string() }
    }
}

/// Symbol and addend of a relocation.
#[derive(Clone, Copy)]
struct Target {
    symbol: SymbolIndex,
    addend: i64,
}

/// Lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
