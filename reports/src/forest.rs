//! Forest plots: one row for every comparison, median and interval on a shared axis.

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::{Fill, Pen, Side};
use crate::theme::Role;
use crate::trial::{ReportError, Subject, Trial};
use crate::words::{interval, short, signed, verdict};

const WIDTH: u32 = 860;
const LEFT: i32 = 216;
const RIGHT: i32 = 664;
const TOP: i32 = 10;
const ROW: i32 = 38;

/// One row.
pub struct Row {
    label: String,
    dots: Vec<f64>,
    median: f64,
    interval: (f64, f64),
    /// `None` for A/A noise, which nobody judges.
    passed: Option<bool>,
    /// What the run values had to exceed, where it is not zero.
    bar: Option<f64>,
}

impl Row {
    /// A row for every lane of a subject.
    pub fn of(subject: &Subject) -> Vec<Self> {
        let several = subject.lanes.len() > 1;
        let row = |comparison: &protocol::verdict::Comparison| Self {
            label: if several {
                format!("{} · {}", short(subject.name, 18), short(&comparison.lane, 9))
            } else {
                short(subject.name, 29)
            },
            dots: comparison.runs.clone(),
            median: comparison.median,
            interval: comparison.interval,
            passed: Some(comparison.passed),
            bar: subject.whole.then_some(subject.bar),
        };
        subject.lanes.iter().map(row).collect()
    }

    /// A row for every lane's A/A values: nothing but noise and the harness's own bias.
    pub fn noise(trial: &Trial) -> Vec<Self> {
        let several = trial.plan.calibration.len() > 1;
        let row = |calibration: &protocol::plan::Calibration| Self {
            label: if several {
                format!("A/A · {}", short(&calibration.lane, 16))
            } else {
                "A/A, single phases".to_owned()
            },
            dots: calibration.values.clone(),
            median: calibration.bias,
            interval: (calibration.bias - calibration.sd, calibration.bias + calibration.sd),
            passed: None,
            bar: None,
        };
        trial.plan.calibration.iter().map(row).collect()
    }
}

/// Draws the rows under each other.
pub fn forest(title: &str, rows: &[Row]) -> Result<Chart, ReportError> {
    let bottom = TOP + ROW * rows.len() as i32;
    let values = rows.iter().flat_map(|row| {
        row.dots.iter().copied().chain([row.median, row.interval.0, row.interval.1]).chain(row.bar)
    });
    let x = Axis::new(values.chain([0.0]), (LEFT, RIGHT));
    let said: Vec<String> = rows.iter().map(spoken).collect();
    chart((WIDTH, (bottom + 56) as u32), &format!("{title}: {}", said.join("; ")), |pen| {
        for (value, label) in x.ticks(8) {
            pen.line(&[(x.at(value), TOP), (x.at(value), bottom)], Role::Grid, 1)?;
            pen.text(&label, (x.at(value), bottom + 18), Side::Middle, Role::Muted)?;
        }
        pen.text(
            "percentage points of log rate",
            ((LEFT + RIGHT) / 2, bottom + 40),
            Side::Middle,
            Role::Muted,
        )?;
        pen.line(&[(x.at(0.0), TOP), (x.at(0.0), bottom)], Role::Zero, 2)?;
        for (index, row) in rows.iter().enumerate() {
            draw(pen, &x, row, TOP + ROW * index as i32 + ROW / 2)?;
        }
        Ok(())
    })
}

fn spoken(row: &Row) -> String {
    match row.passed {
        Some(passed) => {
            format!("{} {} {}, {}", row.label, signed(row.median), interval(row.interval), verdict(passed))
        }
        None => format!(
            "{} mean {}, one standard deviation {}",
            row.label,
            signed(row.median),
            interval(row.interval)
        ),
    }
}

fn draw(
    pen: &mut Pen,
    x: &Axis,
    row: &Row,
    y: i32,
) -> Result<(), plotters::drawing::DrawingAreaErrorKind<std::io::Error>> {
    let role = match row.passed {
        Some(true) => Role::Pass,
        Some(false) => Role::Fail,
        None => Role::Noise,
    };
    if let Some(bar) = row.bar {
        pen.line(&[(x.at(bar), y - 15), (x.at(bar), y + 15)], Role::Fail, 2)?;
    }
    pen.text(&row.label, (LEFT - 14, y), Side::Left, Role::Ink)?;
    for &value in &row.dots {
        pen.dot((x.at(value), y + 10), 2, role, Fill::Solid)?;
    }
    let (low, high) = (x.at(row.interval.0), x.at(row.interval.1));
    pen.line(&[(low, y), (high, y)], role, 3)?;
    for end in [low, high] {
        pen.line(&[(end, y - 5), (end, y + 5)], role, 2)?;
    }
    match row.passed {
        Some(passed) => pen.judged((x.at(row.median), y), passed)?,
        None => pen.dot((x.at(row.median), y), 5, role, Fill::Hollow)?,
    }
    pen.bold(&signed(row.median), (RIGHT + 14, y), Side::Right, Role::Ink)?;
    pen.text(&interval(row.interval), (RIGHT + 74, y), Side::Right, Role::Muted)
}
