//! What an executable holds in memory, whatever its symbols are called.

use std::fs;
use std::path::Path;

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::error::io;

/// SHA-256, hex, over every section that is loaded: its place, size and bytes. Notes are left out: a build id is a hash of
/// the whole file.
///
/// Symbols of the program, debug information and comments are not loaded, so they do not count. Two executables of
/// one draw that agree in this hold the same code and data unit by unit, at the same addresses.
pub fn contents_sha256(path: &Path) -> Result<String, Error> {
    let data = fs::read(path).map_err(io("read", path))?;
    let bad =
        |error: object::read::Error| Error::BadImage { path: path.to_owned(), reason: error.to_string() };
    let header = FileHeader64::<LE>::parse(data.as_slice()).map_err(bad)?;
    let table = header.sections(LE, data.as_slice()).map_err(bad)?;
    let mut hash = Sha256::new();
    let loaded = table.iter().filter(|section| {
        section.sh_flags(LE).contains(elf::SHF_ALLOC) && section.sh_type(LE) != elf::SHT_NOTE
    });
    for section in loaded {
        let bytes = section.data(LE, data.as_slice()).map_err(bad)?;
        for number in [section.sh_addr(LE), section.sh_size(LE), bytes.len() as u64] {
            hash.update(number.to_le_bytes());
        }
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
