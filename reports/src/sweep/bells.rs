//! What layout does beside what noise does: two normal curves over the measured layouts.

use protocol::sweep::{AS_LINKED, Sweep};

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::{Fill, Side};
use crate::theme::Role;
use crate::trial::ReportError;
use crate::words::signed;

const SIZE: (u32, u32) = (500, 270);
const LEFT: i32 = 16;
const RIGHT: i32 = 484;
const TOP: i32 = 34;
const BOTTOM: i32 = 190;
/// Pixels between two points of a curve.
const STEP: usize = 3;

/// The curves, and below them every layout as a mark.
pub fn bells(sweep: &Sweep) -> Result<Chart, ReportError> {
    let spread = &sweep.spread;
    let widest = 3.0 * spread.layout_sd.max(spread.noise_sd);
    let values = spread.values.iter().map(|estimate| estimate.value);
    let reach = values.map(f64::abs).fold(widest, f64::max).max(0.05);
    let x = Axis::exact(-reach, reach, (LEFT, RIGHT));
    let smallest = [spread.layout_sd, spread.noise_sd].into_iter().filter(|sd| *sd > 0.0);
    let highest = 1.0 / smallest.fold(f64::INFINITY, f64::min).min(1e6);
    let y = Axis::exact(0.0, highest, (BOTTOM, TOP));
    let curve = |sd: f64| -> Vec<(i32, i32)> {
        let pixels = (LEFT..=RIGHT).step_by(STEP);
        let at = |pixel: i32| reach * (2.0 * f64::from(pixel - LEFT) / f64::from(RIGHT - LEFT) - 1.0);
        pixels.map(|pixel| (pixel, y.at((-0.5 * (at(pixel) / sd).powi(2)).exp() / sd))).collect()
    };
    let label = format!(
        "Two normal curves: standard deviation {:.2} points between layouts, {:.2} points by noise of one measurement",
        spread.layout_sd, spread.noise_sd
    );
    chart(SIZE, &label, |pen| {
        for (value, label) in x.ticks(6) {
            pen.line(&[(x.at(value), TOP), (x.at(value), BOTTOM)], Role::Grid, 1)?;
            pen.text(&label, (x.at(value), BOTTOM + 44), Side::Middle, Role::Muted)?;
        }
        pen.line(&[(LEFT, BOTTOM), (RIGHT, BOTTOM)], Role::Zero, 1)?;
        if spread.noise_sd > 0.0 {
            pen.line(&curve(spread.noise_sd), Role::Noise, 2)?;
        }
        match spread.layout_sd {
            0.0 => pen.line(&[(x.at(0.0), TOP), (x.at(0.0), BOTTOM)], Role::Centre, 3)?,
            sd => pen.line(&curve(sd), Role::Centre, 3)?,
        }
        for (layout, estimate) in spread.values.iter().enumerate() {
            let at = (x.at(estimate.value), BOTTOM + 18);
            match layout {
                AS_LINKED => pen.dot(at, 5, Role::Fail, Fill::Hollow)?,
                _ => pen.point(at, format!("layout {layout}: {}", signed(estimate.value)))?,
            }
        }
        pen.text(
            "percentage points from the mean",
            ((LEFT + RIGHT) / 2, BOTTOM + 66),
            Side::Middle,
            Role::Muted,
        )
    })
}
