//! The plots of a trial as files of their own, by name.

use protocol::verdict::Comparison;

use crate::chart::Chart;
use crate::cumulative::cumulative;
use crate::forest::{Row, forest};
use crate::keys::{self, Key};
use crate::lanes::lanes;
use crate::runs::runs;
use crate::standalone::standalone;
use crate::strips::strips;
use crate::trial::{ReportError, Subject, Trial};
use crate::{evidence, words};

/// A plot as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// What it is of its kind: `forest`, `strips`.
    pub kind: &'static str,
    /// Its name, unique in the trial: the kind, where there are several with what they are of (`strips-prefetch-main`).
    pub name: String,
    /// The file's content.
    pub svg: String,
}

/// Every plot of the trial: what it gains, its components on their lanes, its noise floor, its draws.
///
/// # Errors
/// When the parts are not of one trial, or the plotting library fails.
pub fn plots(trial: &Trial) -> Result<Vec<Plot>, ReportError> {
    trial.check()?;
    let subjects = trial.subjects();
    let bundle = &trial.plan.bundle;
    let mut plots = Plots::default();
    let rows: Vec<Row> = subjects.iter().flat_map(Row::of).collect();
    let gains = forest("Gains of all components and of the whole bundle", &rows)?;
    plots.add("forest", &[], &gains, &format!("{bundle}: gains with their 93 % intervals"), &keys::FOREST);
    if let Some(beside) = lanes(trial)? {
        plots.add("lanes", &[], &beside, &format!("{bundle}: gains lane by lane"), &keys::FOREST);
    }
    let floor = evidence::noise_floor(trial)?;
    plots.add("noise", &[], &floor, &format!("{bundle}: noise floor and gains"), &keys::FLOOR);
    for subject in &subjects {
        for comparison in subject.lanes {
            of_lane(&mut plots, subject, comparison)?;
        }
    }
    if let Some((_, quarters)) = evidence::line_phases(trial)? {
        let title = format!("{bundle}: where in a cache line functions start");
        plots.add("lines", &[], &quarters, &title, &keys::QUARTERS);
    }
    for (kind, caption, histogram) in evidence::offsets(trial)? {
        plots.add(kind, &[], &histogram, &format!("{bundle}: {}", words::lower(&caption)), &[]);
    }
    Ok(plots.0)
}

fn of_lane(plots: &mut Plots, subject: &Subject, comparison: &Comparison) -> Result<(), ReportError> {
    let of = [subject.name, comparison.lane.as_str()];
    let place = format!("{} on lane {}", subject.name, comparison.lane);
    let phases: &[Key] = if subject.whole { &keys::WHOLE_STRIPS } else { &keys::STRIPS };
    let drawn = strips(subject, comparison)?;
    plots.add("strips", &of, &drawn, &format!("{place}: phase values by run"), phases);
    let drawn = runs(subject, comparison)?;
    plots.add("runs", &of, &drawn, &format!("{place}: run values"), &keys::RUNS);
    let drawn = cumulative(subject, comparison)?;
    plots.add("cumulative", &of, &drawn, &format!("{place}: cumulative mean"), &keys::CUMULATIVE);
    Ok(())
}

#[derive(Default)]
struct Plots(Vec<Plot>);

impl Plots {
    fn add(&mut self, kind: &'static str, of: &[&str], chart: &Chart, title: &str, keys: &[Key]) {
        let parts: Vec<String> = [kind].iter().chain(of).map(|part| plain(part)).collect();
        let base = parts.join("-");
        let taken = |name: &str| self.0.iter().any(|plot| plot.name == name);
        let mut numbered = (2..).map(|number| format!("{base}-{number}"));
        let name = if taken(&base) { numbered.find(|name| !taken(name)).unwrap_or(base) } else { base };
        self.0.push(Plot { kind, name, svg: standalone(chart, title, keys) });
    }
}

/// A name as file names have it everywhere: small letters and digits, with hyphens between.
fn plain(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    match words.collect::<Vec<_>>().join("-") {
        plain if plain.is_empty() => "unnamed".to_owned(),
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_for_files_and_never_meet() {
        assert_eq!(plain("Eval cache/α 2"), "eval-cache-2");
        assert_eq!(plain("../.."), "unnamed");
        let mut plots = Plots::default();
        let chart = crate::chart::chart((10, 10), "nothing", |_| Ok(())).unwrap();
        for name in ["a b", "a-b", "a_b"] {
            plots.add("runs", &[name, "main"], &chart, name, &[]);
        }
        let names: Vec<&str> = plots.0.iter().map(|plot| plot.name.as_str()).collect();
        assert_eq!(names, ["runs-a-b-main", "runs-a-b-main-2", "runs-a-b-main-3"]);
    }
}
