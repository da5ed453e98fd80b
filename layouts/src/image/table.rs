//! What in an executable is no static data of the program's own.

use object::elf::{self, SectionType};

/// Tables that the linker makes or collects: for unwinding, dynamic linking, and what runs once at start and end.
pub fn is_linker_table(name: &str, kind: SectionType) -> bool {
    let by_kind = !matches!(kind, elf::SHT_PROGBITS | elf::SHT_NOBITS);
    let starts =
        [".eh_frame", ".gcc_except_table", ".got", ".plt", ".init_array", ".fini_array", ".ctors", ".dtors"];
    let whole = [".interp", ".tm_clone_table", ".stapsdt.base", ".relro_padding"];
    by_kind || starts.iter().any(|start| name.starts_with(start)) || whole.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_told_from_data() {
        for (name, kind) in [
            (".eh_frame_hdr", elf::SHT_PROGBITS),
            (".gcc_except_table._Z4mainv", elf::SHT_PROGBITS),
            (".got.plt", elf::SHT_PROGBITS),
            (".init_array.00100", elf::SHT_INIT_ARRAY),
            (".note.gnu.property", elf::SHT_NOTE),
            (".dynsym", elf::SHT_DYNSYM),
        ] {
            assert!(is_linker_table(name, kind), "{name}");
        }
        for (name, kind) in
            [(".rodata", elf::SHT_PROGBITS), (".bss", elf::SHT_NOBITS), ("tables", elf::SHT_PROGBITS)]
        {
            assert!(!is_linker_table(name, kind), "{name}");
        }
    }
}
