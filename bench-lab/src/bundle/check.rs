//! From what is written to a [`Bundle`]: every check, every problem told.

mod builds;
mod command;
mod components;
mod diagnostics;
mod kind;
mod lanes;
mod layout;
mod losses;
mod prebuilt;
mod search;
mod switches;
mod twice;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::problem::{BadBundle, Problem, Source};
use super::{Bundle, Work, schema};

/// Checks a whole bundle.
pub fn check(source: &Source, file: schema::File) -> Result<Bundle, BadBundle> {
    let file = schema::BuildFile::from(file);
    let mut checker = Checker { source, problems: Vec::new() };
    checker.some_component(&file.component);
    checker.check(&file)
}

/// Checks a bundle that needs nothing but its builds: the lab has a workload of its own.
pub fn check_build(source: &Source, file: &schema::BuildFile) -> Result<Bundle, BadBundle> {
    Checker { source, problems: Vec::new() }.check(file)
}

impl Checker<'_> {
    fn check(mut self, file: &schema::BuildFile) -> Result<Bundle, BadBundle> {
        if let Some(name) = &file.name {
            self.name(name);
        }
        self.component_names(&file.component);
        let common = self.common(&file.build);
        let components = common
            .as_ref()
            .map_or_else(Vec::new, |common| self.components(&file.component, &file.lane, common));
        let workload = match &file.workload {
            Some(workload) => self.workload(workload),
            None => self.keep(Work::built_in()),
        };
        let identity = self.identity(file.identity.as_ref(), &components);
        let mut lanes = self.lanes(&file.lane, &components);
        let (builds, of_lanes) = common.as_ref().map_or_else(Default::default, |common| {
            let named = file.component.iter().map(Spanned::get_ref);
            let executables = named.filter_map(|c| Some((c.name.get_ref().clone(), c.executable.clone()?)));
            self.builds(common, &file.lane, &components, &executables.collect())
        });
        lanes.iter_mut().zip(of_lanes).for_each(|(lane, set)| lane.build = set);
        let measure = self.measure(&file.measure, &file.lane);
        let layout = self.layout(&file.layout, common.as_ref().map(|common| common.kind));
        let tolerance = self.tolerance(&file.tolerance);
        let diagnostics = self.diagnostics(file.diagnostics.as_ref(), &file.component);
        match (workload, identity) {
            (Some(workload), Some(identity)) if self.problems.is_empty() => Ok(Bundle {
                file: self.source.path.clone(),
                sha256: Bundle::hash(self.source),
                name: file.name.as_ref().map_or_else(|| "builds".to_owned(), |name| name.get_ref().clone()),
                builds,
                components,
                workload,
                identity,
                lanes,
                measure,
                layout,
                tolerance,
                diagnostics,
                profile_guided: file.build.get_ref().profile_guided.as_ref().map(|said| *said.get_ref()),
            }),
            _ => Err(BadBundle(self.problems)),
        }
    }
}

/// Longest name: names are put together to names of files.
const LONGEST_NAME: usize = 64;

struct Checker<'a> {
    source: &'a Source,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn complain(&mut self, span: Range<usize>, what: &str, found: String, expected: &str) {
        self.problems.push(self.source.at(span, what).found(found).expected(expected));
    }

    /// Runs a fallible step, keeping its problem.
    fn keep<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.problems.push(problem)).ok()
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.source.path.parent().unwrap_or(Path::new("")).join(relative)
    }

    fn name(&mut self, name: &Spanned<String>) {
        let good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let text = name.get_ref();
        if text.is_empty() || text.starts_with(['.', '-']) || !text.chars().all(good) {
            let expected = "letters, digits, `-`, `_` and `.`, beginning with a letter or digit";
            self.complain(name.span(), "not a name", format!("{text:?}"), expected);
        } else if text.len() > LONGEST_NAME {
            let (found, expected) = (format!("{} characters", text.len()), format!("at most {LONGEST_NAME}"));
            self.complain(name.span(), "the name is too long", found, &expected);
        }
    }

    /// Complains of every name that stands a second time.
    fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Spanned<String>>) {
        self.unique_by(what, names, str::to_owned);
    }

    /// Complains of every name whose `key` is that of one before.
    fn unique_by<'n>(
        &mut self,
        what: &str,
        names: impl Iterator<Item = &'n Spanned<String>>,
        key: impl Fn(&str) -> String,
    ) {
        let mut seen: HashMap<String, Range<usize>> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(key(name.get_ref()), name.span()) {
                let found = format!("`{}`, as in line {}", name.get_ref(), self.line_of(first.start));
                self.complain(name.span(), &format!("{what} stands twice"), found, "each once");
            }
        }
    }

    /// The line of a place, from 1.
    fn line_of(&self, at: usize) -> usize {
        self.source.text[..at].matches('\n').count() + 1
    }
}
