//! What an executable holds in memory, whatever its symbols are called.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use object::LittleEndian as LE;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use sha2::{Digest, Sha256};

use super::Image;
use crate::Error;
use crate::error::io;
use crate::unit::{Key, Kind, Unit};

/// SHA-256, hex, over every section that is loaded: its place, size and bytes. Notes are left out: a build id is a hash of
/// the whole file.
///
/// Symbols of the program, debug information and comments are not loaded, so they do not count.
pub fn contents_sha256(path: &Path) -> Result<String, Error> {
    let mut hash = Sha256::new();
    of_sections(path, |_, section, bytes| {
        if section.sh_flags(LE).contains(elf::SHF_ALLOC) && section.sh_type(LE) != elf::SHT_NOTE {
            for number in [section.sh_addr(LE), section.sh_size(LE), bytes.len() as u64] {
                hash.update(number.to_le_bytes());
            }
            hash.update(bytes);
        }
    })?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Shows every section of an executable: its name, its head and its bytes, of which a zeroed one has none.
fn of_sections(
    path: &Path,
    mut each: impl FnMut(&[u8], &elf::SectionHeader64<LE>, &[u8]),
) -> Result<(), Error> {
    let data = fs::read(path).map_err(io("read", path))?;
    let bad =
        |error: object::read::Error| Error::BadImage { path: path.to_owned(), reason: error.to_string() };
    let header = FileHeader64::<LE>::parse(data.as_slice()).map_err(bad)?;
    let table = header.sections(LE, data.as_slice()).map_err(bad)?;
    for section in table.iter() {
        let name = table.section_name(LE, section).map_err(bad)?;
        each(name, section, section.data(LE, data.as_slice()).map_err(bad)?);
    }
    Ok(())
}

/// Whether two executables of one draw, with the units of their captures, hold the same units with the same bytes at the
/// same addresses.
///
/// So they do the same, instruction by instruction. What the linker keeps in the order of its inputs (the tables of
/// unwinding) is not compared: a compiler that sorts by hashed names puts it in another order for the same program.
pub fn same_units(a: (&Image, &[Unit]), b: (&Image, &[Unit])) -> Result<bool, Error> {
    let sizes = |units: &[Unit]| -> BTreeMap<Key, u64> {
        units.iter().map(|unit| (unit.key.clone(), unit.size)).collect()
    };
    let of_a = sizes(a.1);
    if of_a != sizes(b.1) || a.0.addresses != b.0.addresses || !a.0.unscattered(b.0).is_empty() {
        return Ok(false);
    }
    let files = [Sections::read(&a.0.path)?, Sections::read(&b.0.path)?];
    Ok(of_a.iter().filter(|(key, _)| !key.kind.is_zeroed()).all(|(key, &size)| {
        let address = a.0.addresses.get(key).copied().unwrap_or_default();
        let [one, other] = [&files[0], &files[1]].map(|file| file.bytes(key.kind, address, size));
        one.is_some() && one == other
    }))
}

/// The sections of an executable that hold units: where each starts, and its bytes.
struct Sections(BTreeMap<&'static str, (u64, Vec<u8>)>);

impl Sections {
    fn read(path: &Path) -> Result<Self, Error> {
        let mut sections = BTreeMap::new();
        of_sections(path, |name, section, bytes| {
            if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.section().as_bytes() == name) {
                // Thread-local addresses count from the start of the block.
                let start = if kind.is_thread_local() { 0 } else { section.sh_addr(LE) };
                sections.insert(kind.section(), (start, bytes.to_vec()));
            }
        })?;
        Ok(Self(sections))
    }

    fn bytes(&self, kind: Kind, address: u64, size: u64) -> Option<&[u8]> {
        let (start, bytes) = self.0.get(kind.section())?;
        let at = usize::try_from(address.checked_sub(*start)?).ok()?;
        bytes.get(at..at.checked_add(usize::try_from(size).ok()?)?)
    }
}
