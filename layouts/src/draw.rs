//! Draws: from a seed, one slot for every unit that any arm has, at one address for all arms.

mod chance;
mod slots;

use std::collections::BTreeMap;

pub(crate) use chance::Chance;

use crate::capture::Capture;
use crate::image::{Access, SectionOutline};
use crate::unit::{Key, Kind};

pub(crate) use slots::{Extent, Piece, Slot, pieces};

/// Bytes of a page.
pub(crate) const PAGE: u64 = 4096;
/// Segments start a drawn number of pages into a stretch of this many bytes: the size of a huge page.
const HUGE_PAGE: u64 = 2 << 20;

/// A drawn layout, shared by all captures that it was made over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    seed: u64,
    sections: Vec<DrawnSection>,
}

/// One section of the executables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DrawnSection {
    /// Its name.
    pub name: String,
    /// Where it starts in every arm.
    pub address: u64,
    /// What its units are, if it holds units.
    pub kind: Option<Kind>,
    /// The units' slots in the order of their addresses.
    pub slots: Vec<Slot>,
    /// Bytes of all slots together.
    pub slots_size: u64,
}

impl Draw {
    /// Draws a layout for these captures.
    ///
    /// The order of two units depends on the seed and their keys alone, so that it is the same in every draw that has
    /// both; addresses are the same for the captures given here.
    pub fn new(seed: u64, captures: &[&Capture]) -> Self {
        let chance = Chance::new(seed);
        let mut sections = Vec::new();
        let mut end = captures.iter().map(|capture| capture.image_base()).max().unwrap_or(0) + PAGE;
        let mut access = None;
        for outline in joined_sections(captures) {
            let kind = Kind::ALL.into_iter().find(|kind| kind.section() == outline.name);
            let slots = kind.map_or_else(Vec::new, |kind| slots::draw(chance, kind, captures));
            let slots_size = slots.last().map_or(0, |slot| slot.offset + slot.size);
            let align = slots.iter().map(|slot| slot.align).max().unwrap_or(1).max(outline.align);
            if access != Some(outline.access) {
                // A new segment: anywhere inside a huge page, on a page border.
                let first = access.replace(outline.access).is_none();
                end = if first { end } else { end.next_multiple_of(HUGE_PAGE) };
                end += PAGE * chance.below(HUGE_PAGE / PAGE, "page", &outline.name);
            } else if kind.is_some_and(|kind| !kind.is_thread_local()) {
                end = end.next_multiple_of(PAGE) + PAGE * chance.below(16, "page", &outline.name);
            }
            let address = end.next_multiple_of(align);
            end = address + slots_size + rest_size(&outline.name, kind, captures);
            sections.push(DrawnSection { name: outline.name, address, kind, slots, slots_size });
        }
        Self { seed, sections }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The units in the order of their addresses, section by section.
    pub fn order(&self) -> impl Iterator<Item = &Key> {
        self.sections.iter().flat_map(|section| section.slots.iter().map(|slot| &slot.key))
    }

    pub(crate) fn sections(&self) -> &[DrawnSection] {
        &self.sections
    }
}

/// The loaded sections of all captures, each once with the largest alignment, in an order that suits all.
fn joined_sections(captures: &[&Capture]) -> Vec<SectionOutline> {
    let mut joined: Vec<SectionOutline> = Vec::new();
    for capture in captures {
        let mut at = 0;
        for section in capture.sections() {
            match joined.iter().position(|other| other.name == section.name) {
                Some(found) => {
                    joined[found].align = joined[found].align.max(section.align);
                    at = found + 1;
                }
                None => {
                    joined.insert(at, section.clone());
                    at += 1;
                }
            }
        }
    }
    // Stable, so that the linker's order within a segment stays.
    joined.sort_by_key(|section| match section.access {
        Access::Read => 0,
        Access::Execute => 1,
        Access::Write => 2,
    });
    joined
}

/// Room for what a section holds beside its units, in the arm that needs most.
fn rest_size(name: &str, kind: Option<Kind>, captures: &[&Capture]) -> u64 {
    let rest = |capture: &&Capture| {
        let section = capture.sections().iter().find(|section| section.name == name)?;
        let units = capture.units().iter().filter(|unit| Some(unit.key.kind) == kind);
        let (size, align) =
            units.fold((0, 1), |(size, align), unit| (size + unit.size, unit.align.max(align)));
        if name == ".relr.dyn" {
            // Packed addresses: a word may stand for 63 neighbours in one layout and for one in another.
            return Some(64 * section.size);
        }
        // The gaps of the natural order count as rest: more than enough for those of the drawn one.
        Some(section.size.saturating_sub(size) + align.max(section.align))
    };
    captures.iter().filter_map(rest).max().unwrap_or(0)
}

/// The units of a kind of all captures, each with the largest size and alignment that it has in any.
pub(crate) fn joined_units(kind: Kind, captures: &[&Capture]) -> BTreeMap<Key, Extent> {
    let mut joined = BTreeMap::<Key, Extent>::new();
    for unit in captures.iter().flat_map(|capture| capture.units()).filter(|unit| unit.key.kind == kind) {
        let new = || Extent { size: 0, align: 1, pool: unit.pool.clone() };
        let extent = joined.entry(unit.key.clone()).or_insert_with(new);
        extent.size = unit.size.max(extent.size);
        extent.align = unit.align.max(extent.align);
    }
    joined
}
