//! What a link loads of all that it could.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::{LINK_FILE, response};
use crate::Error;
use crate::error::io;

/// Cuts the link file down to the objects that the list names and deletes the others: members that no link needs cost
/// time in each.
///
/// The objects are given in the list's order, in which the linker loaded them: of definitions that several share, the first is kept.
pub fn keep(folder: &Path, list: &Path) -> Result<(), Error> {
    let list = fs::read_to_string(list).map_err(io("read", list))?;
    let in_order = || list.lines().map(str::trim).filter(|path| path.starts_with("prepared/"));
    let loaded: HashSet<&str> = in_order().collect();
    let file = folder.join(LINK_FILE);
    let text = fs::read_to_string(&file).map_err(io("read", &file))?;
    let mut next = in_order();
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        match line.trim().trim_matches('"') {
            "--start-lib" | "--end-lib" => {}
            path if path.starts_with("prepared/") => {
                let object = if loaded.contains(path) { next.next() } else { None };
                object.into_iter().for_each(|object| kept.push_str(&response::line([object])));
            }
            _ => kept.extend([line, "\n"]),
        }
    }
    fs::write(&file, kept).map_err(io("write", &file))?;
    let prepared = folder.join("prepared");
    for entry in fs::read_dir(&prepared).map_err(io("read", &prepared))?.flatten() {
        if !loaded.contains(format!("prepared/{}", entry.file_name().display()).as_str()) {
            fs::remove_file(entry.path()).map_err(io("remove", &entry.path()))?;
        }
    }
    Ok(())
}
