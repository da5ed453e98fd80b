//! Archives taken apart.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;

use crate::Error;
use crate::error::io;

/// Name and content of a member.
pub type Member<'a> = (String, Cow<'a, [u8]>);

/// The members of the archive `data` at `path`; those of a thin archive lie in files of their own.
pub fn of<'a>(path: &Path, data: &'a [u8]) -> Result<Vec<Member<'a>>, Error> {
    let bad = |error: object::read::Error| Error::BadObject {
        path: path.display().to_string(),
        reason: error.to_string(),
    };
    let archive = ArchiveFile::parse(data).map_err(bad)?;
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member.map_err(bad)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let content = if archive.is_thin() {
            let file = path.parent().unwrap_or(Path::new("")).join(&name);
            fs::read(&file).map_err(io("read", &file))?.into()
        } else {
            member.data(data).map_err(bad)?.into()
        };
        members.push((name, content));
    }
    Ok(members)
}
