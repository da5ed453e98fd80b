//! From what is written to a [`Bundle`]: every check, every problem told.

mod components;
mod lanes;
mod layout;
mod search;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::problem::{BadBundle, Problem, Source};
use super::{Build, BuildSet, Bundle, Cargo, DEFAULT_SET, Package, schema};

/// Checks a whole bundle.
pub fn check(source: &Source, file: &schema::File) -> Result<Bundle, BadBundle> {
    let mut checker = Checker { source, problems: Vec::new() };
    checker.name(&file.name);
    let package = checker.package(&file.build);
    let features = checker.features(&file.build, package.as_ref());
    let components = checker.components(&file.component, &features, package.as_ref());
    let workload = checker.workload(&file.workload);
    let identity = checker.identity(file.identity.as_ref());
    let lanes = checker.lanes(&file.lane, &components);
    let measure = checker.measure(&file.measure);
    let layout = checker.layout(&file.layout);
    match (package, workload, identity) {
        (Some(package), Some(workload), Some(identity)) if checker.problems.is_empty() => Ok(Bundle {
            file: source.path.clone(),
            sha256: Bundle::hash(source),
            name: file.name.get_ref().clone(),
            builds: vec![BuildSet {
                name: DEFAULT_SET.to_string(),
                build: Build::Cargo(Cargo {
                    package,
                    profile: file
                        .build
                        .get_ref()
                        .profile
                        .as_ref()
                        .map_or("release", |p| p.get_ref())
                        .to_string(),
                    features,
                }),
            }],
            components,
            workload,
            identity,
            lanes,
            measure,
            layout,
        }),
        _ => Err(BadBundle(checker.problems)),
    }
}

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
        }
    }

    /// Complains of every name that stands a second time.
    fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Spanned<String>>) {
        let mut seen: HashMap<&str, Range<usize>> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(name.get_ref(), name.span()) {
                let line = self.source.text[..first.start].matches('\n').count() + 1;
                let found = format!("`{}`, as in line {line}", name.get_ref());
                self.complain(name.span(), &format!("{what} stands twice"), found, "each once");
            }
        }
    }

    fn package(&mut self, build: &Spanned<schema::Build>) -> Option<Package> {
        let build = build.get_ref();
        let kind = build.kind.get_ref();
        if kind != "cargo" {
            let problem = self.source.at(build.kind.span(), "unknown kind of build");
            self.problems.push(problem.found(format!("`{kind}`")).one_of(kind, &["cargo"]));
            return None;
        }
        let package = Package::find(self.source, build);
        self.keep(package)
    }
}
