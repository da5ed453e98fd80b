//! Where in a cache line functions start: a bar for every quarter, with what single draws come to.

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::coverage::Share;
use crate::pen::Side;
use crate::theme::Role;
use crate::trial::ReportError;

const SIZE: (u32, u32) = (420, 150);
const LEFT: i32 = 12;
const RIGHT: i32 = 408;
const TOP: i32 = 24;
const BOTTOM: i32 = 116;
const NAMES: [&str; 4] = ["bytes 0–15", "16–31", "32–47", "48–63"];

/// Mean shares as bars, from the least to the most of a draw as lines.
pub fn quarters(title: &str, shares: &[Share; 4]) -> Result<Chart, ReportError> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let said = shares.iter().zip(NAMES).map(|(share, name)| {
        let [mean, least, most] = [share.mean, share.least, share.most].map(percent);
        format!("{name} {mean}, in single draws {least} to {most}")
    });
    let label = format!("{title}: {}", said.collect::<Vec<_>>().join("; "));
    let highest = shares.iter().map(|share| share.most).fold(0.25, f64::max);
    let x = Axis::exact(0.0, 4.0, (LEFT, RIGHT));
    let y = Axis::exact(0.0, highest, (BOTTOM, TOP));
    chart(SIZE, &label, |pen| {
        for (quarter, (share, name)) in shares.iter().zip(NAMES).enumerate() {
            let (left, right) = (x.at(quarter as f64) + 2, x.at(quarter as f64 + 1.0) - 2);
            let middle = (left + right) / 2;
            pen.bar([(left, y.at(share.mean)), (right, BOTTOM)], Role::Band, 1.0)?;
            pen.line(&[(left, y.at(share.mean)), (right, y.at(share.mean))], Role::Noise, 3)?;
            pen.line(&[(middle, y.at(share.least)), (middle, y.at(share.most))], Role::Ink, 2)?;
            for end in [share.least, share.most] {
                pen.line(&[(middle - 6, y.at(end)), (middle + 6, y.at(end))], Role::Ink, 2)?;
            }
            pen.text(&percent(share.mean), (middle, TOP - 14), Side::Middle, Role::Ink)?;
            pen.text(name, (middle, BOTTOM + 18), Side::Middle, Role::Muted)?;
        }
        pen.line(&[(LEFT, BOTTOM), (RIGHT, BOTTOM)], Role::Zero, 1)
    })
}
