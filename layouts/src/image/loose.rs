//! Loose data: static data that shares a unit with other data, or lies in no unit at all.
//!
//! No slot keeps it in its place, so a change of one arm can shift it. Found from the executable alone: its symbols, and
//! the marks that the prepared objects have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Named, Outline};
use crate::unit::{Key, Kind, Unit};

/// Loose data of an executable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loose {
    /// Sections of objects, by name.
    holders: BTreeMap<String, Holder>,
    /// Objects in none of them, by name.
    free: BTreeMap<String, u64>,
}

/// A section of an object file in the executable.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    place: Place,
    start: u64,
    size: u64,
    /// The objects in it that have a name: address (in a unit from its start) and size.
    named: BTreeMap<String, (u64, u64)>,
}

/// What keeps a section in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A slot, for one object.
    Unit,
    /// A slot, for all that the compiler put into one section.
    Lump,
    /// Nothing.
    Rest,
}

impl Loose {
    /// Finds the loose data of an executable whose units lie at these addresses.
    pub fn find(outline: &Outline, units: &[Unit], addresses: &BTreeMap<Key, u64>) -> Self {
        let mut holders = BTreeMap::new();
        // By whether it is thread-local, and start: end and name.
        let mut ranges = BTreeMap::new();
        for unit in units.iter().filter(|unit| unit.key.kind != Kind::Function) {
            let start = addresses.get(&unit.key).copied().unwrap_or_default();
            let place = if unit.lumped { Place::Lump } else { Place::Unit };
            let name = if unit.lumped { unit.key.name.clone() } else { unit.key.to_string() };
            ranges.insert((unit.key.kind.is_thread_local(), start), (start + unit.size, name.clone()));
            holders.insert(name, Holder { place, start, size: unit.size, named: BTreeMap::new() });
        }
        let mut names = Names::default();
        for Named { name, value, size, thread_local } in &outline.rest {
            let name = names.unique(name);
            ranges.insert((*thread_local, *value), (value + size, name.clone()));
            let (start, size) = (*value, *size);
            holders.insert(name, Holder { place: Place::Rest, start, size, named: BTreeMap::new() });
        }
        let mut free = BTreeMap::new();
        for Named { name, value, size, thread_local } in &outline.objects {
            let name = names.unique(name);
            let below = ranges.range(..=(*thread_local, *value)).next_back();
            let within = below.filter(|((local, _), (end, _))| local == thread_local && value < end);
            match within.and_then(|(_, (_, holder))| holders.get_mut(holder)) {
                // The unit's own name, which may hold a hash of the crate.
                Some(holder) if holder.place == Place::Unit && holder.start == *value => {}
                Some(holder) => {
                    let from = if holder.place == Place::Rest { 0 } else { holder.start };
                    holder.named.insert(name, (value - from, *size));
                }
                None => {
                    free.insert(name, *value);
                }
            }
        }
        Self { holders, free }
    }

    /// Names of what lies elsewhere in the other, or in one of both alone.
    pub fn differing(&self, other: &Self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for name in self.free.keys().chain(other.free.keys()) {
            if self.free.get(name) != other.free.get(name) {
                names.insert(name.clone());
            }
        }
        for name in self.holders.keys().chain(other.holders.keys()) {
            match (self.holders.get(name), other.holders.get(name)) {
                (Some(here), Some(there)) => names.extend(here.differing(name, there)),
                (Some(alone), None) | (None, Some(alone)) if alone.place == Place::Rest => {
                    names.extend(alone.names(name));
                }
                // A unit of one arm alone has a slot of its own.
                _ => {}
            }
        }
        names
    }
}

impl Holder {
    fn differing(&self, name: &str, other: &Self) -> Vec<String> {
        let place = |holder: &Self, name: &str| holder.named.get(name).map(|&(at, _)| at);
        let all: BTreeSet<_> = self.named.keys().chain(other.named.keys()).collect();
        let names: Vec<_> =
            all.into_iter().filter(|name| place(self, name) != place(other, name)).cloned().collect();
        let unnamed = match self.place {
            Place::Unit => false,
            Place::Lump => self.unnamed() != other.unnamed(),
            Place::Rest => {
                self.unnamed() != other.unnamed() || (self.named.is_empty() && self.start != other.start)
            }
        };
        if names.is_empty() && unnamed { vec![name.to_owned()] } else { names }
    }

    /// Names of all that is in it; its own if nothing there has one.
    fn names(&self, name: &str) -> Vec<String> {
        if self.named.is_empty() { vec![name.to_owned()] } else { self.named.keys().cloned().collect() }
    }

    /// Bytes that belong to nothing with a name.
    fn unnamed(&self) -> u64 {
        let mut sizes = BTreeMap::<u64, u64>::new();
        for &(at, size) in self.named.values() {
            let most = sizes.entry(at).or_default();
            *most = size.max(*most);
        }
        self.size.saturating_sub(sizes.values().sum())
    }
}

/// Names that were given out.
#[derive(Default)]
struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    /// The name, with a number behind it from its second use on.
    fn unique(&mut self, name: &'a str) -> String {
        let count = self.0.entry(name).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} #{count}") }
    }
}
