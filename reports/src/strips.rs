//! The 96 phase values of one comparison, run by run.

use protocol::verdict::Comparison;
use protocol::{MAX_DEVIATION, PHASES, RUNS};

use protocol::statistics::median;

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::{DrawResult, Pen, Side};
use crate::theme::Role;
use crate::trial::{ReportError, Subject};
use crate::words::signed;

const SIZE: (u32, u32) = (760, 360);
const LEFT: i32 = 52;
const RIGHT: i32 = 752;
const TOP: i32 = 12;
const BOTTOM: i32 = 304;

/// Zero is shown where something else is at most so many points from it.
const NEAR: f64 = 4.0;

/// Twelve points a run in their order of time, on the band of what the rule allows.
pub fn strips(subject: &Subject, comparison: &Comparison) -> Result<Chart, ReportError> {
    let label = format!(
        "Phase values of {} on lane {}: {} values in {RUNS} runs, run means from {} to {}, \
         largest distance from a run's median {:.2} percentage points",
        subject.name,
        comparison.lane,
        comparison.phases.iter().map(Vec::len).sum::<usize>(),
        signed(comparison.runs.iter().copied().fold(f64::INFINITY, f64::min)),
        signed(comparison.runs.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        comparison.largest_deviation,
    );
    let bands =
        comparison.phases.iter().map(|run| median(run)).flat_map(|m| [m - MAX_DEVIATION, m + MAX_DEVIATION]);
    let bands: Vec<f64> = bands.collect();
    let shown = || comparison.phases.iter().flatten().copied().chain(bands.iter().copied());
    // Far from zero the scatter is what there is to see; the run values beside it keep their zero line.
    let nearest = shown().map(f64::abs).fold(f64::INFINITY, f64::min);
    let zero = (nearest <= NEAR).then_some([0.0, subject.bar]);
    let y = Axis::new(shown().chain(zero.into_iter().flatten()), (BOTTOM, TOP));
    chart(SIZE, &label, |pen| {
        // The 2.0 rule judges components only.
        if !subject.whole {
            comparison.phases.iter().enumerate().try_for_each(|(run, values)| band(pen, &y, run, values))?;
        }
        pen.text("points", (LEFT - 8, BOTTOM + 22), Side::Left, Role::Muted)?;
        for (value, label) in y.ticks(7) {
            pen.line(&[(LEFT, y.at(value)), (RIGHT, y.at(value))], Role::Grid, 1)?;
            pen.text(&label, (LEFT - 8, y.at(value)), Side::Left, Role::Muted)?;
        }
        match zero {
            Some(_) => pen.line(&[(LEFT, y.at(0.0)), (RIGHT, y.at(0.0))], Role::Zero, 2)?,
            None => {
                let side = if comparison.median > 0.0 { "0 below" } else { "0 above" };
                pen.text(side, (LEFT - 4, BOTTOM + 42), Side::Left, Role::Muted)?;
            }
        }
        if zero.is_some() && subject.bar > 0.0 {
            let bar = y.at(subject.bar);
            pen.line(&[(LEFT, bar), (RIGHT, bar)], Role::Fail, 1)?;
            pen.text("bar", (RIGHT, bar - 9), Side::Left, Role::Fail)?;
        }
        (0..RUNS).try_for_each(|run| column(pen, &y, subject, comparison, run))
    })
}

/// Left and right end of a run's column.
fn sides(run: usize) -> (i32, i32) {
    let width = (RIGHT - LEFT) / RUNS as i32;
    (LEFT + run as i32 * width + 6, LEFT + (run as i32 + 1) * width - 6)
}

fn band(pen: &Pen, y: &Axis, run: usize, values: &[f64]) -> DrawResult {
    let (left, right) = sides(run);
    let median = median(values);
    let edges = [y.at(median + MAX_DEVIATION), y.at(median - MAX_DEVIATION)];
    pen.bar([(left, edges[0]), (right, edges[1])], Role::Band, 1.0)?;
    edges.into_iter().try_for_each(|edge| pen.line(&[(left, edge), (right, edge)], Role::Muted, 1))
}

fn column(pen: &mut Pen, y: &Axis, subject: &Subject, comparison: &Comparison, run: usize) -> DrawResult {
    let (left, right) = sides(run);
    let values = &comparison.phases[run];
    let median = median(values);
    let mean = y.at(comparison.runs[run]);
    pen.line(&[(left, mean), (right, mean)], Role::Centre, 4)?;
    for (phase, &value) in values.iter().enumerate() {
        let x = left + 5 + (right - left - 10) * phase as i32 / (PHASES as i32 - 1);
        if !subject.whole && (value - median).abs() > MAX_DEVIATION {
            pen.cross((x, y.at(value)), Role::Fail)?;
        }
        pen.point((x, y.at(value)), format!("run {}, phase {}: {}", run + 1, phase + 1, signed(value)))?;
    }
    let middle = y.at(median);
    let mut dash = left;
    while dash < right {
        pen.line(&[(dash, middle), ((dash + 5).min(right), middle)], Role::Ink, 2)?;
        dash += 9;
    }
    let centre = (left + right) / 2;
    pen.bold(&format!("{}", run + 1), (centre, BOTTOM + 22), Side::Middle, Role::Ink)?;
    let order = if comparison.later_runs[run] { "later" } else { "earlier" };
    pen.text(order, (centre, BOTTOM + 42), Side::Middle, Role::Muted)
}
