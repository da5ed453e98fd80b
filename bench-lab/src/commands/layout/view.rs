//! Views: what lies where in one executable, told by its layout file or else by its symbol table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use layouts::survey::{Named, Survey};
use serde::Serialize;

use super::file::{self, LayoutFile, NotScattered, Section, Segment, Start, Unit};
use crate::hash;

/// Bytes of a cache line.
const LINE: u64 = 64;
/// Steps in which places inside a line are counted.
const STEP: u64 = 16;
/// How many of the largest units are told.
const LARGEST: usize = 10;

/// What a view goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The layout file beside the executable.
    LayoutFile,
    /// Its symbol table.
    Symbols,
}

/// What lies where in one executable. Its keys are documented in `docs/layouts.md` and stay.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// The executable.
    pub file: PathBuf,
    /// Its bytes.
    pub bytes: u64,
    /// Its SHA-256, hex.
    pub sha256: String,
    /// What the view goes by.
    pub by: By,
    /// The draw that made it, if there is a layout file.
    pub drawn: Option<Drawn>,
    /// Whether the system may load it anywhere.
    pub position_independent: bool,
    /// What is mapped.
    pub segments: Vec<Segment>,
    /// The loaded sections.
    pub sections: Vec<Filled>,
    /// How many functions there are.
    pub functions: usize,
    /// How many of them start in the first, second, third and fourth 16 bytes of a cache line.
    pub line_phases: [usize; 4],
    /// The largest units, largest first.
    pub largest: Vec<Unit>,
    /// What the draw did not place one by one; of a plain executable, what no symbol names.
    pub not_scattered: Vec<NotScattered>,
    /// What the capture left out or cannot vouch for.
    pub notes: Vec<String>,
    /// All units, when they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<Vec<Unit>>,
    /// Units by section and name; those whose name repeats are left out.
    #[serde(skip)]
    pub places: BTreeMap<(String, String), Unit>,
}

/// The draw behind an executable.
#[derive(Clone, Debug, Serialize)]
pub struct Drawn {
    /// Name and version of the scheme.
    pub scheme: String,
    /// Seed.
    pub seed: u64,
    /// For every part whether it was drawn.
    pub parts: BTreeMap<String, bool>,
    /// The start-up layout that belongs to it.
    pub startup: Start,
    /// Bytes by which the heap is shifted.
    pub heap_offset: u64,
    /// SHA-256 over everything that was linked, hex.
    pub inputs_sha256: String,
}

/// A section with what is in it.
#[derive(Clone, Debug, Serialize)]
pub struct Filled {
    /// The section.
    #[serde(flatten)]
    pub section: Section,
    /// Units in it.
    pub units: usize,
    /// Bytes of these.
    pub unit_bytes: u64,
}

impl View {
    /// Reads an executable; `symbols` leaves a layout file beside it out of account.
    pub fn read(path: &Path, symbols: bool) -> anyhow::Result<View> {
        let survey = Survey::read(path)?;
        let layout = if symbols { None } else { LayoutFile::beside(path)? };
        let failed = || format!("cannot read {}", path.display());
        let sha256 = hash::of_file(path).with_context(failed)?;
        let bytes = std::fs::metadata(path).with_context(failed)?.len();
        let (segments, sections) = file::outline(&survey);
        let (units, unique): (Vec<Unit>, Vec<bool>) = match &layout {
            Some(layout) => layout.units.iter().map(|unit| (unit.clone(), true)).unzip(),
            None => survey.objects.iter().map(|object| (unit(object), object.unique)).unzip(),
        };
        let code: Vec<&Unit> = units.iter().filter(|unit| executable(&sections, &unit.section)).collect();
        let mut line_phases = [0; (LINE / STEP) as usize];
        for unit in &code {
            line_phases[(unit.address % LINE / STEP) as usize] += 1;
        }
        let functions = code.len();
        let sections: Vec<Filled> = sections.into_iter().map(|section| filled(section, &units)).collect();
        let rest = || sections.iter().filter_map(unnamed).collect();
        let mut largest = units.clone();
        largest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.cmp(b)));
        largest.truncate(LARGEST);
        let places = units.iter().zip(unique).filter(|(_, unique)| *unique);
        let places =
            places.map(|(unit, _)| ((unit.section.clone(), unit.name.clone()), unit.clone())).collect();
        Ok(View {
            file: path.to_owned(),
            bytes,
            sha256,
            by: if layout.is_some() { By::LayoutFile } else { By::Symbols },
            position_independent: survey.position_independent,
            segments,
            functions,
            line_phases,
            largest,
            not_scattered: layout.as_ref().map_or_else(rest, |layout| layout.not_scattered.clone()),
            notes: layout.as_ref().map_or_else(Vec::new, |layout| layout.notes.clone()),
            units: Some(units),
            places,
            drawn: layout.map(|layout| Drawn {
                scheme: layout.scheme,
                seed: layout.seed,
                parts: layout.parts,
                startup: layout.startup,
                heap_offset: layout.heap_offset,
                inputs_sha256: layout.inputs_sha256,
            }),
            sections,
        })
    }

    /// Units whose name holds the pattern, in any case.
    pub fn matching(&self, pattern: &str) -> Vec<Unit> {
        let pattern = pattern.to_lowercase();
        let units = self.units.iter().flatten();
        units.filter(|unit| unit.name.to_lowercase().contains(&pattern)).cloned().collect()
    }
}

fn unit(object: &Named) -> Unit {
    Unit {
        section: object.section.clone(),
        address: object.address,
        bytes: object.bytes,
        name: object.name.clone(),
        align: None,
        pool: None,
    }
}

fn executable(sections: &[Section], name: &str) -> bool {
    sections.iter().any(|section| section.name == name && section.access.ends_with('x'))
}

fn filled(section: Section, units: &[Unit]) -> Filled {
    let own = units.iter().filter(|unit| unit.section == section.name);
    let (count, bytes) = own.fold((0, 0), |(count, bytes), unit| (count + 1, bytes + unit.bytes));
    Filled { section, units: count, unit_bytes: bytes }
}

/// What no symbol names in a section.
fn unnamed(filled: &Filled) -> Option<NotScattered> {
    let bytes = filled.section.bytes.saturating_sub(filled.unit_bytes);
    let reason = "no symbol names it: tables of the linker, constants, gaps".to_owned();
    (bytes > 0).then(|| NotScattered { section: filled.section.name.clone(), bytes, reason })
}
