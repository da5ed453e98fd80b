//! The rest: static data that no draw can place, marked so that the executable tells where it lies.

use object::LittleEndian as LE;
use object::elf;
use object::read::elf::SectionHeader;

use super::{Mark, Object};
use crate::Error;
use crate::image::{REST, is_linker_table};

impl Object<'_> {
    /// Marks for the sections with static data that are no candidates; `number` is the object's.
    ///
    /// The symbols hold the names that the sections go by in every arm, the object's own number aside.
    pub fn rest(&self, number: usize) -> Result<Vec<Mark>, Error> {
        let mut marks = Vec::new();
        for (index, section) in self.sections.enumerate() {
            let flags = section.sh_flags(LE);
            let name = self.sections.section_name(LE, section).map_err(|error| self.bad(&error))?;
            let name = String::from_utf8_lossy(name);
            let data =
                flags.contains(elf::SHF_ALLOC) && !flags.intersects(elf::SHF_EXECINSTR | elf::SHF_EXCLUDE);
            if !data
                || section.sh_size(LE) == 0
                || is_linker_table(&name, section.sh_type(LE))
                || self.placeable(section)?.is_some()
            {
                continue;
            }
            marks.push(Mark {
                symbol: format!("{REST}{number}.{}.{}:{name}", index.0, self.source),
                size: section.sh_size(LE),
                thread_local: flags.contains(elf::SHF_TLS),
                section: index.0,
            });
        }
        Ok(marks)
    }
}
