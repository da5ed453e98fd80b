//! Lanes side by side: a panel for every lane, a row for every component and the bundle, one scale for all.

use protocol::verdict::Comparison;

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::{DrawResult, Pen, Side};
use crate::theme::Role;
use crate::trial::{ReportError, Subject, Trial};
use crate::words::{interval, short, signed, verdict};

const LEFT: i32 = 176;
/// What the panels share, as far as there is room; no panel gets narrower than `NARROWEST`.
const ROOM: i32 = 676;
const NARROWEST: i32 = 132;
const GAP: i32 = 18;
const TOP: i32 = 34;
const ROW: i32 = 34;
/// Letters of a panel's heading and numbers take so many units each.
const LETTER: i32 = 8;

/// Draws the panels; none for a single lane, which has nothing beside it.
pub fn lanes(trial: &Trial) -> Result<Option<Chart>, ReportError> {
    let subjects = trial.subjects();
    let names: Vec<&str> = trial.plan.lanes.iter().map(|lane| lane.name.as_str()).collect();
    if names.len() < 2 {
        return Ok(None);
    }
    let panel = (ROOM / names.len() as i32).max(NARROWEST);
    let bottom = TOP + ROW * subjects.len() as i32;
    let ends = subjects.iter().flat_map(|subject| {
        subject.lanes.iter().flat_map(|lane| [lane.interval.0, lane.interval.1, lane.median, subject.bar])
    });
    let ends: Vec<f64> = ends.chain([0.0]).collect();
    let said: Vec<String> = subjects.iter().map(spoken).collect();
    let size = ((LEFT + panel * names.len() as i32 + 8) as u32, (bottom + 54) as u32);
    let plot =
        chart(size, &format!("Gains lane by lane, in percentage points: {}", said.join("; ")), |pen| {
            for (row, subject) in subjects.iter().enumerate() {
                let y = TOP + ROW * row as i32 + ROW / 2;
                pen.text(&short(subject.name, 22), (LEFT - 14, y), Side::Left, Role::Ink)?;
            }
            for (lane, name) in names.iter().enumerate() {
                let left = LEFT + panel * lane as i32;
                let x = Axis::new(ends.iter().copied(), (left + GAP / 2, left + panel - GAP / 2));
                frame(pen, &x, name, (left, panel), bottom)?;
                for (row, subject) in subjects.iter().enumerate() {
                    let comparison = &subject.lanes[lane];
                    mark(pen, &x, subject, comparison, TOP + ROW * row as i32 + ROW / 2)?;
                }
            }
            let middle = LEFT + panel * names.len() as i32 / 2;
            pen.text("percentage points of log rate", (middle, bottom + 40), Side::Middle, Role::Muted)
        })?;
    Ok(Some(plot))
}

/// A panel's heading, scale and zero line.
fn frame(pen: &Pen, x: &Axis, name: &str, (left, width): (i32, i32), bottom: i32) -> DrawResult {
    let letters = ((width - GAP) / LETTER) as usize;
    pen.bold(&short(name, letters), (left + width / 2, 16), Side::Middle, Role::Ink)?;
    for (value, label) in x.ticks((width / 64).max(2) as usize) {
        pen.line(&[(x.at(value), TOP), (x.at(value), bottom)], Role::Grid, 1)?;
        pen.text(&label, (x.at(value), bottom + 18), Side::Middle, Role::Muted)?;
    }
    pen.line(&[(x.at(0.0), TOP), (x.at(0.0), bottom)], Role::Zero, 2)
}

fn mark(pen: &Pen, x: &Axis, subject: &Subject, comparison: &Comparison, y: i32) -> DrawResult {
    let role = if comparison.passed { Role::Pass } else { Role::Fail };
    if subject.whole {
        pen.line(&[(x.at(subject.bar), y - 13), (x.at(subject.bar), y + 13)], Role::Fail, 2)?;
    }
    let (low, high) = (x.at(comparison.interval.0), x.at(comparison.interval.1));
    pen.line(&[(low, y), (high, y)], role, 3)?;
    pen.judged((x.at(comparison.median), y), comparison.passed)
}

fn spoken(subject: &Subject) -> String {
    let lane = |lane: &Comparison| {
        let (median, interval) = (signed(lane.median), interval(lane.interval));
        format!("{} {median} {interval}, {}", lane.lane, verdict(lane.passed))
    };
    let lanes: Vec<String> = subject.lanes.iter().map(lane).collect();
    format!("{} on {}", subject.name, lanes.join(", on "))
}
