//! `bench-lab register`: what became of every plan.

use std::path::{Path, PathBuf};

use super::{Failure, print, warn};
use crate::exit::Exit;
use crate::locks::Holder;
use crate::register::{self, RegisterError, RegisterFile};

/// Lists a register, ending trials in it that broke off without a word.
pub fn register(file: Option<PathBuf>, json: bool) -> Result<Exit, Failure> {
    let path = file.unwrap_or_else(|| register::near(Path::new(".")));
    if !path.exists() {
        return Err(anyhow::anyhow!(
            "there is no register {}: `bench-lab run` begins one with its first plan",
            path.display()
        )
        .into());
    }
    let opened = open(&path, &Holder::this("the list of trials"), warn);
    let known = match opened.map_err(RegisterError::of_argument) {
        Ok(file) => file.register().clone(),
        Err(RegisterError::Lock(held)) => {
            warn(&format!("only read: {held}"));
            register::read(&path).map_err(RegisterError::of_argument)?.0
        }
        Err(error) => return Err(error.into()),
    };
    let text = if json { reports::register::json(&known) } else { reports::register::table(&known) };
    print(&text)?;
    Ok(Exit::Proven)
}

/// Opens a register and mends it, telling what was mended.
pub(super) fn open(path: &Path, holder: &Holder, say: impl Fn(&str)) -> Result<RegisterFile, RegisterError> {
    let (mut file, torn) = RegisterFile::open(path, holder)?;
    torn.iter().for_each(|told| say(told));
    register::mend(&mut file)?.iter().for_each(|told| say(told));
    Ok(file)
}
