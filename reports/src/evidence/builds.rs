//! How the arms were built: one table for every build set, with what its commands have of their own.

use std::collections::BTreeSet;

use protocol::plan::{ArmBuild, BuildSet, FULL};

use super::{Cell, Table};
use crate::qualified;
use crate::trial::Trial;
use crate::words::{bytes, grouped, listed};

pub fn tables(trial: &Trial) -> Vec<Table> {
    let sets = &trial.plan.builds;
    let several = sets.len() > 1;
    let common = common_words(sets.iter().flat_map(|set| &set.arms));
    let mut tables: Vec<Table> = several.then(|| compared(trial)).into_iter().collect();
    tables.extend(sets.iter().enumerate().map(|(index, set)| {
        let whose =
            if several { format!(" of set {}{}", set.name, lanes(trial, index)) } else { String::new() };
        builds(trial, set, &whose, &common)
    }));
    tables.extend(sets.iter().map(|set| {
        let whose = if several { format!(" of set {}", set.name) } else { String::new() };
        hashes(trial, set, &whose)
    }));
    tables
}

/// The words that all commands have.
fn common_words<'a>(builds: impl Iterator<Item = &'a ArmBuild>) -> BTreeSet<&'a str> {
    let words = builds.map(|build| build.command.split_whitespace().collect::<BTreeSet<_>>());
    words.reduce(|common, words| &common & &words).unwrap_or_default()
}

/// What a command has beside the common words; an ellipsis for those between.
fn own_words(command: &str, common: &BTreeSet<&str>) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let own: Vec<&[&str]> = words.split(|word| common.contains(word)).filter(|own| !own.is_empty()).collect();
    own.join(&"…").join(" ")
}

fn lanes(trial: &Trial, set: usize) -> String {
    let of_set = trial.plan.lanes.iter().filter(|lane| lane.build == set);
    let names: Vec<&str> = of_set.map(|lane| lane.name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(", lane {one}"),
        several => format!(", lanes {}", listed(several)),
    }
}

/// The sets side by side.
fn compared(trial: &Trial) -> Table {
    let sets = &trial.plan.builds;
    let common = common_words(sets.iter().filter_map(|set| set.arms.get(FULL)));
    let rows = sets.iter().enumerate().filter_map(|(index, set)| {
        let full = set.arms.get(FULL)?;
        let own = own_words(&full.command, &common);
        let of_set = trial.plan.lanes.iter().filter(|lane| lane.build == index);
        let bench = qualified::bench(trial.plan, &set.name);
        Some(vec![
            Cell::text(&set.name),
            Cell::text(listed(&of_set.map(|lane| lane.name.as_str()).collect::<Vec<_>>())),
            Cell::text(bench),
            Cell::number(bytes(full.executable_bytes)),
            if own.is_empty() { Cell::text("nothing") } else { Cell::code(own) },
        ])
    });
    Table::new(
        "Build sets: lanes may be measured with builds of their own; gains of different sets stand for themselves",
        &[
            "Set",
            "Lanes",
            "Bench, all arms alike",
            "Executable of full",
            "What full's command has that not all sets' have",
        ],
        rows.collect(),
    )
}

/// One row for every different build.
fn builds(trial: &Trial, set: &BuildSet, whose: &str, common: &BTreeSet<&str>) -> Table {
    let mut groups: Vec<(&ArmBuild, Vec<&str>)> = Vec::new();
    for (arm, build) in trial.plan.arms.iter().zip(&set.arms) {
        match groups.iter_mut().find(|(known, _)| *known == build) {
            Some((_, names)) => names.push(&arm.name),
            None => groups.push((build, vec![&arm.name])),
        }
    }
    let marked =
        groups.iter().any(|(build, _)| build.command.split_whitespace().any(|word| !common.contains(word)));
    let rows = groups.iter().map(|(build, names)| {
        let name = match names.len() {
            all if all > 1 && all == set.arms.len() => format!("all {all} arms"),
            _ => listed(names),
        };
        let words = build.command.split_whitespace().map(|word| (!common.contains(word), word.to_owned()));
        vec![
            Cell::text(name),
            Cell::number(format!("{} B", grouped(build.executable_bytes))),
            Cell::Command(words.collect()),
        ]
    });
    let marks = if marked { "; underlined: what not every build's command has" } else { "" };
    Table::new(format!("Builds{whose}{marks}"), &["Arm", "Executable", "Build command"], rows.collect())
}

fn hashes(trial: &Trial, set: &BuildSet, whose: &str) -> Table {
    let rows = trial.plan.arms.iter().zip(&set.arms).map(|(arm, build)| {
        vec![Cell::text(&arm.name), Cell::code(&build.inputs_sha256), Cell::code(&build.executable_sha256)]
    });
    let caption = format!("SHA-256 of every arm{whose}");
    Table::new(caption, &["Arm", "Inputs of the link", "Executable"], rows.collect()).folded()
}
