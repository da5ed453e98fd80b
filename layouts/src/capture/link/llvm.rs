//! LLVM's link-time optimisation, whole or thin: the LLD that belongs to the compiler runs once, and the objects that
//! it makes are kept.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::command_line::{CommandLine, Item};
use super::{LLVM_OBJECTS, Optimised};
use crate::Error;
use crate::error::io;
use crate::linker::Linker;

/// The linkers that may read the code, the best first: the one of the clang that called us, then ours, which reads the
/// code of older compilers too.
pub fn linkers() -> Result<Vec<Linker>, Error> {
    let own = clangs_linker().and_then(|path| Linker::at(&path).ok());
    match Linker::find() {
        Ok(found) => Ok(own.into_iter().chain([found]).collect()),
        Err(error) => own.map(|own| vec![own]).ok_or(error),
    }
}

/// Lets LLD optimise the program; returns the machine code that it made.
pub fn optimise(line: &CommandLine, folder: &Path) -> Result<Optimised, Error> {
    // With a cache, LLD would keep objects there instead of writing them out.
    let line = line.without(is_cache);
    let linkers = linkers()?;
    let last = linkers.len() - 1;
    for (number, linker) in linkers.iter().enumerate() {
        let objects = folder.join(format!("{LLVM_OBJECTS}-{number}"));
        fs::create_dir(&objects).map_err(io("create", &objects))?;
        let mut path = OsString::from("--lto-obj-path=");
        path.push(objects.join("o"));
        let mut command = linker.command_with(line.words());
        // The last `-o` counts.
        command.arg(path).arg("-o").arg(folder.join("executable")).stdin(Stdio::null());
        let output = command.stderr(Stdio::piped()).output().map_err(|error| Error::LinkerUnusable {
            linker: linker.path().to_owned(),
            reason: error.to_string(),
        })?;
        let success = output.status.success();
        // Another linker may still read what this one could not; only the last one's reasons count.
        if success || number == last {
            let _ = std::io::stderr().write_all(&output.stderr);
        }
        match success {
            true => return Ok(Optimised::Objects(made(&objects)?)),
            false if number == last => return Ok(Optimised::Failed(output.status)),
            false => {}
        }
    }
    Err(Error::LinkerMissing { tried: "the compiler's own".into() })
}

/// The objects `o`, `o1`, `o2` and so on, in that order.
fn made(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut objects = Vec::new();
    for entry in fs::read_dir(folder).map_err(io("read", folder))?.flatten() {
        let name = entry.file_name();
        let number = name.to_string_lossy().trim_start_matches('o').parse::<usize>().ok();
        // A part of the program without code of its own leaves an empty file.
        if entry.metadata().is_ok_and(|file| file.len() > 0) {
            objects.push((number, entry.path()));
        }
    }
    objects.sort();
    Ok(objects.into_iter().map(|(_, path)| path).collect())
}

fn is_cache(item: &Item) -> bool {
    let plugin = item.value("plugin-opt").is_some_and(|value| value.as_bytes().starts_with(b"cache-dir="));
    plugin || item.value("thinlto-cache-dir").is_some()
}

/// The `ld.lld` that the clang which called us would run.
fn clangs_linker() -> Option<PathBuf> {
    let parent = std::os::unix::process::parent_id();
    let compiler = fs::read_link(format!("/proc/{parent}/exe")).ok()?;
    if !compiler.file_name()?.as_bytes().starts_with(b"clang") {
        return None;
    }
    let mut ask = Command::new(compiler);
    let output =
        ask.arg("-print-prog-name=ld.lld").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let path = PathBuf::from(OsStr::from_bytes(output.stdout.trim_ascii_end()));
    path.is_file().then_some(path)
}
