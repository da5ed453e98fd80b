//! What was built, and what it was said to cost.

use std::cmp::Ordering;

use protocol::plan::ArmBuild;

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
    let size = |name: &str| {
        let arm = trial.plan.arms.iter().position(|arm| arm.name == name)?;
        Some(trial.plan.builds.first()?.arms.get(arm)?.executable_bytes)
    };
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
    let rows = every_build(trial).map(|(name, build)| {
        vec![
            Cell::text(name),
            Cell::number(format!("{} B", grouped(build.executable_bytes))),
            Cell::code(&build.command),
        ]
    });
    Table::new("Builds", &["Arm", "Executable", "Build command"], rows.collect())
}

/// Every build with the name of its arm, and of its set where there are several.
fn every_build<'a>(trial: &'a Trial) -> impl Iterator<Item = (String, &'a ArmBuild)> {
    let several = trial.plan.builds.len() > 1;
    trial.plan.builds.iter().flat_map(move |set| {
        trial.plan.arms.iter().zip(&set.arms).map(move |(arm, build)| match several {
            true => (format!("{} ({})", arm.name, set.name), build),
            false => (arm.name.clone(), build),
        })
    })
}

fn hashes(trial: &Trial) -> Table {
    let rows = every_build(trial).map(|(name, build)| {
        vec![Cell::text(name), Cell::code(&build.inputs_sha256), Cell::code(&build.executable_sha256)]
    });
    Table::new("SHA-256 of every arm", &["Arm", "Inputs of the link", "Executable"], rows.collect()).folded()
}
