//! What the draws moved, and what they do not scatter.

use protocol::plan::PartState;

use super::{Cell, Part, Table, outside, parts, shared};
use crate::chart::Chart;
use crate::coverage::{self, Count, coverage};
use crate::histogram::histogram;
use crate::quarters::quarters;
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
        list.extend(coverage::quarters(trial.records).is_none().then(|| UNCOUNTED.to_owned()));
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

/// Said of records from before it was counted.
const UNCOUNTED: &str = "Where in a cache line functions start was not counted when these records were made.";

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

/// How the drawn offsets are distributed: the part of the layout, a caption, the plot.
pub fn offsets(trial: &Trial) -> Result<Vec<(&'static str, String, Chart)>, ReportError> {
    let offsets = [
        ("heap", "Heap offsets drawn", parts::heaps(trial)),
        ("stack", "Stack offsets drawn", parts::starts(trial, |record| record.draw.stack_offset)),
        ("mapping", "Mapping base offsets drawn", parts::starts(trial, |record| record.draw.mapping_offset)),
    ];
    let drawn = offsets.iter().filter(|(part, ..)| trial.plan.layout.state(part) == Some(PartState::Drawn));
    let plot = |(part, title, values): &(&'static str, &str, Vec<u64>)| {
        let highest = values.iter().copied().max().unwrap_or(0);
        let plot = histogram(&format!("{title}, in bytes"), values)?;
        Ok((*part, format!("{title}, 0 to {}", bytes(highest)), plot))
    };
    drawn.map(plot).collect()
}

/// Where functions start in a cache line, over all arms and draws; none where the records do not tell.
pub fn line_phases(trial: &Trial) -> Result<Option<(String, Chart)>, ReportError> {
    let Some(shares) = coverage::quarters(trial.records) else { return Ok(None) };
    let caption = "Functions by the quarter of a cache line in which they start";
    let plot = quarters(&format!("{caption}, mean and range over all draws"), &shares)?;
    Ok(Some((format!("{caption}: mean share of all draws, and the range of single ones"), plot)))
}

fn plots(trial: &Trial) -> Result<Vec<(String, Chart)>, ReportError> {
    let offsets = offsets(trial)?.into_iter().map(|(_, caption, plot)| (caption, plot));
    Ok(line_phases(trial)?.into_iter().chain(offsets).collect())
}

fn moved(trial: &Trial) -> Table {
    let range = |(low, high): (Count, Count)| {
        let (low, high) = (share(low.0, low.1), share(high.0, high.1));
        if low == high { low } else { format!("{low} to {high}") }
    };
    let rows = coverage(trial).into_iter().map(|arm| {
        vec![
            Cell::text(arm.arm),
            Cell::number(arm.executables.to_string()),
            Cell::number(grouped(arm.functions.0.1 as u64)),
            Cell::number(range(arm.functions)),
            Cell::number(grouped(arm.data.0.1 as u64)),
            Cell::number(range(arm.data)),
        ]
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
