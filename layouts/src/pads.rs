//! The object file with an arm's padding: one retained section for every gap.

use object::write::{Object, SectionId, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionFlags, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
    elf,
};

use crate::unit::Kind;

/// What lies between functions: `int3`, which stops a processor that strays there.
const CODE: u8 = 0xcc;

/// Section of the zeroes that shift the heap.
pub const HEAP: &str = ".heap_offset";

/// Padding under construction.
pub struct Pads {
    object: Object<'static>,
    count: usize,
}

impl Pads {
    /// No padding yet.
    pub fn new() -> Self {
        Self { object: Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little), count: 0 }
    }

    /// Adds padding of `bytes` to the section of `kind`; returns its symbol for the ordering file.
    pub fn add(&mut self, kind: Kind, bytes: u64, align: u64) -> String {
        let name = format!("{}.pad", kind.section());
        let section_kind = match kind {
            Kind::Function => SectionKind::Text,
            Kind::ReadOnly => SectionKind::ReadOnlyData,
            Kind::RelRo | Kind::Data => SectionKind::Data,
            Kind::Bss => SectionKind::UninitializedData,
            Kind::TlsData => SectionKind::Tls,
            Kind::TlsBss => SectionKind::UninitializedTls,
        };
        let id = self.object.add_section(Vec::new(), name.into_bytes(), section_kind);
        self.fill(id, kind, bytes, align);
        let symbol = format!("pad.{}", self.count);
        self.count += 1;
        self.object.add_symbol(Symbol {
            name: symbol.clone().into_bytes(),
            value: 0,
            size: 0,
            kind: if kind.is_thread_local() { SymbolKind::Tls } else { SymbolKind::Label },
            scope: SymbolScope::Compilation,
            weak: false,
            section: SymbolSection::Section(id),
            flags: SymbolFlags::None,
        });
        symbol
    }

    /// Adds the zeroes behind the program's data.
    pub fn add_heap(&mut self, bytes: u64, align: u64) {
        let id = self.object.add_section(Vec::new(), HEAP.into(), SectionKind::UninitializedData);
        self.fill(id, Kind::Bss, bytes, align);
    }

    fn fill(&mut self, id: SectionId, kind: Kind, bytes: u64, align: u64) {
        // Retained, because nothing refers to it.
        let mut flags = elf::SHF_ALLOC | elf::SHF_GNU_RETAIN;
        match kind {
            Kind::Function => flags |= elf::SHF_EXECINSTR,
            Kind::ReadOnly => {}
            Kind::RelRo | Kind::Data | Kind::Bss => flags |= elf::SHF_WRITE,
            Kind::TlsData | Kind::TlsBss => flags |= elf::SHF_WRITE | elf::SHF_TLS,
        }
        let section = self.object.section_mut(id);
        let sh_type = if kind.is_zeroed() { elf::SHT_NOBITS } else { elf::SHT_PROGBITS };
        section.flags = SectionFlags::Elf { sh_type, sh_flags: flags };
        if kind.is_zeroed() {
            section.append_bss(bytes, align);
        } else {
            let value = if kind == Kind::Function { CODE } else { 0 };
            section.append_data(&vec![value; usize::try_from(bytes).unwrap_or(0)], align);
        }
    }

    /// The object's bytes.
    pub fn finish(self) -> Result<Vec<u8>, object::write::Error> {
        self.object.write()
    }
}
