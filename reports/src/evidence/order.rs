//! Who ran before whom.

use protocol::balance::LaneBalance;
use protocol::plan::FULL;
use protocol::{RUNS, balance};

use super::{Cell, Part, Table};
use crate::trial::{ReportError, Trial};
use crate::words::signed;

pub fn part(trial: &Trial) -> Result<Part, ReportError> {
    let balance = balance(trial.plan)?;
    // Reports on trials before evaluator 3 stay as they were.
    let sided = trial.plan.tolerance.is_some();
    let mut tables = vec![later(&balance.arms, &balance.lanes, sided)];
    tables.extend(balance.lanes.iter().map(|lane| followers(&balance.arms, lane)));
    Ok(Part {
        anchor: "order",
        title: "Order balance",
        intro: format!(
            "Within a phase the arms alternate in slots of at most {} ms. In half of the runs full has the later mean \
             slot, in the other half the earlier one, so that a steady drift of the machine cancels. Who follows whom \
             is balanced too, so that what one arm leaves in the caches meets every other arm about equally often. \
             Both tables are recomputed from the plan.",
            trial.plan.measure.slice_us as f64 / 1000.0
        ),
        plots: Vec::new(),
        tables,
        list: Vec::new(),
    })
}

fn later(arms: &[String], lanes: &[LaneBalance], sided: bool) -> Table {
    let mut head = vec!["Full against".to_owned(), "Lane".to_owned()];
    head.extend((1..=RUNS).map(|run| format!("Run {run}")));
    head.push("Balance".to_owned());
    head.extend(sided.then(|| "Carry-over".to_owned()));
    let mut rows = Vec::new();
    for lane in lanes {
        for (arm, name) in arms.iter().enumerate().filter(|&(arm, _)| arm != FULL) {
            let mut row = vec![Cell::text(name), Cell::text(&lane.lane)];
            row.extend(lane.mean_slots.iter().map(|means| Cell::number(signed(means[FULL] - means[arm]))));
            let (later, earlier) = (lane.later[arm], lane.earlier[arm]);
            row.push(Cell::Mark(later == earlier, format!("{later}\u{a0}later, {earlier}\u{a0}earlier")));
            let (after, before) = (lane.follows[arm][FULL], lane.follows[FULL][arm]);
            row.extend(sided.then(|| {
                Cell::Mark(
                    after == before,
                    format!("full {after}\u{a0}times right after, {before}\u{a0}right before"),
                )
            }));
            rows.push(row);
        }
    }
    let caption = "Mean slot of full less mean slot of the other arm, run by run: above zero, full ran later"
        .to_owned();
    Table { caption, head, rows, folded: false }
}

/// How often each arm came right after each other in one pass of every phase's slot plan.
fn followers(arms: &[String], lane: &LaneBalance) -> Table {
    let mut head = vec!["First ↓ then →".to_owned()];
    head.extend(arms.iter().cloned());
    let rows = arms.iter().zip(&lane.follows).enumerate().map(|(before, (name, counts))| {
        let cell = |(arm, count): (usize, &usize)| {
            Cell::number(if arm == before { "–".to_owned() } else { count.to_string() })
        };
        [Cell::text(name)].into_iter().chain(counts.iter().enumerate().map(cell)).collect()
    });
    let pairs = || {
        let rows = lane.follows.iter().enumerate();
        rows.flat_map(|(before, row)| row.iter().enumerate().filter(move |(arm, _)| *arm != before))
            .map(|(_, &count)| count)
    };
    let caption = format!(
        "Carry-over on lane {}: how often one arm's slot came right before another's, over one pass of all slot plans \
         ({} to {} times)",
        lane.lane,
        pairs().min().unwrap_or(0),
        pairs().max().unwrap_or(0)
    );
    Table { caption, head, rows: rows.collect(), folded: false }
}
