//! What the draws moved, and what they do not scatter.

use std::collections::BTreeMap;

use protocol::ProcessRecord;

use super::{Cell, Part, Table};
use crate::histogram::histogram;
use crate::scheme;
use crate::trial::{ReportError, Trial};
use crate::words::{bytes, grouped, share};

pub fn part(trial: &Trial) -> Result<Part, ReportError> {
    let mut draws: Vec<(&str, u64)> = trial.records.iter().map(|r| (r.lane.as_str(), r.draw.seed)).collect();
    draws.sort_unstable();
    draws.dedup();
    let stacks = starts(trial, |record| record.draw.stack_offset);
    let mappings = starts(trial, |record| record.draw.mapping_offset);
    let (stack_high, mapping_high) = (highest(&stacks), highest(&mappings));
    Ok(Part {
        anchor: "layout",
        title: "Layout evidence: what moved",
        intro: format!(
            "{} draws were relinked with scheme {} from master seed {} and read back from the executables. A unit has \
             moved when it lies elsewhere than in the executable as first linked; a unit that two arms have in common \
             should lie at the same address in both.",
            grouped(draws.len() as u64),
            trial.plan.layout.scheme,
            trial.plan.layout.seed,
        ),
        plots: vec![
            (
                format!("Stack offsets drawn, 0 to {}", bytes(stack_high)),
                histogram("Stack offsets drawn, in bytes", &stacks)?,
            ),
            (
                format!("Mapping base offsets drawn, 0 to {}", bytes(mapping_high)),
                histogram("Mapping base offsets drawn, in bytes", &mappings)?,
            ),
        ],
        tables: vec![moved(trial)],
        list: Vec::new(),
    })
}

/// The offset of every process start once, however many arms shared it.
fn starts(trial: &Trial, offset: impl Fn(&ProcessRecord) -> u64) -> Vec<u64> {
    let start = |record: &ProcessRecord| {
        ((record.lane.clone(), record.run, record.phase, record.process), offset(record))
    };
    trial.records.iter().map(start).collect::<BTreeMap<_, _>>().into_values().collect()
}

fn highest(values: &[u64]) -> u64 {
    values.iter().copied().max().unwrap_or(0)
}

fn moved(trial: &Trial) -> Table {
    let rows = trial.plan.arms.iter().filter_map(|arm| {
        let records: Vec<&ProcessRecord> =
            trial.records.iter().filter(|record| record.arm == arm.name).collect();
        let first = records.first()?;
        let mut images: Vec<&str> =
            records.iter().map(|record| record.draw.executable_sha256.as_str()).collect();
        images.sort_unstable();
        images.dedup();
        let range = |part: fn(&ProcessRecord) -> (usize, usize)| {
            let mut shares: Vec<(usize, usize)> = records.iter().map(|record| part(record)).collect();
            shares.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
            match (shares.first(), shares.last()) {
                (Some(&low), Some(&high)) if share(low.0, low.1) != share(high.0, high.1) => {
                    format!("{} to {}", share(low.0, low.1), share(high.0, high.1))
                }
                (Some(&low), _) => share(low.0, low.1),
                _ => "–".to_owned(),
            }
        };
        Some(vec![
            Cell::text(&arm.name),
            Cell::number(images.len().to_string()),
            Cell::number(grouped(first.draw.moved_functions.1 as u64)),
            Cell::number(range(|record| record.draw.moved_functions)),
            Cell::number(grouped(first.draw.moved_data.1 as u64)),
            Cell::number(range(|record| record.draw.moved_data)),
            Cell::number(grouped(first.draw.shared_total().1 as u64)),
            Cell::number(range(|record| record.draw.shared_total())),
        ])
    });
    Table::new(
        "Over all draws of the trial (smallest to largest share)",
        &[
            "Arm",
            "Executables",
            "Functions",
            "moved",
            "Data objects",
            "moved",
            "Units shared with full",
            "at equal addresses",
        ],
        rows.collect(),
    )
}

/// What stays where it is, whatever is drawn.
pub fn unscattered(trial: &Trial) -> Part {
    let scheme = &trial.plan.layout.scheme;
    let (intro, list) = match scheme::unscattered(scheme) {
        Some(list) => (
            format!(
                "The verdict holds for layouts as scheme {scheme} draws them. It does not scatter the following; a \
                 component that moves any of these may owe a part of its measured gain to where they happen to lie."
            ),
            list.into_iter().map(str::to_owned).collect(),
        ),
        None => (
            format!(
                "This report does not know scheme {scheme}: take nothing as scattered beyond what the table above counts."
            ),
            Vec::new(),
        ),
    };
    Part {
        anchor: "unscattered",
        title: "What the draw does not scatter",
        intro,
        plots: Vec::new(),
        tables: Vec::new(),
        list,
    }
}
