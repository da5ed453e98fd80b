//! What the inputs of a link hold: machine code, or code that waits for link-time optimisation.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use object::LittleEndian as LE;
use object::elf::FileHeader64;
use object::read::elf::FileHeader;

use super::command_line::CommandLine;
use crate::Error;
use crate::capture::members;
use crate::error::io;

/// What an object holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Machine code, or nothing that is linked as an object.
    Machine,
    /// GCC's intermediate code, alone or beside machine code.
    Gcc,
    /// LLVM's intermediate code.
    Llvm,
}

/// The kind of intermediate code that the link's inputs hold; two kinds at once cannot be linked.
pub fn intermediate(line: &CommandLine) -> Result<Code, Error> {
    let mut found = Code::Machine;
    for file in line.items().iter().filter_map(|item| item.file.as_deref()) {
        match (of_file(file)?, found) {
            (Code::Machine, _) => {}
            (code, Code::Machine) => found = code,
            (code, found) if code == found => {}
            _ => {
                return Err(Error::Intermediate {
                    path: file.display().to_string(),
                    kind: "another compiler's",
                    remedy: "build all objects that are optimised at the link with one compiler",
                });
            }
        }
    }
    Ok(found)
}

/// What an object holds, or any member of an archive. A file that is neither holds nothing for us.
pub fn of_file(path: &Path) -> Result<Code, Error> {
    let mut magic = [0; 8];
    let mut file = File::open(path).map_err(io("read", path))?;
    match file.read_exact(&mut magic) {
        Ok(()) if magic.starts_with(b"\x7fELF") || magic.starts_with(b"!<") => {}
        Ok(()) => return Ok(of_object(&magic)),
        Err(_) => return Ok(Code::Machine),
    }
    let data = fs::read(path).map_err(io("read", path))?;
    if magic.starts_with(b"\x7fELF") {
        return Ok(of_object(&data));
    }
    let codes = members::of(path, &data)?.into_iter().map(|(_, member)| of_object(&member));
    Ok(codes.into_iter().find(|&code| code != Code::Machine).unwrap_or(Code::Machine))
}

/// What the object in `data` holds.
pub fn of_object(data: &[u8]) -> Code {
    if data.starts_with(b"BC\xc0\xde") || data.starts_with(b"\xde\xc0\x17\x0b") {
        return Code::Llvm;
    }
    let sections = || -> object::read::Result<bool> {
        let sections = FileHeader64::<LE>::parse(data)?.sections(LE, data)?;
        let mut names = sections.iter().map(|section| sections.section_name(LE, section));
        Ok(names.any(|name| name.is_ok_and(|name| name.starts_with(b".gnu.lto_"))))
    };
    // A damaged or foreign object is for the linker to name.
    if sections().unwrap_or_default() { Code::Gcc } else { Code::Machine }
}
