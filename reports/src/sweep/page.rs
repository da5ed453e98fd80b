//! The page.

use askama::Template;
use protocol::plan::PartState;
use protocol::sweep::{AS_LINKED, Sweep};

use super::bells::bells;
use super::curve::curve;
use super::ladder::ladder;
use super::text::{answer, likely, limited, resolved};
use super::{by_speed, check, measured, name};
use crate::chart::Chart;
use crate::evidence::{Cell, Table};
use crate::trial::ReportError;
use crate::words::{bytes, count, grouped, interval, share, signed};

/// Renders the finished sweep as one HTML file that needs nothing else.
pub fn html(sweep: &Sweep) -> Result<String, ReportError> {
    check(sweep)?;
    let page = Page {
        css: include_str!("../../templates/report.css"),
        name: &sweep.name,
        answer: answer(sweep),
        limited: limited(sweep),
        sd: numbers(sweep)[0].value.clone(),
        numbers: numbers(sweep),
        facts: facts(sweep),
        ladder: ladder(sweep)?,
        bells: bells(sweep)?,
        curve: curve(sweep)?,
        resolved: resolved(sweep),
        layouts: layouts(sweep),
        together: together(sweep),
        copies: sweep.layout.state("copy") == Some(PartState::Drawn),
        slice_ms: sweep.slice_us as f64 / 1000.0,
        processor: &sweep.machine.processor,
    };
    Ok(page.render()?)
}

#[derive(Template)]
#[template(path = "sweep.html")]
struct Page<'a> {
    css: &'static str,
    name: &'a str,
    answer: String,
    limited: Option<&'static str>,
    sd: String,
    numbers: Vec<Number>,
    facts: Vec<(&'static str, String)>,
    ladder: Chart,
    bells: Chart,
    curve: Chart,
    resolved: bool,
    layouts: Table,
    together: usize,
    copies: bool,
    slice_ms: f64,
    processor: &'a str,
}

/// One of the large figures.
struct Number {
    what: &'static str,
    value: String,
    note: String,
}

fn numbers(sweep: &Sweep) -> Vec<Number> {
    let spread = &sweep.spread;
    let (low, high) = spread.layout_sd_interval;
    let rare = spread.one_in_twenty_interval;
    let order = by_speed(sweep);
    let rank = order.iter().position(|&layout| layout == AS_LINKED).unwrap_or_default();
    let linked = &spread.values[AS_LINKED];
    let seen = resolved(sweep);
    let mut numbers = vec![
        Number {
            what: "Between layouts",
            value: if seen { format!("{:.2} %", spread.layout_sd) } else { format!("≤ {high:.2} %") },
            note: match seen {
                true => format!("standard deviation; 95 % interval {low:.2} to {high:.2} %"),
                false => "standard deviation; the end of its 95 % interval, which begins at zero".to_owned(),
            },
        },
        Number {
            what: "One measurement",
            value: format!("{:.2} %", spread.noise_sd),
            note: "standard deviation of the noise: timing and page placement".to_owned(),
        },
        Number {
            what: "One pair in twenty",
            value: match seen {
                true => format!("{:.2} %", spread.one_in_twenty),
                false => format!("≤ {:.2} %", rare.1),
            },
            note: match seen {
                true => format!("or more apart by layout alone; interval {:.2} to {:.2} %", rare.0, rare.1),
                false => "apart by layout alone".to_owned(),
            },
        },
        Number {
            what: "As linked",
            value: format!("{} %", signed(linked.value)),
            note: format!(
                "from the mean, interval {}; {} of {} drawn layouts are faster",
                interval(linked.interval),
                rank,
                order.len() - 1
            ),
        },
    ];
    if let Some(gain) = &spread.gain {
        numbers.push(Number {
            what: "Your gain",
            value: format!("{} %", gain.percent),
            note: format!("or more by layout alone with probability {}", likely(sweep, gain)),
        });
    }
    for number in &mut numbers {
        // A number and its sign stay on one line.
        number.value = number.value.replace(" %", "\u{a0}%");
        number.note = number.note.replace(" %", "\u{a0}%");
    }
    numbers
}

fn facts(sweep: &Sweep) -> Vec<(&'static str, String)> {
    let state = |wanted: PartState| {
        let parts = sweep.layout.parts.iter().filter(|part| part.state == wanted);
        let names: Vec<&str> = parts.map(|part| part.part.as_str()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    let options: Vec<String> =
        sweep.lane.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
    vec![
        ("Drawn", state(PartState::Drawn)),
        ("Left fixed", state(PartState::Fixed)),
        ("Could not be drawn", state(PartState::NotScattered)),
        ("Scheme and master seed", format!("{}, {}", sweep.layout.scheme, sweep.layout.seed)),
        (
            "Measured",
            format!(
                "{}, each {} in fresh processes, {} in all",
                count(sweep.layouts.len() - 1, "layout"),
                count(measured(sweep), "time"),
                grouped(sweep.measurements.len() as u64)
            ),
        ),
        (
            "Workload",
            format!(
                "{} at {} nodes",
                count(sweep.workload.positions.len(), "position"),
                grouped(sweep.workload.nodes)
            ),
        ),
        ("Options", options),
        ("Processor", format!("{}, core {}", sweep.machine.processor, sweep.lane.core)),
        ("Begun", sweep.created.clone()),
        ("Subject", format!("SHA-256 {}", sweep.subject_sha256)),
    ]
}

fn layouts(sweep: &Sweep) -> Table {
    let rows = by_speed(sweep).into_iter().map(|layout| {
        let (drawn, value) = (&sweep.layouts[layout], &sweep.spread.values[layout]);
        let (functions, data) = (drawn.moved_functions, drawn.moved_data);
        let text = |text: String| Cell::Number(text);
        vec![
            Cell::Text(name(layout)),
            text(signed(value.value)),
            text(interval(value.interval)),
            text(share(functions.0 + data.0, functions.1 + data.1)),
            text(bytes(drawn.stack_offset)),
            text(bytes(drawn.mapping_offset)),
            text(bytes(drawn.heap_offset)),
            Cell::Code(drawn.seed.map_or("–".to_owned(), |seed| seed.to_string())),
        ]
    });
    let head = [
        "Layout",
        "Points",
        "95 % interval",
        "Units moved",
        "Stack moved by",
        "Mappings moved by",
        "Heap moved by",
        "Seed",
    ];
    Table {
        caption: "All layouts, the fastest first. The seed makes the same layout again: bench-lab layout draw --seed"
            .to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        folded: true,
    }
}

/// The most layouts that were measured side by side, with the one as linked.
fn together(sweep: &Sweep) -> usize {
    let phases = sweep.measurements.iter().map(|one| one.phase).max().unwrap_or(0);
    let of = |phase| sweep.measurements.iter().filter(|one| one.phase == phase).count();
    (1..=phases).map(of).max().unwrap_or(0)
}
