//! Static data that no draw scatters: where it lies elsewhere than in `full`.

use protocol::ProcessRecord;
use protocol::plan::{BASE, FULL};

use super::{Cell, Table};
use crate::reasons::named;
use crate::trial::Trial;

/// One row for every arm and lane in which such data moved; none if it did nowhere.
pub fn table(trial: &Trial) -> Option<Table> {
    let arms = trial.plan.arms.iter().enumerate().filter(|&(arm, _)| arm != FULL);
    let rows: Vec<Vec<Cell>> = arms
        .flat_map(|(arm, facts)| {
            let judged = arm != BASE;
            trial.plan.lanes.iter().filter_map(move |lane| {
                let mine = |record: &&ProcessRecord| record.arm == facts.name && record.lane == lane.name;
                row(&facts.name, &lane.name, judged, trial.records.iter().filter(mine))
            })
        })
        .collect();
    (!rows.is_empty()).then(|| {
        Table::new(
            "Static data that no draw scatters and that lies elsewhere than in full, or in one of the two alone",
            &["Arm", "Lane", "Processes", "Objects at most", "Names", "What follows"],
            rows,
        )
    })
}

fn row<'a>(
    arm: &str,
    lane: &str,
    judged: bool,
    records: impl Iterator<Item = &'a ProcessRecord>,
) -> Option<Vec<Cell>> {
    let found: Vec<_> = records.map(|record| &record.draw.unscattered).collect();
    let moved = found.iter().filter(|found| found.moved > 0).count();
    let most = found.iter().max_by_key(|found| found.moved).filter(|most| most.moved > 0)?;
    let follows = match judged {
        true => Cell::Mark(false, "the component is not proven".to_owned()),
        false => Cell::text("nothing: the rule judges components"),
    };
    Some(vec![
        Cell::text(arm),
        Cell::text(lane),
        Cell::number(format!("{moved} of {}", found.len())),
        Cell::number(most.moved.to_string()),
        Cell::code(named(most.moved, &most.names, most.names.len())),
        follows,
    ])
}
