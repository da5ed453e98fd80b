//! How the mean of one comparison settled over the trial. Drawn afterwards: nothing looked at it on the way.

use protocol::verdict::Comparison;
use protocol::{PHASES, RUNS};

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::Side;
use crate::theme::Role;
use crate::trial::{ReportError, Subject};
use crate::words::signed;

const SIZE: (u32, u32) = (760, 190);
const LEFT: i32 = 52;
const RIGHT: i32 = 690;
const TOP: i32 = 12;
const BOTTOM: i32 = 146;
/// What the plot shows at least above and below the last mean, points.
const LEAST_SPAN: f64 = 0.25;

/// The mean of all phase values up to each phase.
pub fn cumulative(subject: &Subject, comparison: &Comparison) -> Result<Chart, ReportError> {
    let means = running_means(comparison.phases.iter().flatten().copied());
    let last = means.last().copied().unwrap_or(0.0);
    let label = format!(
        "Cumulative mean of {} on lane {}: {} after {} phases",
        subject.name,
        comparison.lane,
        signed(last),
        means.len()
    );
    // The first few values only say how noisy one phase is; the line may leave the plot there.
    // No zero line unless it is near: what matters here is how the mean settled.
    let settled = means.iter().copied().skip(PHASES / 2);
    let y = Axis::new(settled.chain([last - LEAST_SPAN, last + LEAST_SPAN]), (BOTTOM, TOP));
    let inside = |value: f64| (TOP..=BOTTOM).contains(&y.at(value));
    let x = Axis::exact(0.0, (RUNS * PHASES) as f64, (LEFT, RIGHT));
    chart(SIZE, &label, |pen| {
        for (value, label) in y.ticks(4) {
            pen.line(&[(LEFT, y.at(value)), (RIGHT, y.at(value))], Role::Grid, 1)?;
            pen.text(&label, (LEFT - 8, y.at(value)), Side::Left, Role::Muted)?;
        }
        for run in 0..=RUNS {
            let at = x.at((run * PHASES) as f64);
            pen.line(&[(at, BOTTOM), (at, BOTTOM + 6)], Role::Muted, 1)?;
        }
        for run in 0..RUNS {
            let at = x.at((run * PHASES) as f64 + PHASES as f64 / 2.0);
            pen.text(&format!("run {}", run + 1), (at, BOTTOM + 20), Side::Middle, Role::Muted)?;
        }
        if inside(0.0) {
            pen.line(&[(LEFT, y.at(0.0)), (RIGHT, y.at(0.0))], Role::Zero, 2)?;
        }
        if subject.bar > 0.0 && inside(subject.bar) {
            pen.line(&[(LEFT, y.at(subject.bar)), (RIGHT, y.at(subject.bar))], Role::Fail, 1)?;
        }
        let path: Vec<(i32, i32)> = means
            .iter()
            .enumerate()
            .map(|(index, &mean)| (x.at((index + 1) as f64), y.at(mean).clamp(TOP, BOTTOM)))
            .collect();
        pen.line(&path, Role::Centre, 2)?;
        pen.bold(&signed(last), (RIGHT + 10, y.at(last)), Side::Right, Role::Ink)
    })
}

fn running_means(values: impl Iterator<Item = f64>) -> Vec<f64> {
    values
        .scan((0.0, 0.0), |(sum, count), value| {
            *sum += value;
            *count += 1.0;
            Some(*sum / *count)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_run() {
        assert_eq!(running_means([2.0, 4.0, 0.0].into_iter()), [2.0, 3.0, 2.0]);
    }
}
