//! Power against effect: a panel for every model of the noise.

use protocol::simulation::{Cell, Outcome, Rate, Simulation};

use super::title;
use crate::axis::Axis;
use crate::chart::chart;
use crate::pen::{DrawResult, Fill, Pen, Side};
use crate::standalone::standalone;
use crate::theme::Role;
use crate::trial::ReportError;
use crate::words::count;

/// Panels beside each other.
const ACROSS: usize = 2;
const PANEL: (i32, i32) = (430, 262);
const HEAD: i32 = 64;
const LEFT: i32 = 58;
const TOP: i32 = 36;
const INNER: (i32, i32) = (352, 172);

/// What a curve shows.
struct Curve {
    name: &'static str,
    role: Role,
    rate: fn(&Cell) -> Option<Rate>,
}

const ALONE: Curve =
    Curve { name: "one component on one lane", role: Role::Pass, rate: |cell| Some(cell.comparison) };
const ALL: Curve = Curve { name: "every component", role: Role::Centre, rate: |cell| Some(cell.components) };
const TRIAL: Curve =
    Curve { name: "and the bundle above its threshold", role: Role::Noise, rate: |cell| Some(cell.proven) };

/// The picture as a file of its own: probability of a proof against the true gain of every component.
///
/// # Errors
/// When the plotting library fails.
pub fn power(simulation: &Simulation) -> Result<String, ReportError> {
    let outcomes = &simulation.outcomes;
    let across = outcomes.len().clamp(1, ACROSS);
    let down = outcomes.len().div_ceil(across).max(1);
    let size = (PANEL.0 * across as i32, HEAD + PANEL.1 * down as i32);
    let curves: &[Curve] =
        if simulation.components * simulation.lanes > 1 { &[ALONE, ALL, TRIAL] } else { &[ALONE, TRIAL] };
    let gains = || outcomes.iter().flat_map(|outcome| &outcome.cells).map(|cell| cell.gain_percent);
    let (low, high) = (gains().fold(0.0, f64::min), gains().fold(0.05, f64::max));
    let said: Vec<String> = outcomes.iter().map(spoken).collect();
    let label = format!("Probability of a proof against the true gain of a component: {}", said.join("; "));
    let plot = chart((size.0 as u32, size.1 as u32), &label, |pen| {
        pen.text(&conditions(simulation), (12, 18), Side::Right, Role::Muted)?;
        let mut left = 14;
        for curve in curves {
            mark(pen, curve, (left, 44))?;
            pen.text(curve.name, (left + 12, 44), Side::Right, Role::Ink)?;
            left += 42 + 7 * curve.name.len() as i32;
        }
        for (index, outcome) in outcomes.iter().enumerate() {
            let corner = (PANEL.0 * (index % across) as i32, HEAD + PANEL.1 * (index / across) as i32);
            panel(pen, corner, outcome, curves, (low, high), simulation.bound)?;
        }
        Ok(())
    })?;
    Ok(standalone(&plot, "Probability of a proof", &[]))
}

/// What all panels have in common.
fn conditions(simulation: &Simulation) -> String {
    format!(
        "{} on {}, phase values with an sd of {} points, threshold {} %",
        count(simulation.components, "component"),
        count(simulation.lanes, "lane"),
        simulation.sd,
        simulation.threshold_percent
    )
}

fn panel(
    pen: &Pen,
    corner: (i32, i32),
    outcome: &Outcome,
    curves: &[Curve],
    (low, high): (f64, f64),
    bound: f64,
) -> DrawResult {
    let (left, top) = (corner.0 + LEFT, corner.1 + TOP);
    let (right, bottom) = (left + INNER.0, top + INNER.1);
    let x = Axis::exact(low, high, (left, right));
    let y = Axis::exact(0.0, 1.0, (bottom, top));
    pen.bold(&title(&outcome.noise), (left, corner.1 + 16), Side::Right, Role::Ink)?;
    for percent in [0, 25, 50, 75, 100] {
        let at = y.at(f64::from(percent) / 100.0);
        pen.line(&[(left, at), (right, at)], Role::Grid, 1)?;
        pen.text(&format!("{percent} %"), (left - 8, at), Side::Left, Role::Muted)?;
    }
    for (value, label) in x.ticks(6) {
        pen.text(label.trim_start_matches('+'), (x.at(value), bottom + 16), Side::Middle, Role::Muted)?;
    }
    pen.text("true gain, percent", ((left + right) / 2, bottom + 36), Side::Middle, Role::Muted)?;
    pen.line(&[(left, y.at(bound)), (right, y.at(bound))], Role::Fail, 1)?;
    pen.text("9/256", (right - 2, y.at(bound) - 10), Side::Left, Role::Fail)?;
    for curve in curves.iter().rev() {
        let points = outcome.cells.iter().filter_map(|cell| {
            let rate = (curve.rate)(cell)?;
            Some((x.at(cell.gain_percent), y.at(rate.share)))
        });
        let points: Vec<(i32, i32)> = points.collect();
        pen.line(&points, curve.role, 2)?;
        for &point in &points {
            mark(pen, curve, point)?;
        }
    }
    Ok(())
}

/// Curves are told apart without colour as well.
fn mark(pen: &Pen, curve: &Curve, at: (i32, i32)) -> DrawResult {
    match curve.role {
        Role::Pass => pen.dot(at, 4, curve.role, Fill::Solid),
        Role::Centre => pen.dot(at, 4, curve.role, Fill::Hollow),
        _ => pen.bar([(at.0 - 3, at.1 - 3), (at.0 + 3, at.1 + 3)], curve.role, 1.0),
    }
}

fn spoken(outcome: &Outcome) -> String {
    let cells = outcome.cells.iter();
    let said = cells.map(|cell| format!("{:.0} % at {} %", 100.0 * cell.comparison.share, cell.gain_percent));
    format!("{}: {}", title(&outcome.noise), said.collect::<Vec<_>>().join(", "))
}
