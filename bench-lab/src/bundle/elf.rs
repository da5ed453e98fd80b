//! Whether a file is an executable that this machine can run.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// `e_machine` of 64-bit x86.
const X86_64: u16 = 62;

/// Whether a file is an ELF file, good or bad; one that cannot be read is none.
pub fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"\x7fELF"
}

/// What is wrong with it, and what is expected instead.
pub fn complaint(path: &Path) -> Option<(String, &'static str)> {
    const EXPECTED: &str = "an executable for this machine: ELF, 64-bit, x86-64";
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return Some((format!("{}: {error}", path.display()), EXPECTED)),
    };
    if !metadata.is_file() {
        return Some((format!("{}, which is no file", path.display()), EXPECTED));
    }
    let mut head = Vec::new();
    if let Err(error) = File::open(path).and_then(|file| file.take(64).read_to_end(&mut head)) {
        return Some((format!("{}: {error}", path.display()), EXPECTED));
    }
    if let Some(what) = not_for_this_machine(&head) {
        return Some((format!("{}: {what}", path.display()), EXPECTED));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        let found = format!("{} without permission to execute", path.display());
        return Some((found, "an executable file (`chmod +x`)"));
    }
    None
}

/// From the first bytes of a file.
fn not_for_this_machine(head: &[u8]) -> Option<String> {
    let half = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    match head {
        [b'#', b'!', ..] => Some("a script; the engine itself is wanted, not what starts it".into()),
        [0x7f, b'E', b'L', b'F', 1, ..] => Some("a 32-bit executable".into()),
        [0x7f, b'E', b'L', b'F', 2, 2, ..] => Some("an executable of a big-endian machine".into()),
        [0x7f, b'E', b'L', b'F', 2, 1, ..] if head.len() == 64 => match (half(18), half(16)) {
            (X86_64, 2 | 3) => None,
            (X86_64, 1) => Some("an object file, not linked yet".into()),
            (X86_64, kind) => Some(format!("an ELF file of kind {kind}, no executable")),
            (machine, _) => Some(format!("an executable of another machine (ELF machine {machine})")),
        },
        _ => Some("no ELF executable".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(class: u8, kind: u16, machine: u16) -> Vec<u8> {
        let mut head = vec![0; 64];
        head[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, 1]);
        head[16..18].copy_from_slice(&kind.to_le_bytes());
        head[18..20].copy_from_slice(&machine.to_le_bytes());
        head
    }

    #[test]
    fn executables_of_this_machine_are_told_from_all_others() {
        for kind in [2, 3] {
            assert_eq!(not_for_this_machine(&head(2, kind, X86_64)), None);
        }
        for (head, said) in [
            (head(1, 2, 3), "32-bit"),
            (head(2, 2, 183), "another machine (ELF machine 183)"),
            (head(2, 1, X86_64), "object file"),
            (head(2, 4, X86_64), "kind 4"),
            (b"#!/bin/sh\n".to_vec(), "script"),
            (b"MZ".to_vec(), "no ELF"),
            (Vec::new(), "no ELF"),
        ] {
            let what = not_for_this_machine(&head).expect(said);
            assert!(what.contains(said), "{what}");
        }
        let own = std::env::current_exe().expect("a path");
        assert_eq!(complaint(&own), None);
        assert!(complaint(Path::new("/")).expect("a folder").0.contains("no file"));
    }
}
