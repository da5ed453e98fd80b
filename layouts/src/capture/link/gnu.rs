//! GCC's link-time optimisation: the linker that GCC works with runs once, and the objects that it optimises are kept.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::command_line::CommandLine;
use super::{GCC_OBJECTS, Optimised, finish};
use crate::Error;
use crate::capture::cc_flags;
use crate::capture::wrapper::{quoted, script};
use crate::error::io;

/// What stands before an option of the plug-in's.
const PLUGIN_OPTION: &str = "-plugin-opt=";

/// GNU ld, as GCC calls it with its plug-in.
pub fn command<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> Result<Command, Error> {
    let mut command = Command::new(linker()?);
    command.args(words);
    // GCC asks for a section per function at the link again and does not remember it from the compilation.
    let mut options = std::env::var_os("COLLECT_GCC_OPTIONS").unwrap_or_default();
    for flag in cc_flags() {
        options.push(format!(" '{flag}'"));
    }
    command.env("COLLECT_GCC_OPTIONS", options);
    Ok(command)
}

/// Lets GNU ld and GCC optimise the program; returns the machine code that the plug-in gave back to the linker.
pub fn optimise(line: &CommandLine, folder: &Path) -> Result<Optimised, Error> {
    let Some((option, wrapper)) = line.words().find_map(lto_wrapper) else {
        return Err(refused(
            "link through gcc or g++ with its linker plug-in (without -fno-use-linker-plugin)",
        ));
    };
    let objects = folder.join(GCC_OBJECTS);
    fs::create_dir(&objects).map_err(io("create", &objects))?;
    let keeper = folder.join("lto-wrapper");
    script(&keeper, &keeper_text(wrapper, &objects))?;

    // The plug-in takes its first option for the program to run.
    let mut ours = OsString::from(PLUGIN_OPTION);
    ours.push(&keeper);
    let words = line.words().map(|word| if word == option { ours.as_os_str() } else { word });
    let mut command = command(words)?;
    // The last `-o` counts.
    command.arg("-o").arg(folder.join("executable"));
    let status = finish(command)?;
    if !status.success() {
        return Ok(Optimised::Failed(status));
    }
    let kept = |number: usize| Some(objects.join(format!("{number}.o"))).filter(|path| path.is_file());
    Ok(Optimised::Objects((0..).map_while(kept).collect()))
}

/// The option that names the program which the plug-in runs to optimise, and that program.
fn lto_wrapper(word: &OsStr) -> Option<(&OsStr, &OsStr)> {
    let value = word.as_bytes().strip_prefix(PLUGIN_OPTION.as_bytes())?;
    value.ends_with(b"lto-wrapper").then(|| (word, OsStr::from_bytes(value)))
}

/// A script that runs GCC's `lto-wrapper`, which prints the names of the objects that it made, and copies those.
fn keeper_text(wrapper: &OsStr, objects: &Path) -> OsString {
    let mut text = OsString::from("#!/bin/sh\nmade=$(");
    text.push(quoted(wrapper));
    text.push(" \"$@\") || exit\nIFS='\n'\nset -f\nnumber=0\nfor object in $made; do\n    cp \"$object\" ");
    text.push(quoted(objects.as_os_str()));
    text.push("/\"$number.o\" || exit\n    number=$((number + 1))\ndone\nprintf '%s\\n' \"$made\"\n");
    text
}

/// The linker that GCC would take by itself, or another that loads its plug-in.
fn linker() -> Result<PathBuf, Error> {
    let gcc = std::env::var_os("COLLECT_GCC").unwrap_or_else(|| "gcc".into());
    let found = ["ld.bfd", "ld", "ld.gold"].into_iter().find_map(|name| {
        let output = Command::new(&gcc)
            .arg(format!("-print-prog-name={name}"))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let answer = output.stdout.trim_ascii_end();
        on_path(OsStr::from_bytes(answer))
    });
    found.ok_or_else(|| refused("install GNU ld (binutils), which reads it through GCC's plug-in"))
}

/// The program's path, if there is such a file here or on `PATH`.
fn on_path(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|path| path.is_file())
}

fn refused(remedy: &'static str) -> Error {
    Error::Intermediate { path: "an input of the link".into(), kind: "GCC", remedy }
}
