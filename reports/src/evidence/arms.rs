//! What was built, and what it was said to cost.

use std::cmp::Ordering;

use super::{Cell, Part, Table};
use crate::trial::Trial;
use crate::words::{bytes, grouped};

pub fn part(trial: &Trial) -> Part {
    Part {
        anchor: "arms",
        title: "Arms and declared costs",
        intro: "Every arm is one build. The inputs' hash covers names and contents of everything that went into its \
                link; the executable's is of the file as the linker first made it, before any draw."
            .to_owned(),
        plots: Vec::new(),
        tables: vec![costs(trial), builds(trial), hashes(trial)],
        list: Vec::new(),
    }
}

fn costs(trial: &Trial) -> Table {
    let size =
        |name: &str| trial.plan.arms.iter().find(|arm| arm.name == name).map(|arm| arm.executable_bytes);
    let rows = trial.plan.components.iter().map(|component| {
        let difference =
            size("full").zip(size(&format!("without:{}", component.name))).map(|(full, without)| {
                let sign = match full.cmp(&without) {
                    Ordering::Greater => "+",
                    Ordering::Equal => "",
                    Ordering::Less => "−",
                };
                format!("{sign}{}", bytes(full.abs_diff(without)))
            });
        vec![
            Cell::text(&component.name),
            Cell::text(&component.switch),
            Cell::text(if component.costs.is_empty() {
                "none".to_owned()
            } else {
                component.costs.join("; ")
            }),
            Cell::number(difference.unwrap_or_else(|| "–".to_owned())),
        ]
    });
    Table::new(
        "Components: how they are switched, and what they were declared to cost before the first measurement",
        &["Component", "Switch", "Declared costs", "Executable, full − without"],
        rows.collect(),
    )
}

fn builds(trial: &Trial) -> Table {
    let rows = trial.plan.arms.iter().map(|arm| {
        vec![
            Cell::text(&arm.name),
            Cell::number(format!("{} B", grouped(arm.executable_bytes))),
            Cell::code(&arm.build),
        ]
    });
    Table::new("Builds", &["Arm", "Executable", "Build command"], rows.collect())
}

fn hashes(trial: &Trial) -> Table {
    let rows = trial.plan.arms.iter().map(|arm| {
        vec![Cell::text(&arm.name), Cell::code(&arm.inputs_sha256), Cell::code(&arm.executable_sha256)]
    });
    Table::new("SHA-256 of every arm", &["Arm", "Inputs of the link", "Executable"], rows.collect()).folded()
}
