//! Constants without names in a section that is no pool: cut where the code loads them.
//!
//! Compilers put constants that are no power of two long, or longer than a pool takes, side by side into one `.rodata`.
//! Where all references to it are loads of a known length, nothing else can read it, and every load can have its constant
//! elsewhere.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, OpAccess};
use object::elf::{self, Rela64};
use object::read::elf::{Rela, SectionHeader};
use object::{LittleEndian as LE, SectionIndex, SymbolIndex};

use super::Object;
use crate::Error;
use crate::unit::Kind;

/// All loads from one section.
#[derive(Debug, Default)]
pub struct Loads {
    /// The bytes that are loaded, without overlaps, in order.
    pub constants: Vec<Range<u64>>,
    /// The relocations of the loads.
    pub places: Vec<Place>,
}

/// A relocation by which an instruction loads a constant.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where it lies in the file.
    pub at: u64,
    /// What it adds.
    pub addend: i64,
    /// First byte that is loaded.
    pub first: u64,
}

/// A reference by section and offset.
struct Reference<'a> {
    from: SectionIndex,
    at: u64,
    relocation: &'a Rela64<LE>,
}

impl<'a> Object<'a> {
    /// The sections of nameless constants that nothing but loads refers to.
    pub fn loads(&self) -> Result<Vec<(SectionIndex, Loads)>, Error> {
        let mut sections = self.nameless()?;
        let mut references = HashMap::<SectionIndex, Vec<Reference<'a>>>::new();
        for section in self.sections.iter() {
            let relocations = section.rela(LE, self.data).map_err(|error| self.bad(&error))?;
            let from = SectionIndex(section.sh_info(LE) as usize);
            for (number, relocation) in relocations.iter().flat_map(|(list, _)| list.iter()).enumerate() {
                // What holds addresses itself is no constant that a load takes as it is.
                sections.remove(&from);
                let index = SymbolIndex(relocation.r_sym(LE, false) as usize);
                // `ld -r` leaves relocations without a symbol where something was discarded.
                if index == SymbolIndex(0) {
                    continue;
                }
                let symbol = self.symbols.symbol(index).map_err(|error| self.bad(&error))?;
                let target =
                    self.symbols.symbol_section(LE, symbol, index).map_err(|error| self.bad(&error))?;
                if let Some(target) = target.filter(|target| sections.contains(target)) {
                    let at = section.sh_offset(LE) + (number * size_of::<Rela64<LE>>()) as u64;
                    references.entry(target).or_default().push(Reference { from, at, relocation });
                }
            }
        }
        let mut found = Vec::new();
        for (target, references) in references {
            if sections.contains(&target)
                && let Some(loads) = self.loads_from(target, &references)?
            {
                found.push((target, loads));
            }
        }
        found.sort_by_key(|(section, _)| section.0);
        Ok(found)
    }

    /// Sections of read-only data that holds several things, none of which has a symbol.
    fn nameless(&self) -> Result<HashSet<SectionIndex>, Error> {
        let mut sections = HashSet::new();
        for (index, section) in self.sections.enumerate() {
            if !section.sh_flags(LE).contains(elf::SHF_MERGE)
                && matches!(self.placeable(section)?, Some((Kind::ReadOnly, "")))
            {
                sections.insert(index);
            }
        }
        for (index, symbol) in self.symbols.enumerate() {
            if symbol.st_type() != elf::STT_SECTION
                && let Some(section) =
                    self.symbols.symbol_section(LE, symbol, index).map_err(|error| self.bad(&error))?
            {
                sections.remove(&section);
            }
        }
        Ok(sections)
    }

    /// The loads behind these references, if that is what they all are.
    fn loads_from(&self, target: SectionIndex, references: &[Reference<'a>]) -> Result<Option<Loads>, Error> {
        let size = self.sections.section(target).map_err(|error| self.bad(&error))?.sh_size(LE);
        let mut ranges = Vec::new();
        let mut places = Vec::new();
        for Reference { from, at, relocation } in references {
            let Some(range) = self.loaded(*from, relocation)?.filter(|range| range.end <= size) else {
                return Ok(None);
            };
            places.push(Place { at: *at, addend: relocation.r_addend(LE), first: range.start });
            ranges.push(range);
        }
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut constants: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match constants.last_mut().filter(|last| range.start < last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => constants.push(range),
            }
        }
        Ok(Some(Loads { constants, places }))
    }

    /// The bytes that the instruction at this relocation loads.
    fn loaded(&self, code: SectionIndex, relocation: &Rela64<LE>) -> Result<Option<Range<u64>>, Error> {
        let section = self.sections.section(code).map_err(|error| self.bad(&error))?;
        if !section.sh_flags(LE).contains(elf::SHF_EXECINSTR)
            || relocation.r_type(LE, false) != elf::R_X86_64_PC32
        {
            return Ok(None);
        }
        let data = section.data(LE, self.data).map_err(|error| self.bad(&error))?;
        Ok(load_at(data, relocation.r_offset(LE)).and_then(|(after, bytes)| {
            // The processor counts from the next instruction, the relocation from its own place.
            let first = relocation.r_addend(LE).checked_add_unsigned(after - relocation.r_offset(LE))?;
            let first = u64::try_from(first).ok()?;
            Some(first..first + bytes)
        }))
    }
}

/// The load whose 32-bit distance lies at `at`, if it is one: where the instruction ends, and how many bytes it loads.
fn load_at(code: &[u8], at: u64) -> Option<(u64, u64)> {
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    // A function has its section to itself, so instructions follow one another from its start.
    while decoder.can_decode() && decoder.ip() <= at {
        let instruction = decoder.decode();
        if instruction.is_invalid() {
            return None;
        }
        if decoder.ip() <= at {
            continue;
        }
        let offsets = decoder.get_constant_offsets(&instruction);
        let here = instruction.ip() + offsets.displacement_offset() as u64 == at;
        if !here || offsets.displacement_size() != 4 || !instruction.is_ip_rel_memory_operand() {
            return None;
        }
        let mut factory = InstructionInfoFactory::new();
        let [memory] = factory.info(&instruction).used_memory() else { return None };
        let loads = matches!(memory.access(), OpAccess::Read | OpAccess::CondRead);
        let bytes = memory.memory_size().size() as u64;
        return (loads && bytes > 0).then_some((instruction.next_ip(), bytes));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_told_from_other_instructions() {
        let nop = 0x90;
        // vmovdqa64 zmm0, [rip+0]
        assert_eq!(load_at(&[nop, 0x62, 0xf1, 0xfd, 0x48, 0x6f, 0x05, 0, 0, 0, 0], 7), Some((11, 64)));
        // vpbroadcastw ymm0, [rip+0]
        assert_eq!(load_at(&[0xc4, 0xe2, 0x7d, 0x79, 0x05, 0, 0, 0, 0, nop], 5), Some((9, 2)));
        // cmp dword [rip+0], 5: its number follows the distance
        assert_eq!(load_at(&[0x83, 0x3d, 0, 0, 0, 0, 5], 2), Some((7, 4)));
        // lea rax, [rip+0] takes the address; the rest is unknown
        assert_eq!(load_at(&[0x48, 0x8d, 0x05, 0, 0, 0, 0], 3), None);
        // mov [rip+0], eax stores
        assert_eq!(load_at(&[0x89, 0x05, 0, 0, 0, 0], 2), None);
        // inc dword [rip+0] does both
        assert_eq!(load_at(&[0xff, 0x05, 0, 0, 0, 0], 2), None);
        // mov eax, 0: no distance but a number
        assert_eq!(load_at(&[0xb8, 0, 0, 0, 0], 1), None);
        // no instruction in 64-bit code
        assert_eq!(load_at(&[0x06, 0x8b, 0x05, 0, 0, 0, 0], 3), None);
    }
}
