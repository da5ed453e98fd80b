//! The linker's stand-in: a script named `ld.lld` that gcc and clang find and that hands the link to a command of ours.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::error::io;

/// Name under which `-fuse-ld=lld` looks for the linker in the folders of `-B`.
const NAME: &str = "ld.lld";

/// Writes an `ld.lld` into `dir` that runs `command` with the linker's arguments behind its own; returns its path.
///
/// The command should do what [`super::link::run`] does. The script replaces itself by it, so that the command's
/// parent is the compiler that asked for the link.
pub fn install(dir: &Path, command: &[&OsStr]) -> Result<PathBuf, Error> {
    fs::create_dir_all(dir).map_err(io("create", dir))?;
    let words: Vec<_> = command.iter().map(|word| quoted(word)).collect();
    let mut text = OsString::from("#!/bin/sh\nexec ");
    text.push(words.join(OsStr::new(" ")));
    text.push(" \"$@\"\n");
    let path = dir.join(NAME);
    script(&path, &text)?;
    Ok(path)
}

/// Writes an executable script; no process ever sees it half-written.
pub(super) fn script(path: &Path, text: &OsStr) -> Result<(), Error> {
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    fs::write(&draft, text.as_bytes()).map_err(io("write", path))?;
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).map_err(io("write", path))?;
    fs::rename(&draft, path).map_err(io("write", path))
}

/// The word as the shell reads it back unchanged.
pub(super) fn quoted(word: &OsStr) -> OsString {
    let mut out = vec![b'\''];
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => out.extend(b"'\\''"),
            byte => out.push(byte),
        }
    }
    out.push(b'\'');
    OsString::from_vec(out)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn words_reach_the_command_unchanged() {
        let dir = tempfile::tempdir().expect("folder");
        let words = ["printf", "%s|", "it's", "a b", "$HOME", "\\", "\"", "*"];
        let command: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let path = install(dir.path(), &command).expect("installs");
        let output = Command::new(&path).args(["-o", "two words"]).output().expect("runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(text, "it's|a b|$HOME|\\|\"|*|-o|two words|");
        assert_eq!(fs::read_dir(dir.path()).expect("folder").count(), 1, "litter");
    }
}
