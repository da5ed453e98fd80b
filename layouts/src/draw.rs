//! Draws: from a seed, one slot for every unit that any arm has, at one address for all arms.

mod chance;
mod joined;
mod order;
mod slots;

pub(crate) use chance::Chance;

use crate::capture::Capture;
use crate::parts::{Part, Parts};
use crate::unit::{Key, Kind};

pub(crate) use slots::{Piece, Slot, pieces};

/// Bytes of a page.
pub(crate) const PAGE: u64 = 4096;
/// Segments start a drawn number of pages into a stretch of this many bytes: the size of a huge page.
const HUGE_PAGE: u64 = 2 << 20;
/// Sections inside a segment start this many pages later at most.
const SECTION_PAGES: u64 = 16;
/// The heap starts fewer pages later than this.
const HEAP_PAGES: u64 = 512;
/// Zeroes behind the program's data that are there even if the heap is not shifted.
const HEAP_LEAST: u64 = 16;

/// A drawn layout, shared by all captures that it was made over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    seed: u64,
    sections: Vec<DrawnSection>,
    heap: Zeroes,
}

/// One section of the executables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DrawnSection {
    /// Its name.
    pub name: String,
    /// Where it starts in every arm.
    pub address: u64,
    /// What that is a multiple of.
    pub align: u64,
    /// What its units are, if it holds units.
    pub kind: Option<Kind>,
    /// The units' slots in the order of their addresses.
    pub slots: Vec<Slot>,
}

/// Zeroes behind everything else: the heap starts on the page behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Zeroes {
    /// Where they start.
    pub address: u64,
    /// What that is a multiple of.
    pub align: u64,
    /// How many there are.
    pub size: u64,
}

impl Draw {
    /// Draws a layout for these captures.
    ///
    /// The order of two units depends on the seed and their keys alone, so that it is the same in every draw that has
    /// both; addresses are the same for the captures given here.
    pub fn new(seed: u64, parts: &Parts, captures: &[&Capture]) -> Self {
        let chance = Chance::new(seed);
        let page = |below: u64, name: &str| match parts.contains(Part::Segments) {
            true => PAGE * chance.below(below, "page", name),
            false => 0,
        };
        let mut sections = Vec::new();
        let mut end = captures.iter().map(|capture| capture.image_base()).max().unwrap_or(0) + PAGE;
        let mut access = None;
        for outline in joined::sections(captures) {
            let kind = Kind::ALL.into_iter().find(|kind| kind.section() == outline.name);
            let slots = kind.map_or_else(Vec::new, |kind| slots::draw(chance, parts, kind, captures));
            let line = kind.map_or(1, |_| slots::line(parts));
            let align = slots.iter().map(|slot| slot.align).max().unwrap_or(1).max(outline.align).max(line);
            if access != Some(outline.access) {
                // A new segment: anywhere inside a huge page, on a page border.
                let first = access.replace(outline.access).is_none();
                end = if first { end } else { end.next_multiple_of(HUGE_PAGE) };
                end += page(HUGE_PAGE / PAGE, &outline.name);
            } else if kind.is_some_and(|kind| !kind.is_thread_local()) {
                end = end.next_multiple_of(PAGE) + page(SECTION_PAGES, &outline.name);
            }
            let address = end.next_multiple_of(align);
            end = address + slots::room(parts, &slots) + joined::rest_size(&outline.name, kind, captures);
            sections.push(DrawnSection { name: outline.name, address, align, kind, slots });
        }
        let pages = if parts.contains(Part::Heap) { chance.below(HEAP_PAGES, "page", "heap") } else { 0 };
        let most = sections.iter().map(|section| section.align).max().unwrap_or(1);
        // The system loads a position-independent executable at a multiple of its largest alignment, so that has to be
        // the same in all arms.
        let (address, align) = match most > PAGE {
            true => (end.next_multiple_of(most), most),
            false => ((end + HEAP_LEAST).next_multiple_of(PAGE) - HEAP_LEAST, 1),
        };
        let heap = Zeroes { address, align, size: HEAP_LEAST + PAGE * pages };
        Self { seed, sections, heap }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The units in the order of their addresses, section by section.
    pub fn order(&self) -> impl Iterator<Item = &Key> {
        self.sections.iter().flat_map(|section| section.slots.iter().map(|slot| &slot.key))
    }

    /// Bytes by which the start of the heap is shifted, a multiple of the page size.
    pub fn heap_offset(&self) -> u64 {
        self.heap.size - HEAP_LEAST
    }

    pub(crate) fn sections(&self) -> &[DrawnSection] {
        &self.sections
    }

    pub(crate) fn heap(&self) -> Zeroes {
        self.heap
    }
}
