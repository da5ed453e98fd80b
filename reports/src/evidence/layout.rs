//! What the draws moved, and what they do not scatter.

use protocol::ProcessRecord;
use protocol::plan::PartState;

use super::{Cell, Part, Table, outside, parts, shared};
use crate::histogram::histogram;
use crate::scheme;
use crate::trial::{ReportError, Trial};
use crate::words::{bytes, grouped, share};

pub fn part(trial: &Trial) -> Result<Part, ReportError> {
    let mut tables = vec![parts::table(trial)];
    let mut list = Vec::new();
    if trial.verdict.limited {
        list.push(
            "The rule on static data that no draw scatters was not applied: in prebuilt executables none is scattered, \
             and that is why the verdict is limited."
                .to_owned(),
        );
    } else {
        tables.extend([moved(trial), shared::table(trial)]);
        list.extend(shared::apart(trial));
        match outside::table(trial) {
            Some(found) => tables.push(found),
            None => list.push(
                "In no draw did static data that no draw scatters lie elsewhere than in full: no component is unproven for \
                 that."
                    .to_owned(),
            ),
        }
    }
    Ok(Part {
        anchor: "layout",
        title: "Layout evidence: what moved",
        intro: intro(trial),
        plots: plots(trial)?,
        tables,
        list,
    })
}

fn intro(trial: &Trial) -> String {
    let (draws, seed) = (grouped(parts::draws(trial) as u64), trial.plan.layout.seed);
    if trial.verdict.limited {
        return format!(
            "The arms are prebuilt executables, which were not relinked: {draws} times start-up layouts were drawn from \
             master seed {seed}, one for every process, and all arms shared them."
        );
    }
    format!(
        "{draws} draws were relinked with scheme {} from master seed {seed} and read back from the executables. A unit \
         (a function or a static object) has moved when it lies elsewhere than in the executable as first linked; a unit \
         that two arms have in common should lie at the same address in both.",
        trial.plan.layout.scheme,
    )
}

/// How the drawn offsets are distributed.
fn plots(trial: &Trial) -> Result<Vec<(String, String)>, ReportError> {
    let offsets = [
        ("heap", "Heap offsets drawn", parts::heaps(trial)),
        ("stack", "Stack offsets drawn", parts::starts(trial, |record| record.draw.stack_offset)),
        ("mapping", "Mapping base offsets drawn", parts::starts(trial, |record| record.draw.mapping_offset)),
    ];
    let drawn = offsets.iter().filter(|(part, ..)| trial.plan.layout.state(part) == Some(PartState::Drawn));
    let plot = |(_, title, values): &(&str, &str, Vec<u64>)| {
        let highest = values.iter().copied().max().unwrap_or(0);
        let plot = histogram(&format!("{title}, in bytes"), values)?;
        Ok((format!("{title}, 0 to {}", bytes(highest)), plot))
    };
    drawn.map(plot).collect()
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
        ])
    });
    Table::new(
        "What lies elsewhere than in the executable as first linked, over all draws (smallest to largest share)",
        &["Arm", "Executables", "Functions", "moved", "Data objects", "moved"],
        rows.collect(),
    )
}

/// What stays where it is, whatever is drawn.
pub fn unscattered(trial: &Trial) -> Part {
    let layout = &trial.plan.layout;
    let (intro, list) = match scheme::unscattered(layout) {
        Some(list) if trial.verdict.limited => (
            "The verdict holds for the executables as they are. The draws do not scatter the following; a component that \
             moves any of these may owe a part of its measured gain to where they happen to lie."
                .to_owned(),
            list,
        ),
        Some(list) => (
            format!(
                "The verdict holds for layouts as scheme {} draws them. It does not scatter the following; a component \
                 that moves any of these may owe a part of its measured gain to where they happen to lie.",
                layout.scheme
            ),
            list,
        ),
        None => (
            format!(
                "This report does not know scheme {}: take nothing as scattered beyond what the tables above count.",
                layout.scheme
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
