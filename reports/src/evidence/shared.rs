//! Whether what arms have in common lies at the same address in them.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ProcessRecord;
use protocol::plan::FULL;

use super::{Cell, Table};
use crate::scheme;
use crate::trial::Trial;
use crate::words::{grouped, listed, share};

/// The counts of one section over all draws and arms: where the share is smallest, and where it is largest.
struct Range<'a> {
    low: (usize, usize),
    high: (usize, usize),
    units: (usize, usize),
    /// Where it is smallest.
    at: &'a ProcessRecord,
}

/// Why not all common units lie at equal addresses, where they do not: as far as the scheme tells.
pub fn apart(trial: &Trial) -> Option<String> {
    let shares = trial.records.iter().flat_map(|record| &record.draw.shared);
    let apart: BTreeSet<(usize, &str)> = shares
        .filter(|(_, counts)| counts.0 < counts.1)
        .map(|(section, _)| (place(section), section.as_str()))
        .collect();
    let sections: Vec<&str> = apart.into_iter().map(|(_, section)| section).collect();
    (!sections.is_empty()).then(|| {
        format!(
            "In {} not all units that arms have in common lie at equal addresses; the records count them, but do not name \
             them. {}",
            listed(&sections),
            scheme::why_apart(&trial.plan.layout.scheme)
        )
    })
}

/// One row for every section, all arms but `full` against it.
pub fn table(trial: &Trial) -> Table {
    let full = &trial.plan.arms[FULL].name;
    let mut sections: BTreeMap<(usize, &str), Range> = BTreeMap::new();
    for record in trial.records.iter().filter(|record| record.arm != *full) {
        let shared = &record.draw.shared;
        let every = shared.iter().map(|(section, &counts)| ((place(section), section.as_str()), counts));
        for (section, counts) in every.chain([((usize::MAX, ALL), record.draw.shared_total())]) {
            let new = Range { low: counts, high: counts, units: (counts.1, counts.1), at: record };
            sections.entry(section).and_modify(|range| range.widen(counts, record)).or_insert(new);
        }
    }
    let rows = sections.iter().map(|(&(_, section), range)| {
        vec![
            Cell::text(section),
            Cell::text(holds(section)),
            Cell::text(span(range.units.0, range.units.1)),
            range.cell(),
            Cell::text(range.fewest()),
        ]
    });
    Table::new(
        "Units that an arm has in common with full: at the same address in both? Over all arms and draws",
        &["Section", "What it holds", "Units in common with full", "At equal addresses", "Fewest in"],
        rows.collect(),
    )
}

impl<'a> Range<'a> {
    fn widen(&mut self, counts: (usize, usize), record: &'a ProcessRecord) {
        let less =
            |a: (usize, usize), b: (usize, usize)| (a.0 as u128 * b.1 as u128) < b.0 as u128 * a.1 as u128;
        if less(counts, self.low) {
            (self.low, self.at) = (counts, record);
        }
        if less(self.high, counts) {
            self.high = counts;
        }
        self.units = (self.units.0.min(counts.1), self.units.1.max(counts.1));
    }

    /// Where the share is smallest.
    fn fewest(&self) -> String {
        let at = self.at;
        match self.low.0 == self.low.1 {
            true => "–".to_owned(),
            false => format!("{} on {}, run {}, phase {}", at.arm, at.lane, at.run, at.phase),
        }
    }

    /// Smallest to largest share; what is not quite all never rounds up to it.
    fn cell(&self) -> Cell {
        let said = |(same, all): (usize, usize)| {
            format!("{} of {} ({})", grouped(same as u64), grouped(all as u64), share(same, all))
        };
        if self.low.0 == self.low.1 {
            Cell::Mark(true, "all in every draw (100 %)".to_owned())
        } else if self.low == self.high {
            Cell::Mark(false, said(self.low))
        } else {
            Cell::Mark(false, format!("{} to {}", said(self.low), said(self.high)))
        }
    }
}

fn span(least: usize, most: usize) -> String {
    let (low, high) = (grouped(least as u64), grouped(most as u64));
    if least == most { low } else { format!("{low} to {high}") }
}

/// The row over all sections.
const ALL: &str = "all sections";

/// Sections in reading order, in a developer's words.
const SECTIONS: [(&str, &str); 7] = [
    (".text", "functions"),
    (".rodata", "constants"),
    (".data.rel.ro", "constants that hold addresses (vtables, tables of pointers)"),
    (".data", "initialised variables"),
    (".bss", "zeroed variables"),
    (".tdata", "initialised variables of a thread"),
    (".tbss", "zeroed variables of a thread"),
];

fn place(section: &str) -> usize {
    SECTIONS.iter().position(|(known, _)| *known == section).unwrap_or(SECTIONS.len())
}

fn holds(section: &str) -> &'static str {
    SECTIONS.get(place(section)).map_or("–", |(_, words)| words)
}
