//! The first screen: what was tested, what was proven, what was not and why.

use protocol::RUNS;
use protocol::verdict::Comparison;

use crate::axis::Axis;
use crate::chart::{Chart, chart};
use crate::pen::Fill;
use crate::theme::Role;
use crate::trial::{ReportError, Subject, Trial};
use crate::{diagnostics, facts, losses, outlook, qualified, reasons, split, words};

/// Findings against the bundle that the first screen shows without being asked.
const MOST_UNPROVEN: usize = 6;

/// The first screen.
pub struct Summary {
    /// The bundle's name.
    pub bundle: String,
    /// The verdict on the whole.
    pub passed: bool,
    /// Its words, as a heading begins.
    pub word: &'static str,
    /// The losses that lock the bundle: before everything else.
    pub locks: Vec<String>,
    /// Why the verdict is limited, if it is: the page's first line but for locks.
    pub limited: Option<String>,
    /// What the plan notes beside the verdict.
    pub notes: Vec<String>,
    /// Which attempt it is, where a register counts them.
    pub attempt: Option<String>,
    /// The verdict in one sentence.
    pub headline: String,
    /// What was tested, in a line.
    pub tested: String,
    /// What was tested: name and value.
    pub facts: Vec<(&'static str, String)>,
    /// One for every component, then the bundle.
    pub groups: Vec<Group>,
    /// Whether lanes have to be told apart.
    pub several_lanes: bool,
    /// What was not proven, with the reason: what stands at once, and what is folded away.
    pub unproven: (Vec<String>, Vec<String>),
    /// What stands above what it would take.
    pub outlook_lead: &'static str,
    /// What it would take to resolve them, and what costs speed.
    pub outlooks: Vec<String>,
    /// What leaving out together shows, outside the verdict.
    pub diagnostics: Vec<String>,
}

/// One component or the bundle, on all lanes.
pub struct Group {
    /// The component's name.
    pub name: String,
    /// Number of its section.
    pub number: usize,
    /// The whole bundle against base.
    pub whole: bool,
    /// One for every lane.
    pub lanes: Vec<LaneRow>,
}

/// One line of the verdict table.
pub struct LaneRow {
    /// The lane's name.
    pub lane: String,
    /// The build set that it measures, where there are several.
    pub build: Option<String>,
    /// Passed on this lane.
    pub passed: bool,
    /// Median gain in percentage points.
    pub gain: String,
    /// Its interval.
    pub interval: String,
    /// The same as a speed-up.
    pub speedup: String,
    /// Its interval.
    pub speedup_interval: String,
    /// Interval and median as a small plot.
    pub plot: Chart,
    /// Run values above the bar.
    pub positive: String,
    /// Whether that is enough.
    pub positive_enough: bool,
    /// Largest deviation.
    pub deviation: String,
    /// Whether the 2.0 rule allows it.
    pub deviation_allowed: bool,
    /// Why not, shortly.
    pub why: String,
}

impl LaneRow {
    /// The verdict's word.
    pub fn word(&self) -> &'static str {
        words::verdict(self.passed)
    }

    /// The verdict's mark.
    pub fn mark(&self) -> char {
        words::mark(self.passed)
    }
}

impl Summary {
    /// Gathers the first screen.
    pub fn of(trial: &Trial) -> Result<Self, ReportError> {
        let subjects = trial.subjects();
        let comparisons =
            || subjects.iter().flat_map(|subject| subject.lanes.iter().map(move |c| (subject, c)));
        let ends = comparisons().flat_map(|(s, c)| [c.interval.0, c.interval.1, c.median, s.bar]);
        let axis = Axis::new(ends.chain([0.0]), (4, MINI.0 as i32 - 4));
        let groups = subjects.iter().map(|subject| group(trial, subject, &axis)).collect::<Result<_, _>>()?;
        let mut unproven: Vec<String> = subjects.iter().flat_map(unproven).collect();
        let folded = unproven.split_off(unproven.len().min(MOST_UNPROVEN));
        Ok(Self {
            bundle: trial.plan.bundle.clone(),
            passed: trial.verdict.proven,
            word: qualified::heading(trial.verdict),
            locks: losses::locks(trial.plan, trial.verdict),
            limited: qualified::limited(trial.plan, trial.verdict),
            notes: trial.plan.notes.clone(),
            attempt: qualified::attempt(trial.plan),
            headline: headline(trial),
            tested: facts::tested(trial),
            facts: facts::facts(trial),
            groups,
            several_lanes: trial.plan.lanes.len() > 1,
            unproven: (unproven, folded),
            outlook_lead: outlook::lead(trial),
            outlooks: outlook::lines(trial),
            diagnostics: diagnostics::lines(trial),
        })
    }

    /// The verdict's mark.
    pub fn mark(&self) -> char {
        words::mark(self.passed)
    }

    /// What follows from a lock, as HTML.
    pub fn remedy(&self) -> String {
        words::coded(losses::REMEDY)
    }
}

/// The verdict in one sentence; also the sentence of the Markdown comment. A lane on which a component fails that another
/// lane proves is named before it.
pub fn headline(trial: &Trial) -> String {
    let all = trial.verdict.components.len();
    let passed = trial.verdict.components.iter().filter(|component| component.passed).count();
    let threshold = trial.verdict.bundle.threshold_percent;
    let lanes = match trial.plan.lanes.as_slice() {
        [lane] => format!("on lane {}", lane.name),
        [_, _] => "on both lanes".to_owned(),
        lanes => format!("on all {} lanes", lanes.len()),
    };
    let components = match (passed, all) {
        (1, 1) => format!("The one component is faster than the bundle without it {lanes}"),
        (passed, all) if passed == all => format!("Each of the {all} components earns its place {lanes}"),
        (0, 1) => format!("The one component was not proven {lanes}"),
        (0, all) => format!("None of {} was proven {lanes}", words::count(all, "component")),
        (1, all) => format!("1 of {all} components was proven {lanes}"),
        (passed, all) => format!("{passed} of {all} components were proven {lanes}"),
    };
    let components = split::sentences(trial) + &components;
    let bundle = if trial.verdict.bundle.passed { "is" } else { "was not shown to be" };
    let joint = if (passed == all) == trial.verdict.bundle.passed { "and" } else { "but" };
    let speed =
        format!("{components}, {joint} the whole bundle {bundle} more than {threshold} % faster than base.");
    match losses::locks(trial.plan, trial.verdict).len() {
        0 => speed,
        1 => format!("A loss that was not declared locks the bundle. {speed}"),
        several => format!("{several} losses that were not declared lock the bundle. {speed}"),
    }
}

/// What was not proven of a subject: one line for the lanes that share their reasons.
pub fn unproven(subject: &Subject) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for comparison in subject.lanes.iter().filter(|comparison| !comparison.passed) {
        let said = reasons::reasons(comparison, subject.bar, reasons::NAMED).join("; ");
        match found.iter_mut().find(|(known, _)| *known == said) {
            Some((_, lanes)) => lanes.push(&comparison.lane),
            None => found.push((said, vec![&comparison.lane])),
        }
    }
    let line =
        |(said, lanes): (String, Vec<&str>)| format!("{} on {}: {said}.", subject.name, words::lanes(&lanes));
    found.into_iter().map(line).collect()
}

fn group(trial: &Trial, subject: &Subject, axis: &Axis) -> Result<Group, ReportError> {
    Ok(Group {
        name: subject.name.to_owned(),
        number: subject.number,
        whole: subject.whole,
        lanes: subject.lanes.iter().map(|lane| row(trial, subject, lane, axis)).collect::<Result<_, _>>()?,
    })
}

fn row(
    trial: &Trial,
    subject: &Subject,
    comparison: &Comparison,
    axis: &Axis,
) -> Result<LaneRow, ReportError> {
    let lane = trial.plan.lanes.iter().find(|lane| lane.name == comparison.lane);
    Ok(LaneRow {
        lane: comparison.lane.clone(),
        build: lane.and_then(|lane| qualified::build(trial.plan, lane)).map(str::to_owned),
        passed: comparison.passed,
        gain: words::signed(comparison.median),
        interval: words::interval(comparison.interval),
        speedup: format!("{} %", words::signed(words::speedup(comparison.median))),
        speedup_interval: words::speedup_interval(comparison.interval),
        plot: mini(subject, comparison, axis)?,
        positive: format!("{} of {RUNS}", comparison.positive),
        positive_enough: !reasons::not_enough(comparison),
        deviation: format!("{:.2}", comparison.largest_deviation),
        deviation_allowed: !reasons::scattered(comparison),
        why: reasons::why_not(comparison),
    })
}

const MINI: (u32, u32) = (220, 26);

/// Interval and median beside the numbers, all rows on one axis.
fn mini(subject: &Subject, comparison: &Comparison, x: &Axis) -> Result<Chart, ReportError> {
    let role = if comparison.passed { Role::Pass } else { Role::Fail };
    let label =
        format!("median {} {}", words::signed(comparison.median), words::interval(comparison.interval));
    let middle = MINI.1 as i32 / 2;
    chart(MINI, &label, |pen| {
        pen.line(&[(x.at(0.0), 0), (x.at(0.0), MINI.1 as i32)], Role::Zero, 1)?;
        if subject.bar > 0.0 {
            pen.line(&[(x.at(subject.bar), 3), (x.at(subject.bar), MINI.1 as i32 - 3)], Role::Fail, 2)?;
        }
        pen.line(&[(x.at(comparison.interval.0), middle), (x.at(comparison.interval.1), middle)], role, 3)?;
        if comparison.passed {
            pen.dot((x.at(comparison.median), middle), 4, role, Fill::Solid)
        } else {
            pen.judged((x.at(comparison.median), middle), false)
        }
    })
}
