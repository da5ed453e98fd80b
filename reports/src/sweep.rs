//! A finished sweep: how far layout alone moves the speed of one executable.

mod bells;
mod curve;
mod ladder;
mod page;
mod text;

pub use page::html;
pub use text::{answer, table};

use protocol::sweep::{AS_LINKED, Sweep};

use crate::trial::ReportError;

/// Refuses a sweep whose parts do not belong together, before anything is drawn from them.
fn check(sweep: &Sweep) -> Result<(), ReportError> {
    let (expected, found) = (sweep.layouts.len(), sweep.spread.values.len());
    if expected == found && expected > AS_LINKED + 2 {
        return Ok(());
    }
    Err(ReportError::Sweep {
        what: "values",
        expected: format!("one for each of {expected} layouts, at least two of them drawn"),
        found: found.to_string(),
    })
}

/// The layouts by their speed, fastest first.
fn by_speed(sweep: &Sweep) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sweep.layouts.len()).collect();
    let value = |layout: usize| sweep.spread.values[layout].value;
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
    order
}

/// What a layout is called.
fn name(layout: usize) -> String {
    if layout == AS_LINKED { "as linked".to_owned() } else { format!("layout {layout}") }
}

/// How often each drawn layout was measured, at least.
fn measured(sweep: &Sweep) -> usize {
    let of = |layout| sweep.measurements.iter().filter(|one| one.layout == layout).count();
    (1..sweep.layouts.len()).map(of).min().unwrap_or(0)
}
