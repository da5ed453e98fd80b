//! How components are switched, what makes the arms, and what it was said to cost.

use std::cmp::Ordering;

use protocol::plan::{BuildSet, FULL, without};

use super::{Cell, Part, Table, builds};
use crate::trial::Trial;
use crate::words::bytes;

pub fn part(trial: &Trial) -> Part {
    let mut tables = vec![costs(trial)];
    tables.extend(options(trial));
    tables.extend(builds::tables(trial));
    let intro = if trial.verdict.limited {
        "The arms are executables that were there before the trial, or one executable under different options. The hash is \
         of the file."
    } else {
        "Every arm is one build. The inputs' hash covers names and contents of everything that went into its link; the \
         executable's is of the file as the linker first made it, before any draw."
    };
    Part {
        anchor: "arms",
        title: "Arms, builds and declared costs",
        intro: intro.to_owned(),
        plots: Vec::new(),
        tables,
        list: Vec::new(),
    }
}

fn costs(trial: &Trial) -> Table {
    let sets = &trial.plan.builds;
    let rows = trial.plan.components.iter().enumerate().map(|(component, facts)| {
        let costs = if facts.costs.is_empty() { "none".to_owned() } else { facts.costs.join("; ") };
        let mut row = vec![Cell::text(&facts.name), Cell::text(&facts.switch), Cell::text(costs)];
        row.extend(sets.iter().map(|set| Cell::number(growth(set, component))));
        row
    });
    let mut head = ["Component", "Switch", "Declared costs"].map(str::to_owned).to_vec();
    head.extend(sets.iter().map(|set| match sets.len() {
        1 => "Executable, full − without".to_owned(),
        _ => format!("Executable, full − without, set {}", set.name),
    }));
    let caption =
        "Components: how they are switched, and what they were declared to cost before the first measurement";
    Table { caption: caption.to_owned(), head, rows: rows.collect(), folded: false }
}

/// What a component adds to the size of `full`.
fn growth(set: &BuildSet, component: usize) -> String {
    let size = |arm: usize| set.arms.get(arm).map(|build| build.executable_bytes);
    let Some((full, without)) = size(FULL).zip(size(without(component))) else { return "–".to_owned() };
    let sign = match full.cmp(&without) {
        Ordering::Greater => "+",
        Ordering::Equal => "",
        Ordering::Less => "−",
    };
    format!("{sign}{}", bytes(full.abs_diff(without)))
}

/// What switches the arms where the switch is an option of the engine.
fn options(trial: &Trial) -> Option<Table> {
    let arms = &trial.plan.arms;
    let rows = arms.iter().map(|arm| {
        let options: Vec<String> =
            arm.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let said = if options.is_empty() { Cell::text("none") } else { Cell::code(options.join(", ")) };
        vec![Cell::text(&arm.name), said]
    });
    arms.iter().any(|arm| !arm.options.is_empty()).then(|| {
        let caption = "UCI options that make the arms, set after the lane's";
        Table::new(caption, &["Arm", "Options"], rows.collect())
    })
}
