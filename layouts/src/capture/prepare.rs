//! Preparing a capture: objects get symbols on all their units, archives are taken apart, the command line is rewritten.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::members;
use super::notes::Signs;
use super::objects::{Candidate, FunctionSections, Object, hex};
use super::response::{self, Arg};
use crate::Error;
use crate::error::io;
use crate::image::UNIT;
use crate::unit::stable_file_name;

/// The rewritten command line, relative to the capture's folder.
pub const LINK_FILE: &str = "link.rsp";

/// What came of preparing.
pub struct Prepared {
    /// Candidates of all objects with their symbols, in the link's order.
    pub units: Vec<(Candidate, String)>,
    /// SHA-256 over all inputs as captured.
    pub inputs_sha256: String,
    /// What the prepared objects tell about how they were made, by the name of their file in the folder.
    pub signs: Vec<(String, Signs)>,
}

/// Prepares the link of `args` in `folder`: writes `prepared/` and the link file.
pub fn prepare(folder: &Path, args: &[Arg]) -> Result<Prepared, Error> {
    let out = folder.join("prepared");
    fs::create_dir(&out).map_err(io("create", &out))?;
    let mut work = Work {
        folder,
        hash: Sha256::new(),
        objects: 0,
        units: Vec::new(),
        functions: FunctionSections::default(),
        lumped_in: None,
        signs: Vec::new(),
        lines: String::new(),
        whole_archives: vec![false],
        group: false,
        replaced: BTreeSet::new(),
    };
    for arg in args {
        work.take(arg, args)?;
    }
    let FunctionSections { own, lumped } = work.functions;
    if lumped > own {
        let first = work.lumped_in.unwrap_or_default();
        return Err(Error::NoFunctionSections { lumped, all: lumped + own, first });
    }
    for path in &work.replaced {
        fs::remove_file(path).map_err(io("remove", path))?;
    }
    // Debug information and build id say nothing about the layout and cost time.
    work.lines.push_str("--strip-debug\n--build-id=none\n");
    let file = folder.join(LINK_FILE);
    fs::write(&file, work.lines).map_err(io("write", &file))?;
    Ok(Prepared { units: work.units, inputs_sha256: hex(&work.hash.finalize()), signs: work.signs })
}

struct Work<'a> {
    folder: &'a Path,
    hash: Sha256,
    objects: usize,
    units: Vec<(Candidate, String)>,
    functions: FunctionSections,
    lumped_in: Option<String>,
    signs: Vec<(String, Signs)>,
    lines: String,
    /// Whether archives are linked whole: now, below it what `--pop-state` goes back to.
    whole_archives: Vec<bool>,
    /// Whether objects are linked where needed, as from an archive.
    group: bool,
    /// Files that prepared objects stand for.
    replaced: BTreeSet<PathBuf>,
}

impl Work<'_> {
    fn take(&mut self, arg: &Arg, all: &[Arg]) -> Result<(), Error> {
        match arg {
            Arg::Input(input) => {
                response::check_input(self.folder, input)?;
                let before = self.objects;
                self.take_file(input)?;
                // Libraries found by name stay: the text files that stand for shared ones may name them.
                if self.objects > before {
                    self.replaced.insert(self.folder.join(input));
                }
                Ok(())
            }
            Arg::Library(name) => match self.static_library(name, all) {
                Some(path) => self.take_file(&path),
                None => {
                    self.note(name, b"library");
                    self.lines.push_str(&response::line(["-l", name]));
                    Ok(())
                }
            },
            Arg::Search(path) => {
                self.lines.push_str(&response::line(["-L", path]));
                Ok(())
            }
            Arg::Option(words) => {
                match words[0].trim_start_matches('-') {
                    "whole-archive" => self.set_whole_archives(true),
                    "no-whole-archive" => self.set_whole_archives(false),
                    "push-state" => self.whole_archives.extend(self.whole_archives.last().copied()),
                    "pop-state" if self.whole_archives.len() > 1 => {
                        self.whole_archives.truncate(self.whole_archives.len() - 1);
                    }
                    "start-lib" => self.group = true,
                    "end-lib" => self.group = false,
                    // Would remove the symbols that the result is read back by.
                    "s" | "strip-all" => return Ok(()),
                    _ => {}
                }
                self.note_option(words)?;
                self.lines.push_str(&response::line(words));
                Ok(())
            }
        }
    }

    fn set_whole_archives(&mut self, whole: bool) {
        self.whole_archives.pop();
        self.whole_archives.push(whole);
    }

    /// The archive that `-l NAME` stands for, if the capture has no shared library of that name.
    fn static_library(&self, name: &str, all: &[Arg]) -> Option<String> {
        let folders = || {
            all.iter().filter_map(|arg| match arg {
                Arg::Search(path) => Some(path),
                _ => None,
            })
        };
        let find = |file: String| {
            folders().map(|f| format!("{f}/{file}")).find(|path| self.folder.join(path).is_file())
        };
        if let Some(file) = name.strip_prefix(':') {
            return find(file.to_owned());
        }
        match find(format!("lib{name}.so")) {
            Some(_) => None,
            None => find(format!("lib{name}.a")),
        }
    }

    fn take_file(&mut self, input: &str) -> Result<(), Error> {
        let path = self.folder.join(input);
        let data = fs::read(&path).map_err(io("read", &path))?;
        let base = input.rsplit('/').next().unwrap_or(input);
        self.note(&stable_file_name(base), &data);
        if data.starts_with(b"!<arch>\n") || data.starts_with(b"!<thin>\n") {
            return self.take_archive(input, &data);
        }
        let startup =
            ["crt1.o", "crti.o", "crtn.o", "crtbegin", "crtend"].iter().any(|part| base.contains(part));
        match self.take_object(&data, input, !startup)? {
            Some(prepared) => self.lines.push_str(&response::line([prepared])),
            None => self.lines.push_str(&response::line([input])),
        }
        Ok(())
    }

    /// Members of an archive are linked one by one, where needed, as from the archive.
    fn take_archive(&mut self, input: &str, data: &[u8]) -> Result<(), Error> {
        let mut members = Vec::new();
        for (name, code) in members::of(&self.folder.join(input), data)? {
            members.extend(self.take_object(&code, &format!("{input}({name})"), false)?);
        }
        if members.is_empty() {
            return Ok(());
        }
        let where_needed = !self.group && self.whole_archives.last() == Some(&false);
        if where_needed {
            self.lines.push_str("--start-lib\n");
        }
        for member in members {
            self.lines.push_str(&response::line([member]));
        }
        if where_needed {
            self.lines.push_str("--end-lib\n");
        }
        Ok(())
    }

    /// Writes the object with its symbols; `None` if it is not one and is linked as it is.
    fn take_object(&mut self, data: &[u8], name: &str, counts: bool) -> Result<Option<String>, Error> {
        let Some(object) = Object::parse(data, name)? else { return Ok(None) };
        let pools = object.pools()?;
        let candidates = object.candidates(&pools)?;
        let number = self.objects;
        self.objects += 1;
        let label = |unit: usize| format!("{UNIT}{number}.{unit}");
        let units: Vec<_> = candidates.iter().enumerate().map(|(at, unit)| unit.mark(label(at))).collect();
        let prepared = object.marked(&units, &object.rest(number)?, &pools)?;
        let relative = format!("prepared/{number}.o");
        let path: PathBuf = self.folder.join(&relative);
        fs::write(&path, prepared).map_err(io("write", &path))?;
        self.signs.push((relative.clone(), Signs::of(&object, name)));
        if counts {
            let FunctionSections { own, lumped } = object.function_sections();
            self.functions.own += own;
            self.functions.lumped += lumped;
            if lumped > 0 {
                self.lumped_in.get_or_insert_with(|| name.to_owned());
            }
        }
        self.units.extend(candidates.into_iter().enumerate().map(|(at, unit)| (unit, label(at))));
        Ok(Some(relative))
    }

    /// Options count as they are, a captured file in their value with its contents instead of its path.
    fn note_option(&mut self, words: &[String]) -> Result<(), Error> {
        let last = words.last().map_or("", String::as_str);
        let (option, value) = last.split_once('=').unwrap_or((words[0].as_str(), last));
        let path = self.folder.join(value);
        if value.is_empty() || !path.is_file() {
            self.note("option", words.join(" ").as_bytes());
            return Ok(());
        }
        let content = fs::read(&path).map_err(io("read", &path))?;
        self.note(&format!("option {option}"), &content);
        Ok(())
    }

    /// Adds a named input to the hash of all inputs.
    fn note(&mut self, name: &str, content: &[u8]) {
        self.hash.update((name.len() as u64).to_le_bytes());
        self.hash.update(name);
        self.hash.update((content.len() as u64).to_le_bytes());
        self.hash.update(content);
    }
}
