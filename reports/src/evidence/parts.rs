//! Every part of the layout: what became of it, and what the records saw of it.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ProcessRecord;
use protocol::plan::{LayoutPart, PartState};

use super::{Cell, Table};
use crate::parts::{self, Place};
use crate::trial::Trial;
use crate::words::{bytes, count, grouped};

pub fn table(trial: &Trial) -> Table {
    let rows = trial.plan.layout.parts.iter().map(|part| row(trial, part));
    Table::new("Parts of the layout", &["Part", "State", "What it is", "Seen in the records"], rows.collect())
}

/// The number of draws: one for every phase of every lane.
pub fn draws(trial: &Trial) -> usize {
    let draws: BTreeSet<(&str, u64)> =
        trial.records.iter().map(|record| (record.lane.as_str(), record.draw.seed)).collect();
    draws.len()
}

/// The offset of every process start once, however many arms shared it.
pub fn starts(trial: &Trial, offset: impl Fn(&ProcessRecord) -> u64) -> Vec<u64> {
    let start = |record: &ProcessRecord| {
        ((record.lane.clone(), record.run, record.phase, record.process), offset(record))
    };
    trial.records.iter().map(start).collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The heap's offset in every draw once.
pub fn heaps(trial: &Trial) -> Vec<u64> {
    let draw = |record: &ProcessRecord| ((record.lane.clone(), record.draw.seed), record.draw.heap_offset);
    trial.records.iter().map(draw).collect::<BTreeMap<_, _>>().into_values().collect()
}

fn row(trial: &Trial, part: &LayoutPart) -> Vec<Cell> {
    let words = parts::words(&part.part);
    let seen = seen(trial, part, words.as_ref().map(|words| words.place));
    let state = match part.state {
        PartState::Drawn if seen.alike => Cell::Mark(false, "drawn, yet always alike".to_owned()),
        PartState::Drawn => Cell::Mark(true, "drawn".to_owned()),
        PartState::Fixed => Cell::Mark(false, "fixed by the bundle".to_owned()),
        PartState::NotScattered => Cell::Mark(false, "not scattered".to_owned()),
    };
    let (title, what) = words
        .map_or((part.part.as_str(), "A part that this report does not know."), |words| {
            (words.title, words.what)
        });
    vec![Cell::text(title), state, Cell::text(what), Cell::text(seen.words)]
}

/// What the records tell of a part.
struct Seen {
    words: String,
    /// Several chances, and never a difference.
    alike: bool,
}

fn seen(trial: &Trial, part: &LayoutPart, place: Option<Place>) -> Seen {
    let drawn = part.state == PartState::Drawn;
    let untold = |words: &str| Seen { words: words.to_owned(), alike: false };
    match (part.part.as_str(), place) {
        ("stack", _) => offsets(&starts(trial, |record| record.draw.stack_offset), "start"),
        ("mapping", _) => offsets(&starts(trial, |record| record.draw.mapping_offset), "start"),
        ("heap", _) if !trial.verdict.limited && part.state != PartState::NotScattered => {
            offsets(&heaps(trial), "draw")
        }
        ("tables", _) if drawn => values(&starts(trial, |record| record.draw.tables.map_or(0, u64::from))),
        ("copy", _) if drawn => {
            untold(&format!("{} processes, each from a copy of its own", grouped(trial.records.len() as u64)))
        }
        (_, Some(Place::Executable)) if drawn && is_first(trial, part) => executables(trial),
        (_, Some(Place::Executable)) if drawn => {
            untold("within those executables; the records do not tell it apart")
        }
        (_, None) if drawn => untold("nothing: the records do not hold it"),
        _ => untold("–"),
    }
}

/// Whether a part is the first of those drawn in the executable, which the records hold as a whole.
fn is_first(trial: &Trial, part: &LayoutPart) -> bool {
    let inside = |known: &&LayoutPart| {
        let place = parts::words(&known.part).map(|words| words.place);
        known.state == PartState::Drawn && known.part != "heap" && place == Some(Place::Executable)
    };
    trial.plan.layout.parts.iter().find(inside) == Some(part)
}

/// What an option was set to.
fn values(values: &[u64]) -> Seen {
    let different: BTreeSet<u64> = values.iter().copied().collect();
    let words = match (different.first(), different.last()) {
        (Some(&low), Some(&high)) => format!(
            "option set to {} to {}, {} different values in {}",
            grouped(low),
            grouped(high),
            grouped(different.len() as u64),
            count(values.len(), "start")
        ),
        _ => "–".to_owned(),
    };
    Seen { words, alike: values.len() > 1 && different.len() == 1 }
}

fn offsets(values: &[u64], chance: &str) -> Seen {
    let different: BTreeSet<u64> = values.iter().copied().collect();
    let chances = count(values.len(), chance);
    let words = match (different.first(), different.last()) {
        (Some(&only), Some(&last)) if only == last => format!("{} in all of {chances}", bytes(only)),
        (Some(&low), Some(&high)) => format!(
            "{} to {}, {} different values in {chances}",
            bytes(low),
            bytes(high),
            grouped(different.len() as u64)
        ),
        _ => "–".to_owned(),
    };
    Seen { words, alike: values.len() > 1 && different.len() == 1 }
}

/// How many different executables each arm had.
fn executables(trial: &Trial) -> Seen {
    let mut images: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for record in trial.records {
        images.entry(&record.arm).or_default().insert(&record.draw.executable_sha256);
    }
    let draws = draws(trial);
    let (least, most) = images
        .values()
        .map(BTreeSet::len)
        .fold((usize::MAX, 0), |(least, most), images| (least.min(images), most.max(images)));
    let number = if least == most { most.to_string() } else { format!("{least} to {most}") };
    Seen {
        words: format!("{number} different executables of every arm in {}", count(draws, "draw")),
        alike: draws > 1 && least == 1,
    }
}
