//! The link as it is captured: what the stand-in for `ld.lld` does when a compiler calls it.
//!
//! A capture holds machine code only, so that a relink compiles nothing. Code that waits for link-time optimisation
//! goes first through the linker that can read it, once and for the whole program as the user ships it; the objects
//! that come out take the place of the intermediate ones in the link that LLD does and records.

mod command_line;
mod gnu;
mod inputs;
mod llvm;
mod replace;
mod words;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use command_line::CommandLine;
use inputs::Code;
use tempfile::TempDir;

use crate::Error;
use crate::error::io;
use crate::linker::Linker;

/// Subfolder for the objects that GCC's link-time optimisation makes.
pub(super) const GCC_OBJECTS: &str = "gcc-lto";
/// Subfolder for the objects that LLVM's link-time optimisation makes, a number behind it.
pub(super) const LLVM_OBJECTS: &str = "llvm-lto";

/// What the linker that optimises left.
enum Optimised {
    /// Objects with machine code, in the link's order.
    Objects(Vec<PathBuf>),
    /// Nothing: it failed, and said why.
    Failed(ExitStatus),
}

/// Links with these arguments, which a compiler meant for `ld.lld`; the result says how the linker ended.
///
/// The link of an executable is recorded where `--reproduce` says; any other (a library, a partial link) is done and
/// not recorded, so that it does not take the place of the executable's.
pub fn run(args: &[OsString]) -> Result<ExitStatus, Error> {
    let line = CommandLine::parse(args)?;
    let code = inputs::intermediate(&line)?;
    if !line.makes_executable() {
        let line = line.without_record();
        return match code {
            Code::Gcc => finish(gnu::command(line.words())?),
            Code::Llvm => finish(llvm::linkers()?.remove(0).command_with(line.words())),
            Code::Machine => finish(Linker::find()?.command_with(line.words())),
        };
    }
    let lld = Linker::find()?;
    let record = line.record();
    if code == Code::Machine && record.is_none() {
        return finish(lld.command_with(line.words()));
    }
    let folder = private_folder(record)?;
    let bare = line.without_record();
    let optimised = match code {
        Code::Gcc => gnu::optimise(&bare, folder.path())?,
        Code::Llvm => llvm::optimise(&bare, folder.path())?,
        Code::Machine => Optimised::Objects(Vec::new()),
    };
    let objects = match optimised {
        Optimised::Objects(objects) => objects,
        Optimised::Failed(status) => return Ok(status),
    };
    let mut link = lld.command_with(replace::intermediate(&bare, code, &objects, folder.path())?);
    let draft = folder.path().join("link.tar");
    if record.is_some() {
        link.arg("--reproduce").arg(&draft);
    }
    let status = finish(link)?;
    if let Some(record) = record.filter(|_| status.success()) {
        // Whole or not at all, even if other links go on beside this one.
        fs::rename(&draft, record).map_err(io("write", record))?;
    }
    Ok(status)
}

/// Runs a linker to its end; its messages go where the compiler expects them.
fn finish(mut command: Command) -> Result<ExitStatus, Error> {
    command.stdin(Stdio::null()).status().map_err(|error| Error::LinkerUnusable {
        linker: command.get_program().into(),
        reason: error.to_string(),
    })
}

/// A folder for what comes between, beside the record if there is one; it goes when the link is done.
fn private_folder(record: Option<&Path>) -> Result<TempDir, Error> {
    let beside = record.and_then(Path::parent).filter(|parent| !parent.as_os_str().is_empty());
    let parent = beside.map_or_else(std::env::temp_dir, Path::to_owned);
    let parent = parent.canonicalize().map_err(io("write to", &parent))?;
    tempfile::Builder::new().prefix(".link-").tempdir_in(&parent).map_err(io("write to", &parent))
}
