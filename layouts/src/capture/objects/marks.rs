//! Marks: one more symbol at the start of everything that can be placed, for the linker's ordering file, and of all other
//! static data, to find it again in the executable.

use object::elf::{self, Rela64, SectionFlags, SectionHeader64, Sym64, SymbolInfo, SymbolSection};
use object::read::elf::SectionHeader;
use object::{I64, LittleEndian as LE, SectionIndex, U16, U32, U64};

use super::pools::Pools;
use super::{Candidate, Object};
use crate::Error;

/// Sections that an object can have before their numbers need more than 16 bits.
const MOST_SECTIONS: usize = 0xff00;

/// A symbol at the start of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its name.
    pub symbol: String,
    /// Bytes of the section.
    pub size: u64,
    /// Whether every thread has its own section.
    pub thread_local: bool,
    /// Index of the section in its object.
    pub section: usize,
}

impl Candidate {
    /// The mark of this candidate.
    pub fn mark(&self, symbol: String) -> Mark {
        Mark { symbol, size: self.size, thread_local: self.kind.is_thread_local(), section: self.section }
    }
}

impl Object<'_> {
    /// The object's bytes with the entries of its pools as sections, and marked; the entries' marks are the last of `units`.
    ///
    /// The symbols are global and hidden, so that they come after all others and no index changes; the linker makes
    /// them local. New tables go to the end of the file, everything else stays where it is.
    pub fn marked(&self, units: &[Mark], others: &[Mark], pools: &Pools) -> Result<Vec<u8>, Error> {
        let mut out = self.data.to_vec();
        if units.is_empty() && others.is_empty() {
            return Ok(out);
        }
        let table = self.symbols.section();
        let mut headers = self.sections.iter().copied().collect::<Vec<_>>();
        let first_entry = headers.len();
        if table.0 == 0
            || self.symbols.shndx_section().0 != 0
            || first_entry + pools.entries.len() >= MOST_SECTIONS
        {
            return Err(self.broken("it has no symbol table, or more than 65,000 sections"));
        }
        for entry in &pools.entries {
            let mut header = headers[entry.section.0];
            header.sh_flags = U64::new(LE, elf::SHF_ALLOC);
            header.sh_offset = U64::new(LE, header.sh_offset.get(LE) + entry.bytes.start);
            header.sh_size = U64::new(LE, entry.bytes.end - entry.bytes.start);
            header.sh_entsize = U64::new(LE, 0);
            headers.push(header);
        }
        for section in &pools.emptied {
            headers[section.0].sh_size = U64::new(LE, 0);
        }

        for mark in units {
            if let Some(header) = headers.get_mut(mark.section) {
                // Merged with others, a pool would not lie in one piece.
                let merge = elf::SHF_MERGE | elf::SHF_STRINGS;
                header.sh_flags = U64::new(LE, SectionFlags(header.sh_flags.get(LE).0 & !merge.0));
                header.sh_entsize = U64::new(LE, 0);
            }
        }

        let (mut symbols, mut names) = self.symbols_with_marks(units.iter().chain(others))?;
        for &(index, entry, offset) in &pools.moves {
            let symbol = symbols.get_mut(index.0).ok_or_else(|| self.broken("a symbol is missing"))?;
            symbol.st_shndx = self.section_number(first_entry + entry)?;
            symbol.st_value = U64::new(LE, offset);
        }
        let first_mark = self.symbols.len() + units.len() - pools.entries.len();
        for reference in &pools.references {
            let at = usize::try_from(reference.at).unwrap_or(usize::MAX);
            let place = out.get_mut(at..at.saturating_add(size_of::<Rela64<LE>>()));
            let place = place.ok_or_else(|| self.broken("its relocations are cut off"))?;
            let (rela, _) = object::pod::from_bytes_mut::<Rela64<LE>>(place)
                .map_err(|()| self.broken("its relocations are cut off"))?;
            let symbol = (first_mark + reference.entry) as u64;
            rela.r_info = U64::new(LE, symbol << 32 | rela.r_info.get(LE) & 0xffff_ffff);
            rela.r_addend = I64::new(LE, reference.addend);
        }
        for (index, bytes) in [
            (self.symbols.string_section(), std::mem::take(&mut names)),
            (table, object::pod::bytes_of_slice(&symbols).to_vec()),
        ] {
            out.resize(out.len().next_multiple_of(8), 0);
            headers[index.0].sh_offset = U64::new(LE, out.len() as u64);
            headers[index.0].sh_size = U64::new(LE, bytes.len() as u64);
            out.extend_from_slice(&bytes);
        }
        out.resize(out.len().next_multiple_of(8), 0);
        let mut file = *self.header;
        file.e_shoff = U64::new(LE, out.len() as u64);
        file.e_shnum =
            U16::new(LE, u16::try_from(headers.len()).map_err(|_| self.broken("too many sections"))?);
        out.extend_from_slice(object::pod::bytes_of_slice(&headers));
        let start = object::pod::bytes_of(&file);
        out[..start.len()].copy_from_slice(start);
        Ok(out)
    }

    /// The symbol table and its names, with the marks at the end.
    fn symbols_with_marks<'m>(
        &self,
        marks: impl Iterator<Item = &'m Mark>,
    ) -> Result<(Vec<Sym64<LE>>, Vec<u8>), Error> {
        let mut names = self.bytes_of(self.symbols.string_section())?.to_vec();
        let mut symbols = self.symbols.iter().copied().collect::<Vec<_>>();
        for mark in marks {
            let kind = if mark.thread_local { elf::STT_TLS } else { elf::STT_NOTYPE };
            let name = u32::try_from(names.len()).map_err(|_| self.broken("its names are too long"))?;
            symbols.push(Sym64 {
                st_name: U32::new(LE, name),
                st_info: SymbolInfo::new(elf::STB_GLOBAL, kind),
                st_other: elf::STV_HIDDEN.into(),
                st_shndx: self.section_number(mark.section)?,
                st_value: U64::new(LE, 0),
                st_size: U64::new(LE, mark.size),
            });
            names.extend_from_slice(mark.symbol.as_bytes());
            names.push(0);
        }
        Ok((symbols, names))
    }

    fn section_number(&self, index: usize) -> Result<U16<LE, SymbolSection>, Error> {
        let number = u16::try_from(index).map_err(|_| self.broken("it has more than 65,000 sections"))?;
        Ok(U16::new(LE, SymbolSection(number)))
    }

    fn bytes_of(&self, index: SectionIndex) -> Result<&[u8], Error> {
        let section: &SectionHeader64<LE> = self.sections.section(index).map_err(|error| self.bad(&error))?;
        section.data(LE, self.data).map_err(|error| self.bad(&error))
    }

    fn broken(&self, reason: &str) -> Error {
        Error::BadObject { path: self.file.clone(), reason: reason.to_owned() }
    }
}
