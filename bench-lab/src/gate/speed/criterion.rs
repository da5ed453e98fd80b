//! Benchmarks that criterion has measured: `cargo bench` on the base, then on the head, on one machine.
//!
//! Criterion keeps the files of two runs: those of the latest in `new`, those of the one before in `base`, or under the
//! names that `--save-baseline` gave them. Each side was measured in the one layout that its build happened to have.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::answer::{Answer, Side, Value};
use super::super::file::{Criterion, LimitSet};
use super::super::limits::Limits;
use super::super::question::Question;
use super::super::row::{Measured, Place, Row, Unit};

/// Folders in each other that are looked into: group, function, value and run are four.
const DEEPEST: usize = 8;

/// `benchmark.json`, as far as it matters.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

/// `estimates.json`, as far as it matters.
#[derive(Deserialize)]
struct Estimates {
    mean: Estimate,
    slope: Option<Estimate>,
}

/// Nanoseconds an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Estimate {
    point_estimate: f64,
    confidence_interval: Interval,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Interval {
    lower_bound: f64,
    upper_bound: f64,
}

/// What the folder holds of one benchmark.
#[derive(Default)]
struct Sides {
    base: Option<Estimate>,
    head: Option<Estimate>,
}

/// One row a benchmark that has limits.
pub fn answer(criterion: &Criterion, limits: &LimitSet) -> anyhow::Result<Answer> {
    let mut benchmarks: BTreeMap<String, Sides> = BTreeMap::new();
    if criterion.folder.is_dir() {
        look(&criterion.folder, DEEPEST, criterion, &mut benchmarks)?;
    }
    // Of benchmarks with limits of their own nothing goes by in silence.
    let wanted: BTreeSet<&String> = benchmarks.keys().chain(limits.own.keys()).collect();
    let mut answer = Answer::default();
    for name in wanted {
        let Some(limits) = limits.of(name) else { continue };
        let sides = benchmarks.get(name);
        let (base, head) = sides.map_or((None, None), |sides| (sides.base, sides.head));
        let values = [(Side::Base, base), (Side::Head, head)];
        let place = Place::new(Question::Speed, name, Unit::Nanoseconds);
        let value = |(side, estimate): (Side, Option<Estimate>)| {
            Some(Value::new(&place, side, 1, estimate?.point_estimate))
        };
        answer.values.extend(values.into_iter().filter_map(value));
        answer.rows.push(row(place, base, head, &limits, criterion));
    }
    if let (true, Some(limits)) = (answer.rows.is_empty(), limits.common) {
        let place = Place::new(Question::Speed, "criterion", Unit::Nanoseconds);
        let note =
            format!("there is no benchmark below {}: `cargo bench` makes them", criterion.folder.display());
        answer.rows.push(Row::cannot_say(place, &limits, note));
    }
    Ok(answer)
}

fn row(
    place: Place,
    base: Option<Estimate>,
    head: Option<Estimate>,
    limits: &Limits,
    criterion: &Criterion,
) -> Row {
    let missing = match (base, head) {
        (Some(base), Some(head)) => {
            return match compared(&base, &head) {
                Some(measured) => Row::judged(place, measured, limits),
                None => Row::cannot_say(place, limits, "criterion's numbers are no times"),
            };
        }
        (None, None) => "it was not measured".to_owned(),
        (None, Some(_)) => format!("it was not measured as `{}`", criterion.base),
        (Some(_), None) => format!("it was not measured as `{}`", criterion.head),
    };
    Row::cannot_say(place, limits, missing)
}

/// The change at least as wide as both intervals allow. Half of its width is what two equal sides could have shown.
fn compared(base: &Estimate, head: &Estimate) -> Option<Measured> {
    let change = |head: f64, base: f64| 100.0 * (head / base - 1.0);
    let (of_base, of_head) = (base.confidence_interval, head.confidence_interval);
    let (low, high) =
        (change(of_head.lower_bound, of_base.upper_bound), change(of_head.upper_bound, of_base.lower_bound));
    let middle = change(head.point_estimate, base.point_estimate);
    let all = [of_base.lower_bound, of_head.lower_bound, low, middle, high];
    if !all.iter().all(|value| value.is_finite()) || of_base.lower_bound <= 0.0 || low > high {
        return None;
    }
    let floor = Some((high - low) / 2.0);
    Some(Measured::noisy(base.point_estimate, head.point_estimate, middle, [low, high], floor))
}

/// Takes up every run of either name below a folder.
fn look(
    folder: &Path,
    deeper: usize,
    criterion: &Criterion,
    found: &mut BTreeMap<String, Sides>,
) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if !path.is_dir() {
            continue;
        }
        let is_run =
            |name: &str| path.file_name().is_some_and(|own| own == name) && path.join(ESTIMATES).is_file();
        let (is_base, is_head) = (is_run(&criterion.base), is_run(&criterion.head));
        if is_base || is_head {
            let Benchmark { full_id } = read(&path.join("benchmark.json"))?;
            let Estimates { mean, slope } = read(&path.join(ESTIMATES))?;
            let sides = found.entry(full_id).or_default();
            let side = if is_base { &mut sides.base } else { &mut sides.head };
            // As criterion itself: the slope where iterations were added step by step.
            *side = Some(slope.unwrap_or(mean));
        } else if deeper > 0 {
            look(&path, deeper - 1, criterion, found)?;
        }
    }
    Ok(())
}

const ESTIMATES: &str = "estimates.json";

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not as criterion writes it", path.display()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Folder {
            Folder(tempfile::tempdir().expect("a folder"))
        }

        fn path(&self) -> PathBuf {
            self.0.path().join("criterion")
        }

        /// A run as criterion leaves it; `half`: of its interval.
        fn run(&self, id: &str, name: &str, time: f64, half: f64, has_slope: bool) {
            let folder = self.path().join(id).join(name);
            fs::create_dir_all(&folder).expect("a folder");
            let estimate = |time: f64| {
                serde_json::json!({
                    "confidence_interval": {
                        "confidence_level": 0.95, "lower_bound": time - half, "upper_bound": time + half
                    },
                    "point_estimate": time,
                    "standard_error": half / 2.0
                })
            };
            let slope = has_slope.then(|| estimate(time));
            let mean = estimate(if has_slope { 7.0 * time } else { time });
            let estimates = serde_json::json!({ "mean": mean, "median": mean, "slope": slope });
            let benchmark =
                serde_json::json!({ "group_id": "g", "full_id": id, "title": id, "throughput": null });
            fs::write(folder.join(ESTIMATES), estimates.to_string()).expect("written");
            fs::write(folder.join("benchmark.json"), benchmark.to_string()).expect("written");
        }

        fn criterion(&self) -> Criterion {
            Criterion { folder: self.path(), base: "base".to_owned(), head: "new".to_owned() }
        }

        fn told(&self, limits: &LimitSet) -> Vec<String> {
            let answer = answer(&self.criterion(), limits).expect("readable");
            let told = |row: &Row| {
                let change = row.change.map_or(String::new(), |change| format!(" {change:+.1} %"));
                format!("{}: {}{change}", row.benchmark, row.state)
            };
            answer.rows.iter().map(told).collect()
        }
    }

    fn hard(limit: f64) -> LimitSet {
        LimitSet { common: Limits::new(None, Some(limit)), own: BTreeMap::new() }
    }

    #[test]
    fn benchmarks_of_two_runs_are_compared() {
        let folder = Folder::new();
        folder.run("head/avx2", "base", 100.0, 0.1, true);
        folder.run("head/avx2", "new", 105.0, 0.1, true);
        folder.run("head/avx2", "change", 0.05, 0.001, false);
        folder.run("head/scalar", "base", 100.0, 0.1, false);
        folder.run("head/scalar", "new", 100.5, 0.1, false);
        folder.run("noisy", "base", 100.0, 5.0, false);
        folder.run("noisy", "new", 100.0, 5.0, false);
        folder.run("added", "new", 100.0, 0.1, false);
        fs::create_dir_all(folder.path().join("report")).expect("a folder");
        assert_eq!(
            folder.told(&hard(2.0)),
            [
                "added: cannot say",
                "head/avx2: lost +5.0 %",
                "head/scalar: held +0.5 %",
                "noisy: cannot say +0.0 %"
            ]
        );
        let answer = answer(&folder.criterion(), &hard(2.0)).expect("readable");
        assert!(answer.rows[0].note.contains("not measured as `base`"), "{}", answer.rows[0].note);
        assert!(answer.rows[3].note.contains("below the noise floor"), "{}", answer.rows[3].note);
        assert_eq!(answer.values.len(), 7);
        assert_eq!(answer.baseline, None);
    }

    #[test]
    fn only_what_has_limits_is_asked_and_that_always() {
        let folder = Folder::new();
        folder.run("one", "base", 100.0, 0.1, true);
        folder.run("one", "new", 100.0, 0.1, true);
        folder.run("other", "new", 100.0, 0.1, true);
        let own = |name: &str| (name.to_owned(), Limits::new(None, Some(2.0)).expect("a limit"));
        let limits = LimitSet { common: None, own: [own("one"), own("gone")].into() };
        assert_eq!(folder.told(&limits), ["gone: cannot say", "one: held +0.0 %"]);
    }

    #[test]
    fn nothing_measured_cannot_be_said() {
        let folder = Folder::new();
        assert_eq!(folder.told(&hard(2.0)), ["criterion: cannot say"]);
        folder.run("odd", "base", 0.0, 0.1, true);
        folder.run("odd", "new", 1.0, 0.1, true);
        assert_eq!(folder.told(&hard(2.0)), ["odd: cannot say"]);
    }

    #[test]
    fn a_file_that_is_not_criterions_is_told() {
        let folder = Folder::new();
        folder.run("one", "new", 100.0, 0.1, true);
        fs::write(folder.path().join("one/new/estimates.json"), "{}").expect("written");
        let error = answer(&folder.criterion(), &hard(2.0)).expect_err("no estimates");
        assert!(
            format!("{error:#}")
                .contains("estimates.json is not as criterion writes it: missing field `mean`")
        );
    }
}
