//! What the captures of a draw have between them: sections, units and the room for the rest.

use std::collections::BTreeMap;

use super::order;
use super::slots::Extent;
use crate::capture::Capture;
use crate::image::{Access, SectionOutline};
use crate::unit::{Key, Kind};

/// The loaded sections of all captures, each once with the largest alignment, in an order that suits all.
pub fn sections(captures: &[&Capture]) -> Vec<SectionOutline> {
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
pub fn rest_size(name: &str, kind: Option<Kind>, captures: &[&Capture]) -> u64 {
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

/// The units of a kind of all captures in their natural order, each with the largest size and alignment that it has in
/// any.
pub fn units(kind: Kind, captures: &[&Capture]) -> Vec<(Key, Extent)> {
    let mut extents = BTreeMap::<&Key, Extent>::new();
    let mut sequences = Vec::with_capacity(captures.len());
    for capture in captures {
        let mut own: Vec<_> = capture.units().iter().filter(|unit| unit.key.kind == kind).collect();
        own.sort_by_key(|unit| capture.natural().addresses().get(&unit.key));
        for unit in &own {
            let extent = extents.entry(&unit.key).or_insert_with(|| Extent {
                size: 0,
                align: 1,
                pool: unit.pool.clone(),
            });
            extent.size = unit.size.max(extent.size);
            extent.align = unit.align.max(extent.align);
        }
        sequences.push(own.into_iter().map(|unit| &unit.key).collect());
    }
    let known = |key: &Key| extents.get(key).cloned();
    order::join(&sequences).into_iter().filter_map(|key| Some((key.clone(), known(key)?))).collect()
}
