//! Every layout with its interval, the fastest on top.

use protocol::sweep::{AS_LINKED, Sweep};

use super::{by_speed, name};
use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::{DrawResult, Fill, Pen, Side};
use crate::theme::Role;
use crate::trial::ReportError;
use crate::words::{interval, signed};

const WIDTH: u32 = 760;
const LEFT: i32 = 92;
const RIGHT: i32 = 744;
const TOP: i32 = 30;
/// Height of a row with a name; more layouts than [`NAMED`] get lower rows without.
const ROW: i32 = 22;
const LOW_ROW: i32 = 7;
const NAMED: usize = 60;

/// Values over the noise band.
pub fn ladder(sweep: &Sweep) -> Result<Chart, ReportError> {
    let order = by_speed(sweep);
    let spread = &sweep.spread;
    let named = order.len() <= NAMED;
    let row = if named { ROW } else { LOW_ROW };
    let bottom = TOP + row * i32::try_from(order.len()).unwrap_or(i32::MAX / (2 * ROW));
    let size = (WIDTH, u32::try_from(bottom + 52).unwrap_or(WIDTH));
    let ends = spread.values.iter().flat_map(|value| [value.interval.0, value.interval.1]);
    let x = Axis::new(ends.chain([-spread.noise_sd, spread.noise_sd]), (LEFT, RIGHT));
    let label = format!(
        "Speed of {} drawn layouts and the one as linked, from {} to {} points around the mean, standard deviation of a \
         single measurement {:.2} points",
        order.len() - 1,
        signed(spread.values[order[order.len() - 1]].value),
        signed(spread.values[order[0]].value),
        spread.noise_sd,
    );
    chart(size, &label, |pen| {
        let noise = [x.at(-spread.noise_sd), x.at(spread.noise_sd)];
        pen.bar([(noise[0], TOP), (noise[1], bottom)], Role::Band, 1.0)?;
        for (value, label) in x.ticks(9) {
            pen.line(&[(x.at(value), TOP), (x.at(value), bottom)], Role::Grid, 1)?;
            pen.text(&label, (x.at(value), bottom + 16), Side::Middle, Role::Muted)?;
        }
        pen.line(&[(x.at(0.0), TOP), (x.at(0.0), bottom)], Role::Zero, 2)?;
        for sd in [-spread.layout_sd, spread.layout_sd] {
            dashed(pen, x.at(sd), bottom)?;
        }
        pen.text("slower", (LEFT, TOP - 14), Side::Right, Role::Muted)?;
        pen.text("faster", (RIGHT, TOP - 14), Side::Left, Role::Muted)?;
        let about = "percentage points from the mean of the drawn layouts";
        pen.text(about, ((LEFT + RIGHT) / 2, bottom + 38), Side::Middle, Role::Muted)?;
        for (number, &layout) in (0..).zip(&order) {
            let y = TOP + row * number + row / 2;
            let value = &spread.values[layout];
            let linked = layout == AS_LINKED;
            let role = if linked { Role::Fail } else { Role::Pass };
            let width = if named { 3 } else { 1 };
            pen.line(&[(x.at(value.interval.0), y), (x.at(value.interval.1), y)], role, width)?;
            if linked {
                pen.dot((x.at(value.value), y), 5, Role::Fail, Fill::Hollow)?;
                pen.bold("as linked", (LEFT - 10, y), Side::Left, Role::Ink)?;
            } else {
                let note = format!(
                    "{}: {} points, 95 % interval {}",
                    name(layout),
                    signed(value.value),
                    interval(value.interval)
                );
                pen.point((x.at(value.value), y), note)?;
                if named {
                    pen.text(&layout.to_string(), (LEFT - 10, y), Side::Left, Role::Muted)?;
                }
            }
        }
        Ok(())
    })
}

fn dashed(pen: &Pen, x: i32, bottom: i32) -> DrawResult {
    let mut dash = TOP;
    while dash < bottom {
        pen.line(&[(x, dash), (x, (dash + 6).min(bottom))], Role::Centre, 2)?;
        dash += 10;
    }
    Ok(())
}
