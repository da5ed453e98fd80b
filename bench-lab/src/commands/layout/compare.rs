//! What moved between two executables, and what they share.

use std::collections::BTreeMap;

use serde::Serialize;

use super::file::Unit;
use super::view::{By, View};

/// Two executables side by side. Its keys are documented in `docs/layouts.md` and stay.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What it goes by.
    pub by: By,
    /// Counts by section.
    pub sections: BTreeMap<String, Count>,
    /// The sum.
    pub all: Count,
    /// Units with their places, when they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<Vec<Pair>>,
}

/// How many units two executables have in common, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// In both.
    pub common: usize,
    /// Of these, at the same address.
    pub same: usize,
    /// Of these, elsewhere.
    pub moved: usize,
    /// In the first alone.
    pub only_here: usize,
    /// In the second alone.
    pub only_there: usize,
}

/// A unit in two executables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// Section.
    pub section: String,
    /// Stable name.
    pub name: String,
    /// Address in the first.
    pub here: Option<u64>,
    /// Address in the second.
    pub there: Option<u64>,
    /// Bytes in the first, else in the second.
    pub bytes: u64,
}

/// Compares by what both views go by; units whose name matches are listed if there is a pattern.
pub fn compare(here: &View, there: &View, pattern: Option<&str>) -> Comparison {
    let mut sections = BTreeMap::<String, Count>::new();
    let mut pairs = Vec::new();
    let pattern = pattern.map(str::to_lowercase);
    let only_there = there.places.iter().filter(|(key, _)| !here.places.contains_key(*key));
    let all = here.places.iter().map(|(key, unit)| (key, Some(unit), there.places.get(key)));
    for (key, one, other) in all.chain(only_there.map(|(key, unit)| (key, None, Some(unit)))) {
        let count = sections.entry(key.0.clone()).or_default();
        match (one, other) {
            (Some(one), Some(other)) => {
                count.common += 1;
                count.same += usize::from(one.address == other.address);
                count.moved += usize::from(one.address != other.address);
            }
            (Some(_), None) => count.only_here += 1,
            (None, _) => count.only_there += 1,
        }
        if pattern.as_ref().is_some_and(|pattern| key.1.to_lowercase().contains(pattern)) {
            let address = |unit: Option<&Unit>| unit.map(|unit| unit.address);
            pairs.push(Pair {
                section: key.0.clone(),
                name: key.1.clone(),
                here: address(one),
                there: address(other),
                bytes: one.or(other).map_or(0, |unit| unit.bytes),
            });
        }
    }
    let add = |sum: Count, count: &Count| Count {
        common: sum.common + count.common,
        same: sum.same + count.same,
        moved: sum.moved + count.moved,
        only_here: sum.only_here + count.only_here,
        only_there: sum.only_there + count.only_there,
    };
    let total = sections.values().fold(Count::default(), add);
    Comparison { by: here.by, sections, all: total, units: pattern.map(|_| pairs) }
}
