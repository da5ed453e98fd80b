//! Marks: one more symbol at the start of every section that can be placed, for the linker's ordering file.

use object::elf::{self, SectionHeader64, Sym64, SymbolInfo, SymbolSection};
use object::read::elf::{FileHeader, SectionHeader};
use object::{LittleEndian as LE, SectionIndex, U16, U32, U64};

use super::{Candidate, Object};
use crate::Error;

impl Object<'_> {
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
}
