//! Pools: sections of mergeable constants and strings, cut into their entries.
//!
//! A linker merges equal entries of such sections and lays out what remains in one piece, which no order reaches. So
//! every entry that something refers to becomes a section of its own, where the same bytes of the file lie; equal entries of
//! an object become one, as in the linker.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use object::elf::{self, Rela64, SectionHeader64};
use object::read::elf::{Rela, SectionHeader, Sym};
use object::{LittleEndian as LE, SectionIndex, SymbolIndex};
use sha2::{Digest, Sha256};

use super::{Candidate, Object, hex};
use crate::Error;
use crate::unit::Kind;

/// The entries of an object's pools.
#[derive(Debug, Default)]
pub struct Pools {
    /// Entries that become sections of their own.
    pub entries: Vec<Entry>,
    /// Symbols that move: to an entry, and how far behind its start.
    pub moves: Vec<(SymbolIndex, usize, u64)>,
    /// References that move.
    pub references: Vec<Reference>,
    /// Sections that nothing refers to any more.
    pub emptied: Vec<SectionIndex>,
}

/// One entry.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The pool that holds it.
    pub section: SectionIndex,
    /// Where it lies in the pool.
    pub bytes: Range<u64>,
    /// Alignment in bytes.
    align: u64,
    /// Name of its pool in every object.
    pool: String,
    /// Name by its content.
    name: String,
}

impl Entry {
    /// The entry as something that can be placed, in the section of this index.
    pub fn candidate(&self, section: usize) -> Candidate {
        Candidate {
            kind: Kind::ReadOnly,
            name: self.name.clone(),
            size: self.bytes.end - self.bytes.start,
            align: self.align,
            pool: Some(self.pool.clone()),
            lumped: false,
            section,
        }
    }
}

/// A relocation that referred to an entry by section and offset.
#[derive(Debug)]
pub struct Reference {
    /// Where the relocation lies in the file.
    pub at: u64,
    /// The entry.
    pub entry: usize,
    /// What the relocation adds to the entry's start.
    pub addend: i64,
}

/// Pools being cut.
struct Cut<'a> {
    found: HashMap<(SectionIndex, u64, &'a [u8]), usize>,
    kept: HashSet<SectionIndex>,
    pools: Pools,
}

impl<'a> Cut<'a> {
    /// The number of the entry with these bytes of a section's data; equal ones are one.
    fn entry(
        &mut self,
        section: SectionIndex,
        data: &'a [u8],
        bytes: Range<u64>,
        align: u64,
        pool: String,
        word: &str,
    ) -> usize {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let content = data.get(place(bytes.start)..place(bytes.end)).unwrap_or_default();
        let entries = &mut self.pools.entries;
        *self.found.entry((section, align, content)).or_insert_with(|| {
            let name = format!("{word} {}", hex(&Sha256::digest(content)[..16]));
            entries.push(Entry { section, bytes, align, pool, name });
            entries.len() - 1
        })
    }
}

impl<'a> Object<'a> {
    /// Cuts all pools whose references tell where the entries are.
    pub fn pools(&self) -> Result<Pools, Error> {
        let mut cut = Cut { found: HashMap::new(), kept: HashSet::new(), pools: Pools::default() };
        for (index, symbol) in self.symbols.enumerate() {
            if symbol.st_type() != elf::STT_SECTION
                && let Some(section) =
                    self.symbols.symbol_section(LE, symbol, index).map_err(|e| self.bad(&e))?
                && let Some((entry, offset)) = self.cut(&mut cut, section, symbol.st_value(LE))?
            {
                cut.pools.moves.push((index, entry, offset));
            }
        }
        self.cut_by_relocations(&mut cut)?;
        self.cut_by_loads(&mut cut)?;
        let sections: HashSet<_> = cut.pools.entries.iter().map(|entry| entry.section).collect();
        cut.pools.emptied = sections.difference(&cut.kept).copied().collect();
        cut.pools.emptied.sort_by_key(|section| section.0);
        Ok(cut.pools)
    }

    /// Finds references by section and offset. A linker takes the entry at the offset, whatever the relocation does with
    /// it, so compilers write no others; one that hits no entry keeps the section whole.
    fn cut_by_relocations(&self, cut: &mut Cut<'a>) -> Result<(), Error> {
        for section in self.sections.iter() {
            let relocations = section.rela(LE, self.data).map_err(|error| self.bad(&error))?;
            for (number, relocation) in relocations.iter().flat_map(|(list, _)| list.iter()).enumerate() {
                let index = SymbolIndex(relocation.r_sym(LE, false) as usize);
                // `ld -r` leaves relocations without a symbol where something was discarded.
                if index == SymbolIndex(0) {
                    continue;
                }
                let symbol = self.symbols.symbol(index).map_err(|error| self.bad(&error))?;
                if symbol.st_type() != elf::STT_SECTION {
                    continue;
                }
                let target =
                    self.symbols.symbol_section(LE, symbol, index).map_err(|error| self.bad(&error))?;
                let Some(target) = target else { continue };
                // A negative one lies in no pool.
                let offset = u64::try_from(relocation.r_addend(LE)).unwrap_or(u64::MAX);
                if let Some((entry, offset)) = self.cut(cut, target, offset)? {
                    let at = section.sh_offset(LE) + (number * size_of::<Rela64<LE>>()) as u64;
                    cut.pools.references.push(Reference { at, entry, addend: offset.cast_signed() });
                }
            }
        }
        Ok(())
    }

    /// Cuts the sections of nameless constants that are all loaded one by one.
    fn cut_by_loads(&self, cut: &mut Cut<'a>) -> Result<(), Error> {
        for (section, loads) in self.loads()? {
            let header = self.sections.section(section).map_err(|error| self.bad(&error))?;
            let data = header.data(LE, self.data).map_err(|error| self.bad(&error))?;
            for place in loads.places {
                let within = loads.constants.iter().find(|bytes| bytes.contains(&place.first));
                let Some(bytes) = within.cloned() else { continue };
                let (start, size) = (bytes.start, bytes.end - bytes.start);
                let align = header.sh_addralign(LE).max(1);
                let align = if start == 0 { align } else { align.min(1 << start.trailing_zeros()) };
                let pool = format!("constants of {size} bytes");
                let entry = cut.entry(section, data, bytes, align, pool, "pooled constant");
                let addend = place.addend.wrapping_sub_unsigned(start);
                cut.pools.references.push(Reference { at: place.at, entry, addend });
            }
        }
        Ok(())
    }

    /// The entry that holds this byte of a section, if the section is a pool.
    fn cut(
        &self,
        cut: &mut Cut<'a>,
        section: SectionIndex,
        value: u64,
    ) -> Result<Option<(usize, u64)>, Error> {
        let header = self.sections.section(section).map_err(|error| self.bad(&error))?;
        let Some(pool) = self.pool_name(header)? else { return Ok(None) };
        let data = header.data(LE, self.data).map_err(|error| self.bad(&error))?;
        let strings = header.sh_flags(LE).contains(elf::SHF_STRINGS);
        let Some(bytes) = entry_at(data, value, header.sh_entsize(LE), strings) else {
            cut.kept.insert(section);
            return Ok(None);
        };
        let bytes = bytes.start as u64..bytes.end as u64;
        let offset = value - bytes.start;
        let align = header.sh_addralign(LE).max(1);
        let word = if strings { "string" } else { "pooled constant" };
        let entry = cut.entry(section, data, bytes, align, pool, word);
        Ok(Some((entry, offset)))
    }

    /// The name that the section's pool has in every object, if it is one.
    fn pool_name(&self, section: &SectionHeader64<LE>) -> Result<Option<String>, Error> {
        let flags = section.sh_flags(LE);
        let name = self.sections.section_name(LE, section).map_err(|error| self.bad(&error))?;
        let usual = flags.contains(elf::SHF_ALLOC | elf::SHF_MERGE)
            && !flags.intersects(elf::SHF_WRITE | elf::SHF_EXECINSTR | elf::SHF_LINK_ORDER | elf::SHF_GROUP)
            && section.sh_type(LE) == elf::SHT_PROGBITS
            && name.starts_with(b".rodata");
        let size = section.sh_entsize(LE);
        Ok(match (usual, flags.contains(elf::SHF_STRINGS)) {
            (true, true) if size == 1 => Some("strings".to_owned()),
            (true, false) if size > 0 => Some(format!("constants of {size} bytes")),
            _ => None,
        })
    }
}

/// The entry of a pool that holds the byte at `value`.
fn entry_at(data: &[u8], value: u64, size: u64, strings: bool) -> Option<Range<usize>> {
    let at = usize::try_from(value).ok().filter(|&at| at < data.len())?;
    if strings {
        let start = data[..at].iter().rposition(|&byte| byte == 0).map_or(0, |end| end + 1);
        let length = data[at..].iter().position(|&byte| byte == 0)?;
        return Some(start..at + length + 1);
    }
    let size = usize::try_from(size).ok().filter(|&size| size > 0 && data.len().is_multiple_of(size))?;
    let start = at - at % size;
    Some(start..start + size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_any_of_their_bytes() {
        let strings = b"one\0\0three\0open";
        let entry = |at| entry_at(strings, at, 1, true).map(|range| &strings[range]);
        assert_eq!(entry(0), Some(&b"one\0"[..]));
        assert_eq!(entry(2), Some(&b"one\0"[..]));
        assert_eq!(entry(4), Some(&b"\0"[..]));
        assert_eq!(entry(7), Some(&b"three\0"[..]));
        assert_eq!(entry(11), None, "no end");
        assert_eq!(entry(15), None, "behind the pool");
        assert_eq!(entry_at(&[0; 32], 20, 16, false), Some(16..32));
        assert_eq!(entry_at(&[0; 33], 20, 16, false), None, "not in entries");
    }
}
