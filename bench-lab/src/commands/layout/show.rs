//! `bench-lab layout show`: what sits where, and what moved against another executable.

use std::path::PathBuf;

use layouts::parts::Part;
use serde::Serialize;

use super::compare::{Comparison, Count, compare};
use super::view::{By, View};
use crate::columns::{columns, grouped, row, share};
use crate::commands::{Failure, print};
use crate::exit::Exit;
use crate::output;

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The executable.
    pub executable: PathBuf,
    /// One to compare it with.
    pub other: Option<PathBuf>,
    /// As JSON.
    pub json: bool,
    /// List the units whose name holds this.
    pub units: Option<String>,
}

/// Everything that is shown. Its keys are documented in `docs/layouts.md` and stay.
#[derive(Debug, Serialize)]
struct Shown {
    format: u32,
    executable: View,
    other: Option<View>,
    comparison: Option<Comparison>,
}

/// Shows one executable, or two.
pub fn show(request: &Request) -> Result<Exit, Failure> {
    let shown = read(request)?;
    let text = match request.json {
        true => output::json(&shown)?,
        false => told(&shown, request.units.is_some()),
    };
    print(&text)?;
    Ok(Exit::Proven)
}

fn read(request: &Request) -> anyhow::Result<Shown> {
    let mut executable = View::read(&request.executable, false)?;
    let mut other = request.other.as_ref().map(|path| View::read(path, false)).transpose()?;
    if let Some(second) = &mut other
        && second.by != executable.by
    {
        // Units of a draw and symbols have different names; symbols both have.
        executable = View::read(&executable.file, true)?;
        *second = View::read(&second.file, true)?;
    }
    let comparison = other.as_ref().map(|other| compare(&executable, other, request.units.as_deref()));
    let listed = |view: &mut View| {
        let wanted = request.units.as_ref().filter(|_| comparison.is_none());
        view.units = wanted.map(|pattern| view.matching(pattern));
    };
    listed(&mut executable);
    other.iter_mut().for_each(listed);
    Ok(Shown { format: super::file::FORMAT, executable, other, comparison })
}

fn told(shown: &Shown, units: bool) -> String {
    let mut text = headline(&shown.executable);
    if let (Some(other), Some(comparison)) = (&shown.other, &shown.comparison) {
        text.push_str(&headline(other));
        text.push_str(&compared(comparison));
        text.push_str(&pairs(comparison));
        return text;
    }
    if units {
        text.push_str(&listed(&shown.executable));
        return text;
    }
    text.push_str(&outline(&shown.executable));
    text
}

fn headline(view: &View) -> String {
    let by = match view.by {
        By::LayoutFile => "by its layout file",
        By::Symbols => "by its symbol table",
    };
    let kind = if view.position_independent { "position-independent" } else { "at fixed addresses" };
    let mut text = format!("{}: {} bytes, {kind}, told {by}\n", view.file.display(), grouped(view.bytes));
    if let Some(drawn) = &view.drawn {
        // No draw of a file decides where the engine puts its own tables.
        let own = drawn.parts.iter().filter(|(part, _)| *part != Part::Tables.name());
        let fixed: Vec<&str> = own.filter(|(_, drawn)| !**drawn).map(|(part, _)| part.as_str()).collect();
        let fixed = if fixed.is_empty() { String::new() } else { format!(" without {}", fixed.join(", ")) };
        text.push_str(&format!(
            "  drawn with seed {} ({}){fixed}; to be started with the stack moved by {} bytes, mappings by {}; heap moved \
             by {}\n",
            drawn.seed,
            drawn.scheme,
            grouped(drawn.startup.stack_offset),
            grouped(drawn.startup.mapping_offset),
            grouped(drawn.heap_offset)
        ));
    }
    text
}

fn outline(view: &View) -> String {
    let mut rows = vec![row(["access", "address", "in memory", "in the file"])];
    rows.extend(view.segments.iter().map(|segment| {
        row([
            segment.access.clone(),
            hex(segment.address),
            grouped(segment.bytes),
            grouped(segment.file_bytes),
        ])
    }));
    let mut text = format!("\nsegments\n{}", columns(&rows, 1));

    let mut rows = vec![row(["section", "access", "address", "bytes", "units", "bytes of units"])];
    rows.extend(view.sections.iter().map(|filled| {
        let section = &filled.section;
        row([
            section.name.clone(),
            section.access.clone(),
            hex(section.address),
            grouped(section.bytes),
            grouped(filled.units as u64),
            grouped(filled.unit_bytes),
        ])
    }));
    text.push_str(&format!("\nsections\n{}", columns(&rows, 2)));

    let [a, b, c, d] = view.line_phases.map(|count| share(count, view.functions));
    let rows = [row(["byte 0 to 15", "16 to 31", "32 to 47", "48 to 63"]), row([a, b, c, d])];
    text.push_str(&format!("\nwhere in a cache line functions start\n{}", columns(&rows, 0)));

    let mut rows = vec![row(["unit", "section", "address", "bytes"])];
    rows.extend(
        view.largest
            .iter()
            .map(|unit| row([cut(&unit.name), unit.section.clone(), hex(unit.address), grouped(unit.bytes)])),
    );
    text.push_str(&format!("\nthe largest units\n{}", columns(&rows, 2)));

    let all: u64 = view.sections.iter().map(|filled| filled.section.bytes).sum();
    let rest: u64 = view.not_scattered.iter().map(|rest| rest.bytes).sum();
    let rows: Vec<_> = view
        .not_scattered
        .iter()
        .map(|rest| row([rest.section.clone(), rest.reason.clone(), grouped(rest.bytes)]))
        .collect();
    let percent = 100.0 * rest as f64 / all.max(1) as f64;
    let what = match view.by {
        By::LayoutFile => "not placed one by one",
        By::Symbols => "of no named unit",
    };
    text.push_str(&format!("\n{what}: {} bytes, {percent:.2} %\n{}", grouped(rest), columns(&rows, 2)));
    if !view.notes.is_empty() {
        text.push_str("\nnotes\n");
        view.notes.iter().for_each(|note| text.push_str(&format!("  {note}\n")));
    }
    text
}

fn listed(view: &View) -> String {
    let mut rows = vec![row(["unit", "section", "address", "bytes", "align"])];
    rows.extend(view.units.iter().flatten().map(|unit| {
        row([
            unit.name.clone(),
            unit.section.clone(),
            hex(unit.address),
            grouped(unit.bytes),
            unit.align.map_or("–".to_owned(), grouped),
        ])
    }));
    format!("\n{}", columns(&rows, 2))
}

fn compared(comparison: &Comparison) -> String {
    let mut rows = vec![row([
        "section",
        "in common",
        "at the same address",
        "elsewhere",
        "in the first alone",
        "in the second alone",
    ])];
    let line = |name: &str, count: &Count| {
        row([
            name.to_owned(),
            grouped(count.common as u64),
            share(count.same, count.common),
            grouped(count.moved as u64),
            grouped(count.only_here as u64),
            grouped(count.only_there as u64),
        ])
    };
    rows.extend(comparison.sections.iter().map(|(name, count)| line(name, count)));
    rows.push(line("all", &comparison.all));
    format!("\n{}", columns(&rows, 1))
}

fn pairs(comparison: &Comparison) -> String {
    let Some(pairs) = &comparison.units else { return String::new() };
    let mut rows = vec![row(["unit", "section", "in the first", "in the second", "moved by", "bytes"])];
    let address = |address: Option<u64>| address.map_or("–".to_owned(), hex);
    rows.extend(pairs.iter().map(|pair| {
        let shift = match (pair.here, pair.there) {
            (Some(here), Some(there)) if there >= here => format!("+{}", grouped(there - here)),
            (Some(here), Some(there)) => format!("-{}", grouped(here - there)),
            _ => "–".to_owned(),
        };
        row([
            pair.name.clone(),
            pair.section.clone(),
            address(pair.here),
            address(pair.there),
            shift,
            grouped(pair.bytes),
        ])
    }));
    format!("\n{}", columns(&rows, 2))
}

fn hex(address: u64) -> String {
    format!("{address:#x}")
}

/// A long name cut in its middle: what tells names apart often ends them.
fn cut(name: &str) -> String {
    const MOST: usize = 60;
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= MOST {
        return name.to_owned();
    }
    let (head, tail) = characters.split_at(MOST / 2);
    head.iter().chain(&['…']).chain(&tail[tail.len() - (MOST / 2 - 1)..]).collect()
}
