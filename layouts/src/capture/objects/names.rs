//! Stable names of sections: by symbol, by their own name, or by what they hold.

use object::elf::{self, SectionHeader64};
use object::read::elf::{Rela, SectionHeader, Sym};
use object::{LittleEndian as LE, SectionIndex, SymbolIndex};
use sha2::{Digest, Sha256};

use super::{Object, hex};
use crate::Error;
use crate::unit::{Kind, is_numbered, is_promoted, is_rust, stable_name};

/// What GCC and LLD call the source of a program that was optimised as a whole.
const WHOLE_PROGRAM: [&str; 2] = ["<artificial>", "ld-temp.o"];

/// How symbols begin that compilers give to constants without a name in the source.
const ANONYMOUS_SYMBOLS: [&str; 3] = ["anon.", ".str", "CSWTCH."];
/// How the names of their sections go on, when they have no symbol.
const ANONYMOUS_SECTIONS: [&str; 3] = ["Lanon.", "L__unnamed", "Lconst"];

/// Symbol and addend of a relocation.
#[derive(Clone, Copy)]
struct Target {
    symbol: SymbolIndex,
    addend: i64,
}

impl Object<'_> {
    /// The stable name of a section: by its symbol, else by its own name, else by what it holds.
    pub(super) fn section_key(
        &self,
        index: SectionIndex,
        above: &mut Vec<SectionIndex>,
    ) -> Result<String, Error> {
        let section = self.sections.section(index).map_err(|error| self.bad(&error))?;
        let name = self.sections.section_name(LE, section).map_err(|error| self.bad(&error))?;
        let name = String::from_utf8_lossy(name);
        let rest = Kind::of_section(&name).map_or("", |(_, rest)| rest);
        if rest.is_empty() || section.sh_flags(LE).contains(elf::SHF_MERGE) {
            // A section of the object's for many things, so named by the file.
            return Ok(format!("{}:{name}", self.source));
        }
        let symbol = self.starts[index.0];
        let anonymous = match symbol {
            Some(symbol) => ANONYMOUS_SYMBOLS.iter().any(|start| symbol.starts_with(start)),
            None => ANONYMOUS_SECTIONS.iter().any(|start| rest.starts_with(start)),
        };
        if anonymous {
            return Ok(format!("constant {}", self.content(index, section, above)?));
        }
        let name = symbol.unwrap_or_else(|| rest.trim_start_matches('L'));
        if let Some(function) = name.strip_prefix("switch.table.") {
            let function = function.strip_suffix(".rel").unwrap_or(function);
            return Ok(format!("switch table of {}", self.scoped(function)));
        }
        let key = self.scoped(symbol.unwrap_or(rest));
        let data =
            !section.sh_flags(LE).contains(elf::SHF_EXECINSTR) && section.sh_type(LE) != elf::SHT_NOBITS;
        // Several static variables of one name, in functions of one file, are told apart by what they start with.
        Ok(match symbol.filter(|symbol| data && is_numbered(symbol)) {
            Some(_) => format!("{key} {}", self.content(index, section, above)?),
            None => key,
        })
    }

    /// A name that tells its place by itself, or has the file before it.
    fn scoped(&self, symbol: &str) -> String {
        let name = stable_name(symbol);
        let known = self.globals.contains(symbol) && !is_promoted(symbol);
        // A program that was optimised as a whole is one file, or several without a meaning.
        if known || is_rust(symbol) || WHOLE_PROGRAM.contains(&self.source.as_str()) {
            name
        } else {
            format!("{}:{name}", self.source)
        }
    }

    /// A hash of a section's bytes and of what its relocations point to.
    fn content(
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
        Ok(hex(&hash.finalize()[..16]))
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

    /// The relocations of a section that point to something: where, and to what.
    fn relocations(&self, index: SectionIndex) -> Result<Vec<(u64, Target)>, Error> {
        let mut out = Vec::new();
        for section in self.sections.iter() {
            if section.sh_info(LE) as usize != index.0 {
                continue;
            }
            if let Some((relocations, _)) = section.rela(LE, self.data).map_err(|error| self.bad(&error))? {
                out.extend(relocations.iter().filter_map(|rela| {
                    let symbol = SymbolIndex(rela.r_sym(LE, false) as usize);
                    let target = Target { symbol, addend: rela.r_addend(LE) };
                    (symbol != SymbolIndex(0)).then_some((rela.r_offset(LE), target))
                }));
            }
        }
        Ok(out)
    }
}
