//! The layout file: what a draw decided, beside the executable that it made (`<executable>.layout.json`).
//!
//! Its keys are documented in `docs/layouts.md` and stay.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::image::Image;
use layouts::parts::{Part, Parts};
use layouts::startup::Startup;
use layouts::survey::Survey;
use serde::{Deserialize, Serialize};

use crate::hash;

/// Version of [`LayoutFile`].
pub const FORMAT: u32 = 1;

/// What a draw decided for one executable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutFile {
    /// Version of this structure.
    pub format: u32,
    /// Name and version of the way layouts are drawn.
    pub scheme: String,
    /// Seed of the draw.
    pub seed: u64,
    /// For every part whether it was drawn.
    pub parts: BTreeMap<String, bool>,
    /// The linker.
    pub linker: String,
    /// SHA-256 over everything that was linked, hex.
    pub inputs_sha256: String,
    /// SHA-256 of the executable, hex.
    pub executable_sha256: String,
    /// The start-up layout that belongs to the draw.
    pub startup: Start,
    /// Bytes of zeroes behind the program's data, by which its heap is shifted.
    pub heap_offset: u64,
    /// What is mapped.
    pub segments: Vec<Segment>,
    /// The loaded sections.
    pub sections: Vec<Section>,
    /// Everything that was placed, by section and address.
    pub units: Vec<Unit>,
    /// What was not placed one by one, largest first.
    pub not_scattered: Vec<NotScattered>,
    /// What the capture changed or cannot vouch for.
    pub notes: Vec<String>,
}

/// Where stack and mappings of a process start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Bytes by which the stack is shifted.
    pub stack_offset: u64,
    /// Bytes by which the base of all mappings is shifted.
    pub mapping_offset: u64,
}

/// A stretch of memory that the file is mapped to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// First address.
    pub address: u64,
    /// Bytes in memory.
    pub bytes: u64,
    /// Bytes in the file.
    pub file_bytes: u64,
    /// `r--`, `r-x` or `rw-`.
    pub access: String,
}

/// A loaded section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// First address.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// `r--`, `r-x` or `rw-`.
    pub access: String,
}

/// Something that was placed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Section of the executable.
    pub section: String,
    /// First address; of thread-local units, from the start of their block.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
    /// Stable name.
    pub name: String,
    /// Alignment in bytes, where it is known.
    pub align: Option<u64>,
    /// The pool of constants that it is an entry of.
    pub pool: Option<String>,
}

/// What was not placed one by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotScattered {
    /// Section of the executable.
    pub section: String,
    /// Bytes.
    pub bytes: u64,
    /// Why.
    pub reason: String,
}

impl LayoutFile {
    /// What `draw` decided for `image`, which was relinked from `capture`.
    pub fn of(capture: &Capture, draw: &Draw, parts: &Parts, image: &Image) -> anyhow::Result<LayoutFile> {
        let survey = Survey::read(image.path())?;
        let startup = Startup::draw(draw.seed(), parts);
        let (segments, sections) = outline(&survey);
        let unit = |unit: &layouts::unit::Unit| {
            let address = *image.addresses().get(&unit.key)?;
            Some(Unit {
                section: unit.key.kind.section().to_owned(),
                address,
                bytes: unit.size,
                name: unit.key.name.clone(),
                align: Some(unit.align),
                pool: unit.pool.clone(),
            })
        };
        let mut units: Vec<Unit> = capture.units().iter().filter_map(unit).collect();
        units.sort();
        Ok(LayoutFile {
            format: FORMAT,
            scheme: layouts::SCHEME.to_owned(),
            seed: draw.seed(),
            parts: Part::ALL.into_iter().map(|part| (part.name().to_owned(), parts.contains(part))).collect(),
            linker: capture.linker().version().to_owned(),
            inputs_sha256: capture.inputs_sha256().to_owned(),
            executable_sha256: hash::of_file(image.path())
                .with_context(|| format!("cannot read {}", image.path().display()))?,
            startup: Start { stack_offset: startup.stack_offset, mapping_offset: startup.mapping_offset },
            heap_offset: draw.heap_offset(),
            segments,
            sections,
            units,
            not_scattered: not_scattered(capture),
            notes: capture.notes().to_vec(),
        })
    }

    /// Where the layout file of an executable lies.
    pub fn path(executable: &Path) -> PathBuf {
        let mut name = executable.as_os_str().to_owned();
        name.push(".layout.json");
        name.into()
    }

    /// The layout file beside `executable`, if there is one; it must be that executable's.
    pub fn beside(executable: &Path) -> anyhow::Result<Option<LayoutFile>> {
        let path = LayoutFile::path(executable);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let file: LayoutFile = serde_json::from_slice(&bytes)
            .with_context(|| format!("{}: not a layout file; draw the executable again", path.display()))?;
        if file.format != FORMAT {
            bail!("{}: format {}, expected {FORMAT}: draw the executable again", path.display(), file.format);
        }
        let found =
            hash::of_file(executable).with_context(|| format!("cannot read {}", executable.display()))?;
        if found != file.executable_sha256 {
            bail!(
                "{} describes another executable than the one beside it (SHA-256 {}…, found {}…): draw it again, or \
                 remove that file to go by the symbol table",
                path.display(),
                &file.executable_sha256.chars().take(12).collect::<String>(),
                &found[..12]
            );
        }
        Ok(Some(file))
    }
}

/// Segments and sections as the layout file has them.
pub fn outline(survey: &Survey) -> (Vec<Segment>, Vec<Section>) {
    let segments = survey.segments.iter().map(|segment| Segment {
        address: segment.address,
        bytes: segment.bytes,
        file_bytes: segment.file_bytes,
        access: segment.access.clone(),
    });
    let sections = survey.sections.iter().map(|section| Section {
        name: section.name.clone(),
        address: section.address,
        bytes: section.bytes,
        align: section.align,
        access: section.access.clone(),
    });
    (segments.collect(), sections.collect())
}

/// What a capture does not scatter.
pub fn not_scattered(capture: &Capture) -> Vec<NotScattered> {
    let list = capture.not_scattered().into_iter();
    list.map(|rest| NotScattered { section: rest.section, bytes: rest.bytes, reason: rest.reason.to_owned() })
        .collect()
}
