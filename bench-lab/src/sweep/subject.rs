//! What is swept: a captured link, relinked for every layout, or a finished executable whose starts alone are drawn.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Context;
use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::image::Moved;
use layouts::parts::{Part, Parts};
use layouts::relink::relink;

use crate::builds::BadLink;
use crate::bundle::elf;
use crate::hash;

/// One program.
#[derive(Debug)]
pub enum Subject {
    /// A captured link.
    Captured(Box<Capture>),
    /// An executable as it is, and its SHA-256.
    Executable(PathBuf, String),
}

/// The executable of one layout.
#[derive(Debug)]
pub struct Made {
    /// Where it is.
    pub executable: PathBuf,
    /// Its SHA-256, hex.
    pub sha256: String,
    /// What lies elsewhere than as first linked.
    pub moved: Moved,
    /// Bytes by which the heap is shifted.
    pub heap_offset: u64,
}

impl Subject {
    /// Opens a file: an ELF executable as it is, anything else as a capture, unpacked into `folder`.
    pub fn open(file: &Path, folder: &Path) -> anyhow::Result<Subject> {
        let failed = || format!("cannot read {}", file.display());
        File::open(file).with_context(failed)?;
        if !elf::is_elf(file) {
            return Subject::captured(file, folder).map_err(|fault| BadLink::of_file(file, fault).into());
        }
        let sha256 = hash::of_file(file).with_context(failed)?;
        // A relative path would be looked up on PATH.
        Ok(Subject::Executable(file.canonicalize().with_context(failed)?, sha256))
    }

    /// Opens a captured link, unpacked into `folder`.
    pub fn captured(link: &Path, folder: &Path) -> Result<Subject, layouts::Error> {
        Ok(Subject::Captured(Box::new(Capture::open(link, folder)?)))
    }

    /// SHA-256 of what is swept, hex.
    pub fn sha256(&self) -> &str {
        match self {
            Subject::Captured(capture) => capture.inputs_sha256(),
            Subject::Executable(_, sha256) => sha256,
        }
    }

    /// Whether a part can be drawn at all.
    pub fn can_draw(&self, part: Part) -> bool {
        match self {
            Subject::Captured(capture) => part != Part::Heap || capture.natural().heap_follows(),
            Subject::Executable(..) => matches!(part, Part::Stack | Part::Mapping | Part::Copy),
        }
    }

    /// Makes the executable of the layout with this seed, at `out`; without a seed the one as first linked.
    pub fn make(&self, seed: Option<u64>, parts: &Parts, out: &Path) -> anyhow::Result<Made> {
        let capture = match self {
            Subject::Captured(capture) => capture,
            Subject::Executable(path, sha256) => {
                let (executable, sha256) = (path.clone(), sha256.clone());
                return Ok(Made { executable, sha256, moved: Moved::default(), heap_offset: 0 });
            }
        };
        let (moved, heap_offset) = match seed {
            Some(seed) => {
                let draw = Draw::new(seed, parts, &[capture]);
                let image = relink(capture, &draw, out)
                    .with_context(|| format!("it cannot be relinked under seed {seed}"))?;
                (image.moved(capture.natural()), draw.heap_offset())
            }
            None => {
                capture.relink_natural(out)?;
                (capture.natural().moved(capture.natural()), 0)
            }
        };
        let sha256 = hash::of_file(out).with_context(|| format!("cannot read {}", out.display()))?;
        Ok(Made { executable: out.to_owned(), sha256, moved, heap_offset })
    }

    /// Deletes what [`Subject::make`] wrote.
    pub fn discard(&self, executable: &Path) {
        if matches!(self, Subject::Captured(_)) {
            // The temporary folder goes at the end anyway.
            let _ = fs::remove_file(executable);
        }
    }
}
