//! What an executable's own headers tell of its size.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use object::elf::{SHF_ALLOC, SHF_EXECINSTR};
use object::{Object, ObjectSection, SectionFlags};

/// Sizes in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The file.
    pub executable: u64,
    /// Machine code.
    pub text: u64,
    /// What else is loaded from the file.
    pub data: u64,
    /// What compilers and linkers have left of themselves.
    pub compiler: String,
    /// The processor and the format that it is made for.
    pub target: String,
}

impl Sizes {
    /// Reads an executable.
    pub fn read(path: &Path) -> anyhow::Result<Sizes> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Sizes::of(&bytes).with_context(|| format!("{} is no executable that can be read", path.display()))
    }

    fn of(bytes: &[u8]) -> Result<Sizes, object::Error> {
        let file = object::File::parse(bytes)?;
        let mut sizes = Sizes {
            executable: bytes.len() as u64,
            text: 0,
            data: 0,
            compiler: String::new(),
            target: format!("{:?} {:?}", file.architecture(), file.format()).to_lowercase(),
        };
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
            if !sh_flags.contains(SHF_ALLOC) || section.file_range().is_none() {
                continue;
            }
            match sh_flags.contains(SHF_EXECINSTR) {
                true => sizes.text += section.size(),
                false => sizes.data += section.size(),
            }
        }
        if let Some(comment) = file.section_by_name(".comment") {
            sizes.compiler = makers(comment.data()?);
        }
        Ok(sizes)
    }
}

/// Every word of a maker in a `.comment`, once and in order: which object came first says nothing.
fn makers(comment: &[u8]) -> String {
    let words = comment.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    let makers: BTreeSet<String> =
        words.map(|word| String::from_utf8_lossy(word).trim().to_owned()).collect();
    makers.into_iter().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makers_are_told_once_and_in_order() {
        assert_eq!(makers(b"rustc 1\0GCC: 2\0rustc 1\0"), "GCC: 2; rustc 1");
        assert_eq!(makers(b""), "");
    }

    #[test]
    fn the_sizes_of_this_very_test() {
        let own = std::env::current_exe().expect("a path");
        let sizes = Sizes::read(&own).expect("an executable");
        assert_eq!(sizes.executable, fs::metadata(&own).expect("a file").len());
        assert!(sizes.text > 10_000 && sizes.data > 1_000, "{sizes:?}");
        assert!(sizes.text + sizes.data < sizes.executable, "{sizes:?}");
        assert!(sizes.compiler.contains("rustc"), "{}", sizes.compiler);
        assert!(sizes.target.ends_with(" elf"), "{}", sizes.target);
    }

    #[test]
    fn what_is_no_executable_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text");
        fs::write(&path, "no executable").expect("a file");
        let told = format!("{:#}", Sizes::read(&path).expect_err("text"));
        assert!(told.contains("text is no executable that can be read"), "{told}");
        assert!(Sizes::read(&folder.path().join("absent")).is_err());
    }
}
