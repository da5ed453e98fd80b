//! How likely layout alone makes a difference of each size.

use protocol::sweep::{Sweep, chance};

use super::text::resolved;
use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::Side;
use crate::theme::Role;
use crate::trial::ReportError;

const SIZE: (u32, u32) = (500, 270);
const LEFT: i32 = 56;
const RIGHT: i32 = 484;
const TOP: i32 = 16;
const BOTTOM: i32 = 212;
/// Pixels between two points of a curve.
const STEP: usize = 3;
/// The probability that "one in twenty" stands for.
const RARE: f64 = 0.05;

/// The probability against the difference, with the band of the interval.
pub fn curve(sweep: &Sweep) -> Result<Chart, ReportError> {
    let spread = &sweep.spread;
    let (low, high) = spread.layout_sd_interval;
    let seen = spread.gain.as_ref().map_or(0.0, |gain| gain.percent.abs());
    let reach = (1.15 * spread.one_in_twenty_interval.1).max(1.25 * seen).max(0.05);
    let x = Axis::exact(0.0, reach, (LEFT, RIGHT));
    let y = Axis::exact(0.0, 100.0, (BOTTOM, TOP));
    let at = |pixel: i32| reach * f64::from(pixel - LEFT) / f64::from(RIGHT - LEFT);
    let height = |pixel: i32, sd: f64| y.at(100.0 * chance(at(pixel), sd));
    let label = format!(
        "Probability that two builds of the same speed differ by layout alone, falling from 100 % at no difference to 5 % \
         at a difference of {:.2} %",
        spread.one_in_twenty
    );
    chart(SIZE, &label, |pen| {
        let step = i32::try_from(STEP).unwrap_or(1);
        for pixel in (LEFT..RIGHT).step_by(STEP) {
            let corners = [(pixel, height(pixel, high)), (pixel + step, height(pixel, low))];
            pen.bar(corners, Role::Band, 1.0)?;
        }
        for percent in [0, 25, 50, 75, 100] {
            let at = y.at(f64::from(percent));
            pen.line(&[(LEFT, at), (RIGHT, at)], Role::Grid, 1)?;
            pen.text(&format!("{percent} %"), (LEFT - 8, at), Side::Left, Role::Muted)?;
        }
        for (value, label) in x.ticks(6) {
            pen.text(label.trim_start_matches('+'), (x.at(value), BOTTOM + 18), Side::Middle, Role::Muted)?;
        }
        pen.line(&[(LEFT, BOTTOM), (RIGHT, BOTTOM)], Role::Zero, 1)?;
        let path = (LEFT..=RIGHT).step_by(STEP).map(|pixel| (pixel, height(pixel, spread.layout_sd)));
        pen.line(&path.collect::<Vec<_>>(), Role::Centre, 3)?;
        let (percent, at_most) = match resolved(sweep) {
            true => (spread.one_in_twenty, ""),
            false => (spread.one_in_twenty_interval.1, "≤ "),
        };
        let rare = (x.at(percent), y.at(100.0 * RARE));
        pen.line(&[(rare.0, rare.1 - 10), (rare.0, BOTTOM)], Role::Ink, 2)?;
        let rare_told = format!("1 in 20: {at_most}{percent:.2} %");
        let side = if 2.0 * percent > reach { Side::Left } else { Side::Right };
        pen.text(&rare_told, (rare.0 + 4, rare.1 - 20), side, Role::Ink)?;
        if spread.gain.is_some() {
            pen.line(&[(x.at(seen), TOP), (x.at(seen), BOTTOM)], Role::Fail, 2)?;
            let side = if 2.0 * seen > reach { Side::Left } else { Side::Right };
            let shift = if 2.0 * seen > reach { -8 } else { 8 };
            pen.bold(&format!("your {seen} %"), (x.at(seen) + shift, TOP + 12), side, Role::Fail)?;
        }
        pen.text("difference in speed, percent", ((LEFT + RIGHT) / 2, BOTTOM + 42), Side::Middle, Role::Muted)
    })
}
