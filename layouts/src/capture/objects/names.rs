//! Stable names of sections: by symbol, by their own name, or by what they hold.

use object::elf::{self, SectionHeader64};
use object::read::elf::{Rela, SectionHeader, Sym};
use object::{LittleEndian as LE, SectionIndex, SymbolIndex};
use sha2::{Digest, Sha256};

use super::{Object, hex};
use crate::Error;
use crate::unit::{Kind, is_rust, stable_name};

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
