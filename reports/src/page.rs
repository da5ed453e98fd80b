//! The page.

use askama::Template;
use protocol::verdict::Comparison;
use protocol::{PHASES, RUNS};

use crate::chart::Chart;
use crate::cumulative::cumulative;
use crate::evidence::{self, Part};
use crate::forest::{Row, forest};
use crate::keys::{self, Key};
use crate::lanes::lanes;
use crate::runs::runs;
use crate::strips::strips;
use crate::summary::Summary;
use crate::trial::{ReportError, Subject, Trial};
use crate::{reasons, words};

/// Renders the finished trial as one HTML file that needs nothing else.
pub fn html(trial: &Trial) -> Result<String, ReportError> {
    trial.check()?;
    let subjects = trial.subjects();
    let rows: Vec<Row> = subjects.iter().flat_map(Row::of).collect();
    let page = Page {
        css: include_str!("../templates/report.css"),
        summary: Summary::of(trial)?,
        forest: forest("Gains of all components and of the whole bundle", &rows)?,
        lanes: lanes(trial)?,
        gain_keys: &keys::FOREST,
        phase_keys: &keys::STRIPS,
        run_keys: &keys::RUNS,
        sections: subjects.iter().map(Section::of).collect::<Result<_, _>>()?,
        evidence: evidence::parts(trial)?,
        plan_id: trial.plan_id,
        threshold: trial.verdict.bundle.threshold_percent,
        slice_ms: trial.plan.measure.slice_us as f64 / 1000.0,
        processor: &trial.plan.machine.processor,
    };
    Ok(page.render()?)
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    css: &'static str,
    summary: Summary,
    forest: Chart,
    lanes: Option<Chart>,
    gain_keys: &'static [Key],
    phase_keys: &'static [Key],
    run_keys: &'static [Key],
    sections: Vec<Section>,
    evidence: Vec<Part>,
    plan_id: &'a str,
    threshold: f64,
    slice_ms: f64,
    processor: &'a str,
}

/// One component, or the bundle, in detail.
struct Section {
    number: usize,
    name: String,
    passed: bool,
    lanes: Vec<Detail>,
}

/// One lane of a section.
struct Detail {
    lane: String,
    against: String,
    sentence: String,
    moved: Option<Moved>,
    strips: Chart,
    runs: Chart,
    cumulative: Chart,
    values: Vec<RunValues>,
}

/// Data that no draw scatters and whose place stands against a component.
struct Moved {
    lead: String,
    symbols: Vec<String>,
    more: Option<String>,
}

/// One row of the table of phase values.
struct RunValues {
    run: usize,
    order: &'static str,
    phases: Vec<String>,
    mean: String,
}

impl Section {
    fn of(subject: &Subject) -> Result<Self, ReportError> {
        Ok(Self {
            number: subject.number,
            name: subject.name.to_owned(),
            passed: subject.passed,
            lanes: subject.lanes.iter().map(|lane| Detail::of(subject, lane)).collect::<Result<_, _>>()?,
        })
    }

    fn word(&self) -> &'static str {
        words::verdict(self.passed)
    }

    fn mark(&self) -> char {
        words::mark(self.passed)
    }
}

impl Detail {
    fn of(subject: &Subject, comparison: &Comparison) -> Result<Self, ReportError> {
        Ok(Self {
            lane: comparison.lane.clone(),
            against: comparison.against.clone(),
            sentence: sentence(subject, comparison),
            moved: moved(comparison),
            strips: strips(subject, comparison)?,
            runs: runs(subject, comparison)?,
            cumulative: cumulative(subject, comparison)?,
            values: comparison
                .phases
                .iter()
                .enumerate()
                .map(|(run, phases)| values(comparison, run, phases))
                .collect(),
        })
    }
}

fn sentence(subject: &Subject, comparison: &Comparison) -> String {
    let reasons = reasons::reasons(comparison, subject.bar, 0);
    let finding = format!(
        "Median gain {} points, 93 % interval {}, a speed-up of {} %; {} of {RUNS} run values above the bar; largest \
         distance of a phase value from its run's median {:.2} points.",
        words::signed(comparison.median),
        words::interval(comparison.interval),
        words::signed(words::speedup(comparison.median)),
        comparison.positive,
        comparison.largest_deviation
    );
    if reasons.is_empty() { finding } else { format!("{finding} Not proven: {}.", reasons.join("; ")) }
}

fn moved(comparison: &Comparison) -> Option<Moved> {
    let (objects, symbols) = reasons::moved_unscattered(comparison)?;
    let lead = format!(
        "{} that no draw scatters {} elsewhere in {} than in full, or in one of the two alone. Such a place is one          sample, not a draw: no number of runs tells the change from the luck of its place.",
        words::count(objects, "static object"),
        if objects == 1 { "lies" } else { "lie" },
        comparison.against
    );
    let more = objects - symbols.len().min(objects);
    Some(Moved {
        lead,
        symbols: symbols.to_vec(),
        more: (more > 0).then(|| format!("and {more} more, whose names the records do not hold")),
    })
}

fn values(comparison: &Comparison, run: usize, phases: &[f64]) -> RunValues {
    RunValues {
        run: run + 1,
        order: if comparison.later_runs[run] { "later" } else { "earlier" },
        phases: phases.iter().map(|&value| words::signed(value)).collect(),
        mean: words::signed(comparison.runs[run]),
    }
}
