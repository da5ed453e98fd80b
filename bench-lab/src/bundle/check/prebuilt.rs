//! Executables that are there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::Spanned;

use super::super::{Prebuilt, elf, schema};
use super::Checker;

impl Checker<'_> {
    /// `executables`: by component, those that the components name.
    pub(super) fn prebuilt(
        &mut self,
        written: &Spanned<schema::Build>,
        executables: &BTreeMap<String, Spanned<String>>,
    ) -> Option<Prebuilt> {
        let build = written.get_ref();
        let mut without = executables.clone();
        for (name, path) in build.without.iter().flat_map(|without| without.get_ref()) {
            if !executables.contains_key(name.get_ref()) {
                let known: Vec<&String> = executables.keys().collect();
                let problem = self.source.at(name.span(), "no component that is switched by an executable");
                let problem = problem.found(format!("`{}`", name.get_ref()));
                self.problems.push(problem.one_of(name.get_ref(), &known));
            }
            without.insert(name.get_ref().clone(), path.clone());
        }
        let (base, full) = match (&build.executable, &build.base, &build.full, executables.is_empty()) {
            (Some(one), None, None, true) => {
                let one = self.executable(one);
                (one.clone(), one)
            }
            (None, Some(base), Some(full), false) => (self.executable(base), self.executable(full)),
            (one, base, full, only_options) => {
                let given = [("executable", one), ("base", base), ("full", full)];
                let given = given.into_iter().filter(|(_, path)| path.is_some());
                let given: Vec<String> = given.map(|(key, _)| format!("`{key}`")).collect();
                let found = if given.is_empty() { "none".to_string() } else { given.join(", ") };
                let expected = match only_options {
                    true => "`executable` alone: all components are switched by options",
                    false => "`base` and `full`: components are switched by executables",
                };
                self.complain(written.span(), "not the executables that the arms need", found, expected);
                (None, None)
            }
        };
        let only_one = without.len() == 1 && self.problems.is_empty();
        let mut without: Vec<_> = without.into_iter().collect();
        without.sort_by_key(|(_, path)| path.span().start);
        let mut paths = BTreeMap::new();
        let mut seen: Vec<(PathBuf, usize)> = Vec::new();
        for (name, path) in without {
            let Some(file) = self.executable(&path) else { continue };
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == file) {
                let found = format!("`{}`, as in line {}", path.get_ref(), self.line_of(*first));
                self.complain(path.span(), "a component's executable stands twice", found, "each once");
            } else if full.as_ref() == Some(&file) {
                let found = format!("`{}`, the `full` of the build", path.get_ref());
                let expected = "an executable that lacks the component";
                self.complain(path.span(), "the component is in its executable", found, expected);
            }
            seen.push((file.clone(), path.span().start));
            if only_one && base.as_ref().is_some_and(|base| *base != file) {
                let found = format!("`{}` beside another `base`", path.get_ref());
                let expected = "the file of `base`: it lacks the only component too";
                self.complain(path.span(), "two executables for the same thing", found, expected);
            }
            paths.insert(name, file);
        }
        Some(Prebuilt { base: base?, full: full?, without: paths })
    }

    /// An executable for this machine.
    fn executable(&mut self, path: &Spanned<String>) -> Option<PathBuf> {
        let file = self.path(path.get_ref());
        if let Some((found, expected)) = elf::complaint(&file) {
            self.complain(path.span(), "not an executable that can be measured", found, expected);
            return None;
        }
        file.canonicalize().ok()
    }
}
