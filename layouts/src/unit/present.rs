//! The units that a link kept, told apart where names repeat.

use std::collections::HashMap;

use super::{Key, Unit};
use crate::capture::Candidate;
use crate::image::Outline;

/// The candidates that the executable holds, in the link's order.
///
/// The linker leaves out what nothing refers to and second copies of shared definitions. Units of one kind and name
/// are numbered in the order of the link.
pub fn present(candidates: &[(Candidate, String)], outline: &Outline) -> Vec<Unit> {
    let mut seen = HashMap::<Key, usize>::new();
    candidates
        .iter()
        .filter(|(_, symbol)| outline.symbols.contains_key(symbol))
        .map(|(candidate, symbol)| {
            let mut key = Key { kind: candidate.kind, name: candidate.name.clone() };
            let count = seen.entry(key.clone()).or_default();
            *count += 1;
            if *count > 1 {
                key.name.push_str(&format!(" #{count}"));
            }
            Unit {
                key,
                size: candidate.size,
                align: candidate.align,
                pool: candidate.pool.clone(),
                lumped: candidate.lumped,
                symbol: symbol.clone(),
            }
        })
        .collect()
}
