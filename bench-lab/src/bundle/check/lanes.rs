//! Where and how it is measured: lanes and slots.

use std::collections::BTreeMap;

use toml::Spanned;

use super::super::problem::Problem;
use super::super::{Component, Lane, Measure, Switch, schema};
use super::Checker;
use crate::measure::cores;

/// Longest slice: beyond it, slow spells of the machine hit the arms unequally.
const MAX_SLICE_MS: f64 = 10.0;
/// Shortest slice the lab can cut.
const MIN_SLICE_MS: f64 = 0.5;

impl Checker<'_> {
    pub(super) fn lanes(&mut self, written: &[Spanned<schema::Lane>], components: &[Component]) -> Vec<Lane> {
        if written.is_empty() {
            let problem = Problem::whole(&self.source.path, "no lane");
            let expected = "at least one `[[lane]]` with `name` and `core`";
            self.problems.push(problem.found("nowhere to measure").expected(expected));
        }
        self.unique("a lane's name", written.iter().map(|lane| &lane.get_ref().name));
        written.iter().map(|lane| self.lane(lane.get_ref(), components)).collect()
    }

    fn lane(&mut self, lane: &schema::Lane, components: &[Component]) -> Lane {
        self.name(&lane.name);
        let cores = cores::usable();
        let core = *lane.core.get_ref();
        if !cores.contains(&core) {
            let list: Vec<String> = cores.iter().map(usize::to_string).collect();
            let expected = format!("one of the cores this process may use: {}", list.join(", "));
            self.complain(lane.core.span(), "no such processor core", core.to_string(), &expected);
        }
        let options = self.options(&lane.options, components);
        let mut files = BTreeMap::new();
        for (name, value) in &lane.options {
            let Some(file) = options.get(name.get_ref()).filter(|text| names_file(name.get_ref(), text))
            else {
                continue;
            };
            let path = self.path(file);
            if path.is_file() {
                files.insert(name.get_ref().clone(), path);
            } else {
                let found = format!("no file {}", path.display());
                let expected = "an existing file, relative to the bundle";
                self.complain(value.span(), "the option's file is missing", found, expected);
            }
        }
        Lane { name: lane.name.get_ref().clone(), core, options, files, build: 0 }
    }

    /// UCI options as they are sent; none may be a component's.
    fn options(&mut self, written: &schema::Options, components: &[Component]) -> BTreeMap<String, String> {
        let mut options = BTreeMap::new();
        for (name, value) in written {
            self.option_name(name);
            let Some(text) = self.option_value(value) else { continue };
            let switches = |component: &&Component| matches!(&component.switch, Switch::Option { name: switched, .. } if switched.eq_ignore_ascii_case(name.get_ref()));
            if let Some(component) = components.iter().find(switches) {
                let found = format!("`{}`, which switches component {}", name.get_ref(), component.name);
                let expected = "only options that no component sets";
                self.complain(name.span(), "the option is a component's", found, expected);
            }
            options.insert(name.get_ref().clone(), text);
        }
        options
    }

    /// The further options under which the trees must agree.
    pub(super) fn paths(
        &mut self,
        written: &[Spanned<schema::Options>],
        components: &[Component],
    ) -> Vec<BTreeMap<String, String>> {
        for path in written {
            if path.get_ref().is_empty() {
                let expected = "at least one UCI option, as `{ SIMD = \"scalar\" }`";
                self.complain(path.span(), "a path without options", "nothing".into(), expected);
            }
            for (name, value) in path.get_ref() {
                if value.get_ref().as_str().is_some_and(|text| names_file(name.get_ref(), text)) {
                    let found = format!("`{}`", name.get_ref());
                    let expected = "options that name no file; give another net a lane of its own";
                    self.complain(value.span(), "the path names a file", found, expected);
                }
            }
        }
        written.iter().map(|path| self.options(path.get_ref(), components)).collect()
    }

    /// The name of a UCI option can be sent.
    pub(super) fn option_name(&mut self, name: &Spanned<String>) {
        let text = name.get_ref();
        let words: Vec<&str> = text.split(' ').collect();
        if words.iter().any(|word| word.is_empty() || *word == "value") || text.contains(char::is_control) {
            let expected = "words with one blank between them, none of them `value`";
            self.complain(name.span(), "not the name of a UCI option", format!("{text:?}"), expected);
        }
    }

    /// The value of a UCI option as it is sent.
    pub(super) fn option_value(&mut self, value: &Spanned<toml::Value>) -> Option<String> {
        match value.get_ref() {
            toml::Value::String(text) if text.contains(char::is_control) => {
                let expected = "text without line ends and other control characters";
                self.complain(value.span(), "not the value of a UCI option", format!("{text:?}"), expected);
                None
            }
            toml::Value::String(text) => Some(text.clone()),
            toml::Value::Integer(number) => Some(number.to_string()),
            toml::Value::Boolean(flag) => Some(flag.to_string()),
            other => {
                let (found, expected) =
                    (other.type_str().into(), "a string, a whole number, `true` or `false`");
                self.complain(value.span(), "not the value of a UCI option", found, expected);
                None
            }
        }
    }

    pub(super) fn measure(&mut self, written: &schema::Measure, lanes: &[Spanned<schema::Lane>]) -> Measure {
        self.at_once(written, lanes);
        let slice_ms = written.slice_ms.as_ref().map_or(5.0, |s| *s.get_ref());
        if let Some(slice) = &written.slice_ms
            && !(MIN_SLICE_MS..=MAX_SLICE_MS).contains(&slice_ms)
        {
            let expected = format!("{MIN_SLICE_MS} to {MAX_SLICE_MS} ms");
            self.complain(
                slice.span(),
                "slices of this length are not fair",
                format!("{slice_ms} ms"),
                &expected,
            );
        }
        if let Some(processes) = written.processes.as_ref().filter(|p| !(1..=64).contains(p.get_ref())) {
            let found = processes.get_ref().to_string();
            self.complain(
                processes.span(),
                "not a number of processes",
                found,
                "1 to 64 for every arm and phase",
            );
        }
        if let Some(threshold) = written.threshold.as_ref().filter(|t| !(0.0..=100.0).contains(t.get_ref())) {
            let found = format!("{} %", threshold.get_ref());
            self.complain(threshold.span(), "not a threshold", found, "0 to 100 percent");
        }
        let even = |n: usize| n >= 4 && n.is_multiple_of(2) && n <= 1000;
        if let Some(phases) = written.calibration_phases.as_ref().filter(|p| !even(*p.get_ref())) {
            let expected = "an even number from 4 to 1000: roles are swapped in half of them";
            let found = phases.get_ref().to_string();
            self.complain(phases.span(), "not a number of calibration phases", found, expected);
        }
        Measure {
            processes: written.processes.as_ref().map_or(4, |p| *p.get_ref()),
            slice_us: (slice_ms * 1000.0).round() as u64,
            threshold_percent: written.threshold.as_ref().map_or(1.5, |t| *t.get_ref()),
            calibration_phases: written.calibration_phases.as_ref().map_or(12, |p| *p.get_ref()),
            lanes_at_once: written.lanes_at_once.as_ref().is_some_and(|at_once| *at_once.get_ref()),
        }
    }

    /// Lanes that are measured at once are several, each with a core of its own.
    fn at_once(&mut self, written: &schema::Measure, lanes: &[Spanned<schema::Lane>]) {
        let Some(at_once) = written.lanes_at_once.as_ref().filter(|at_once| *at_once.get_ref()) else {
            return;
        };
        if let [_] = lanes {
            let expected = "two lanes or more, each on a core of its own";
            self.complain(at_once.span(), "nothing can be measured at once", "one lane".into(), expected);
        }
        for (number, lane) in lanes.iter().map(Spanned::get_ref).enumerate() {
            let shares =
                |other: &&Spanned<schema::Lane>| other.get_ref().core.get_ref() == lane.core.get_ref();
            if let Some(other) = lanes[..number].iter().find(shares) {
                let found =
                    format!("core {}, as lane {}", lane.core.get_ref(), other.get_ref().name.get_ref());
                let expected = "a core of its own: `lanes_at_once` measures all lanes at once";
                self.complain(lane.core.span(), "two lanes share a core", found, expected);
            }
        }
    }
}

/// By UCI custom an option whose name ends in `File` holds a path; `<…>` stands for "none".
fn names_file(option: &str, value: &str) -> bool {
    option.to_lowercase().ends_with("file") && !value.is_empty() && !value.starts_with('<')
}
