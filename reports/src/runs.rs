//! The eight run values of one comparison, sorted: the order statistics that judge.

use protocol::RUNS;
use protocol::verdict::Comparison;

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::{Fill, Side};
use crate::theme::Role;
use crate::trial::{ReportError, Subject};
use crate::words::{interval, signed};

const SIZE: (u32, u32) = (400, 360);
const LEFT: i32 = 64;
const RIGHT: i32 = 328;
const TOP: i32 = 12;
const BOTTOM: i32 = 304;

/// One row a run, smallest below, the interval shaded, the bar drawn.
pub fn runs(subject: &Subject, comparison: &Comparison) -> Result<Chart, ReportError> {
    let mut order: Vec<usize> = (0..comparison.runs.len()).collect();
    order.sort_by(|&a, &b| comparison.runs[b].total_cmp(&comparison.runs[a]));
    let label = format!(
        "Run values of {} on lane {}: {} of {RUNS} above the bar of {}, median {}, 93 percent interval {}",
        subject.name,
        comparison.lane,
        comparison.positive,
        signed(subject.bar),
        signed(comparison.median),
        interval(comparison.interval),
    );
    let x = Axis::new(comparison.runs.iter().copied().chain([0.0, subject.bar]), (LEFT, RIGHT));
    chart(SIZE, &label, |pen| {
        let (low, high) = comparison.interval;
        pen.bar([(x.at(low), TOP), (x.at(high), BOTTOM)], Role::Band, 1.0)?;
        for (value, label) in x.ticks(5) {
            pen.line(&[(x.at(value), TOP), (x.at(value), BOTTOM)], Role::Grid, 1)?;
            pen.text(&label, (x.at(value), BOTTOM + 22), Side::Middle, Role::Muted)?;
        }
        pen.text(
            "percentage points of log rate",
            ((LEFT + RIGHT) / 2, BOTTOM + 42),
            Side::Middle,
            Role::Muted,
        )?;
        pen.line(&[(x.at(0.0), TOP), (x.at(0.0), BOTTOM)], Role::Zero, 2)?;
        if subject.bar > 0.0 {
            pen.line(&[(x.at(subject.bar), TOP), (x.at(subject.bar), BOTTOM)], Role::Fail, 2)?;
        }
        let median = x.at(comparison.median);
        pen.line(&[(median, TOP), (median, BOTTOM)], Role::Centre, 2)?;
        for (row, &run) in order.iter().enumerate() {
            let value = comparison.runs[run];
            let y = TOP + (BOTTOM - TOP) * (2 * row as i32 + 1) / (2 * RUNS as i32);
            let role = if value > subject.bar { Role::Pass } else { Role::Fail };
            pen.line(&[(x.at(subject.bar), y), (x.at(value), y)], role, 2)?;
            let fill = if comparison.later_runs[run] { Fill::Solid } else { Fill::Hollow };
            pen.dot((x.at(value), y), 6, role, fill)?;
            pen.text(&format!("run {}", run + 1), (LEFT - 10, y), Side::Left, Role::Muted)?;
            pen.text(&signed(value), (RIGHT + 12, y), Side::Right, Role::Ink)?;
        }
        Ok(())
    })
}
