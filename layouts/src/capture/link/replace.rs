//! The command line with machine code in the place of what waited for link-time optimisation.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::command_line::{CommandLine, Item};
use super::inputs::{self, Code};
use crate::Error;
use crate::capture::members;
use crate::error::io;

/// The words of `line` with `objects` where the first input with such code stands, and without those inputs.
///
/// Of an archive, the members with machine code stay; `folder` takes them.
pub fn intermediate(
    line: &CommandLine,
    code: Code,
    objects: &[PathBuf],
    folder: &Path,
) -> Result<Vec<OsString>, Error> {
    if code == Code::Machine {
        return Ok(line.words().map(ToOwned::to_owned).collect());
    }
    let members = folder.join("members");
    fs::create_dir(&members).map_err(io("create", &members))?;
    let mut words = Words { words: Vec::new(), whole: false, group: None, members, taken: 0 };
    let mut objects = Some(objects);
    for item in line.items() {
        let replaced = match item.file.as_deref() {
            Some(file) if inputs::of_file(file)? == code => Some(file),
            _ => None,
        };
        if replaced.is_some()
            && let Some(objects) = objects.take()
        {
            words.insert(objects);
        }
        match replaced {
            Some(file) => words.rest_of(file)?,
            None => words.keep(item),
        }
    }
    Ok(words.words)
}

struct Words {
    words: Vec<OsString>,
    /// Whether archives are linked whole.
    whole: bool,
    /// Where the group of objects starts that are linked where needed.
    group: Option<usize>,
    /// Folder for members of archives.
    members: PathBuf,
    taken: usize,
}

impl Words {
    fn keep(&mut self, item: &Item) {
        match item.words[0].to_string_lossy().trim_start_matches('-') {
            "whole-archive" => self.whole = true,
            "no-whole-archive" => self.whole = false,
            "start-lib" => self.group = Some(self.words.len()),
            "end-lib" => self.group = None,
            _ => {}
        }
        self.words.extend(item.words.iter().cloned());
    }

    /// Adds objects here, or before the group that is open: they are to be linked whether needed or not.
    fn insert(&mut self, objects: &[PathBuf]) {
        let at = self.group.unwrap_or(self.words.len());
        self.words.splice(at..at, objects.iter().map(|path| path.clone().into_os_string()));
    }

    /// Adds the members of an archive that are machine code already.
    fn rest_of(&mut self, file: &Path) -> Result<(), Error> {
        let data = fs::read(file).map_err(io("read", file))?;
        if !data.starts_with(b"!<") {
            return Ok(());
        }
        let mut rest = Vec::new();
        for (name, member) in members::of(file, &data)? {
            if inputs::of_object(&member) != Code::Machine || !member.starts_with(b"\x7fELF") {
                continue;
            }
            let folder = self.members.join(self.taken.to_string());
            self.taken += 1;
            let path = folder.join(Path::new(&name).file_name().unwrap_or("member.o".as_ref()));
            fs::create_dir(&folder).map_err(io("create", &folder))?;
            fs::write(&path, member).map_err(io("write", &path))?;
            rest.push(path.into_os_string());
        }
        let lazy = !self.whole && self.group.is_none() && !rest.is_empty();
        self.words.extend(lazy.then(|| "--start-lib".into()));
        self.words.extend(rest);
        self.words.extend(lazy.then(|| "--end-lib".into()));
        Ok(())
    }
}
