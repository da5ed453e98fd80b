//! Files that users name: whether one is an executable, a capture, or neither.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::Failure;
use crate::bundle::elf;

/// Where the format of a tar archive stands, in the first header, and what it says.
const FORMAT: (usize, &[u8]) = (257, b"ustar");

/// Refuses what can be neither measured nor relinked.
pub(super) fn program(file: &Path) -> Result<(), Failure> {
    if elf::is_elf(file) || may_be_archive(file) {
        return Ok(());
    }
    let file = file.display();
    Err(Failure::Usage(format!(
        "{file} is neither an executable (ELF) nor a capture (`bench-lab layout capture`)"
    )))
}

/// Refuses what cannot be relinked.
pub(super) fn capture(file: &Path) -> Result<(), Failure> {
    if elf::is_elf(file) {
        let file = file.display();
        return Err(Failure::Usage(format!(
            "{file} is an executable, which cannot be relinked: give the capture of its link (`bench-lab layout capture`)"
        )));
    }
    program(file)
}

/// Whether it begins as an archive does; of a file that cannot be read, who opens it tells more.
fn may_be_archive(file: &Path) -> bool {
    let (at, format) = FORMAT;
    let mut head = vec![0; at + format.len()];
    match File::open(file) {
        Ok(mut file) => file.read_exact(&mut head).is_ok() && &head[at..] == format,
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_and_captures_are_told_from_all_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).expect("a file");
            path
        };
        let tar = file("x.tar", &[&[0; 257][..], b"ustar\0", &[0; 250]].concat());
        let own = std::env::current_exe().expect("a path");
        assert!(program(&tar).is_ok() && capture(&tar).is_ok());
        assert!(program(&own).is_ok());
        assert!(capture(&own).expect_err("an executable").to_string().contains("cannot be relinked"));
        let texts =
            [file("empty", b""), file("text", &b"8/8/8/8 w - -\n".repeat(99)), folder.path().to_owned()];
        for text in texts {
            for told in [program(&text), capture(&text)] {
                let told = told.expect_err("no program").to_string();
                assert!(told.contains("is neither an executable (ELF) nor a capture"), "{told}");
            }
        }
        assert!(program(&folder.path().join("absent")).is_ok(), "told by who opens it");
    }
}
