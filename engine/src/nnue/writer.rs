//! Writes net files: never a half-written one under the final name.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytemuck::Pod;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::architecture::Architecture;
use super::header::{HEADER_BYTES, Header};
use super::progress::{Progress, Terminal};

/// A net file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write net {}: {source}; no file was made or changed", path.display())]
pub struct WriteError {
    /// The wanted file.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

/// Takes the payload's arrays in file order, and hashes and counts them on the way.
pub struct PayloadWriter<'a> {
    out: BufWriter<&'a mut File>,
    hash: Sha256,
    written: usize,
    progress: Progress<'a>,
}

impl PayloadWriter<'_> {
    /// Appends values.
    pub fn put<T: Pod>(&mut self, values: &[T]) -> std::io::Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        self.out.write_all(bytes)?;
        self.hash.update(bytes);
        self.written += bytes.len();
        self.progress.advance(bytes.len());
        Ok(())
    }
}

/// Writes a net of the engine's own format.
pub fn write_net(
    path: &Path,
    architecture: &Architecture,
    payload: impl FnOnce(&mut PayloadWriter<'_>) -> std::io::Result<()>,
) -> Result<(), WriteError> {
    write_file(path, |file| {
        let total = architecture.sections().bytes();
        let terminal = Terminal::new("writing the net");
        let mut writer = PayloadWriter {
            out: BufWriter::with_capacity(1 << 16, file),
            hash: Sha256::new(),
            written: 0,
            progress: Progress::new(total, &terminal),
        };
        writer.out.write_all(&[0; HEADER_BYTES])?;
        payload(&mut writer)?;
        let PayloadWriter { out, hash, written, .. } = writer;
        assert_eq!(written, total, "every array of the payload is written once");
        let header = Header { architecture: architecture.clone(), payload_hash: hash.finalize().into() };
        let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes())
    })
}

/// Writes a file through a temporary one beside `path`, which is renamed at the end.
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), WriteError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let written = temporary(folder).and_then(|mut file| {
        content(file.as_file_mut())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)
    });
    written.map(drop).map_err(|source| WriteError { path: path.into(), source })
}

/// A file with the permissions of any other new one, removed when dropped.
fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".net-").suffix(".partial");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
