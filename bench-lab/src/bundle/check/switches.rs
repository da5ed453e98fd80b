//! Switches of components: exactly one each, of a sort that fits the builds.

use std::ops::Range;

use toml::Spanned;

use super::super::{Patch, Switch, git, schema};
use super::Checker;
use super::builds::Common;
use crate::hash;

impl Checker<'_> {
    /// The switch of a component.
    pub(super) fn switch(
        &mut self,
        component: &Spanned<schema::Component>,
        common: &Common<'_>,
    ) -> Option<Switch> {
        let written = component.get_ref();
        let given = given(written);
        let fitting = common.kind.switches();
        let [(key, place)] = given.as_slice() else {
            let found = match given.as_slice() {
                [] => format!("component `{}` without a switch", written.name.get_ref()),
                several => {
                    let keys: Vec<&str> = several.iter().map(|(key, _)| *key).collect();
                    format!("`{}`", keys.join("` and `"))
                }
            };
            let expected = format!("exactly one of `{}`", fitting.join("`, `"));
            self.complain(component.span(), "not one switch", found, &expected);
            return None;
        };
        if !fitting.contains(key) {
            let what = format!("no switch for builds of kind `{}`", common.kind.name());
            let problem = self.source.at(place.clone(), what).found(format!("`{key}`"));
            self.problems.push(problem.one_of("", fitting));
            return None;
        }
        if let Some(feature) = &written.feature {
            return Some(Switch::Feature(feature.get_ref().clone()));
        }
        if let Some(define) = &written.define {
            return self.define(define);
        }
        if let Some(patch) = &written.patch {
            return self.patch(patch).map(Switch::Patch);
        }
        if let Some(reference) = &written.git {
            return self.git(reference, common);
        }
        if let Some(option) = &written.option {
            return self.option_switch(option);
        }
        Some(Switch::Executable)
    }

    fn define(&mut self, written: &Spanned<toml::Value>) -> Option<Switch> {
        let (on, off) = match written.get_ref() {
            toml::Value::String(on) => (Some(on.as_str()), None),
            toml::Value::Table(table) => {
                let table = self.strings(written.span(), table, &["on", "off"])?;
                (table[0], table[1])
            }
            other => {
                let expected = "`NAME`, `NAME=VALUE`, or `{ on = …, off = … }` of such";
                self.complain(written.span(), "not a define", other.type_str().into(), expected);
                return None;
            }
        };
        for define in [on, off].into_iter().flatten().filter(|define| !is_define(define)) {
            let expected = "`NAME` or `NAME=VALUE`, without blanks and quotation marks";
            self.complain(written.span(), "not a define", format!("`{define}`"), expected);
        }
        if on == off {
            let found = on.map_or("nothing".to_string(), |on| format!("`{on}` for both"));
            self.complain(
                written.span(),
                "the define switches nothing",
                found,
                "`on`, `off` or both, different",
            );
            return None;
        }
        Some(Switch::Define { on: on.map(str::to_string), off: off.map(str::to_string) })
    }

    fn patch(&mut self, written: &Spanned<toml::Value>) -> Option<Patch> {
        const EXPECTED: &str = "a file, or `{ file = …, in_tree = true }` for one that the tree has already";
        let (file, in_tree) = match written.get_ref() {
            toml::Value::String(file) => (file.as_str(), false),
            toml::Value::Table(table) => {
                let mut table = table.clone();
                let in_tree = match table.remove("in_tree") {
                    None => false,
                    Some(toml::Value::Boolean(in_tree)) => in_tree,
                    Some(other) => {
                        self.complain(
                            written.span(),
                            "`in_tree` is neither `true` nor `false`",
                            other.type_str().into(),
                            EXPECTED,
                        );
                        return None;
                    }
                };
                match self.strings(written.span(), &table, &["file"])?[0] {
                    Some(file) => return self.diff(written.span(), file, in_tree),
                    None => {
                        self.missing(written.span(), "file");
                        return None;
                    }
                }
            }
            other => {
                self.complain(written.span(), "not a patch", other.type_str().into(), EXPECTED);
                return None;
            }
        };
        self.diff(written.span(), file, in_tree)
    }

    fn diff(&mut self, span: Range<usize>, file: &str, in_tree: bool) -> Option<Patch> {
        let path = self.path(file);
        let expected = "a diff as `git diff` and `diff -u` write it, relative to the bundle";
        let diff = match hash::read(&path) {
            Ok((diff, _)) => diff,
            Err(error) => {
                let found = format!("{}: {error}", path.display());
                self.complain(span, "the patch cannot be read", found, expected);
                return None;
            }
        };
        let begins = |line: &[u8]| {
            [&b"@@ "[..], b"diff --git ", b"GIT binary patch"].iter().any(|b| line.starts_with(b))
        };
        if !diff.split(|&byte| byte == b'\n').any(begins) {
            self.complain(span, "not a patch", format!("{} without a hunk", path.display()), expected);
            return None;
        }
        Some(Patch { file: path, diff, in_tree })
    }

    fn git(&mut self, reference: &Spanned<String>, common: &Common<'_>) -> Option<Switch> {
        let tree = common.tree.as_ref()?;
        let commit = self.commit(&tree.folder, reference)?;
        let start = tree.commit.as_deref().unwrap_or("HEAD");
        let changes = git::merge_base(&tree.folder, start, &commit)
            .and_then(|since| Ok((git::diff(&tree.folder, &since, &commit)?, since)));
        let name = reference.get_ref();
        match changes {
            Ok((diff, _)) if diff.is_empty() => {
                let expected = "a commit with changes of its own since it left the tree's history";
                self.complain(reference.span(), "the commit changes nothing", format!("`{name}`"), expected);
                None
            }
            Ok((diff, since)) => Some(Switch::Git { reference: name.clone(), commit, since, diff }),
            Err(said) => {
                let found = format!("`{name}`: {said}");
                let expected = "a commit that shares its history with the tree";
                self.complain(reference.span(), "the changes cannot be told", found, expected);
                None
            }
        }
    }

    fn option_switch(&mut self, option: &Spanned<schema::SwitchOption>) -> Option<Switch> {
        let written = option.get_ref();
        self.option_name(&written.name);
        let (on, off) = (self.option_value(&written.on)?, self.option_value(&written.off)?);
        if means_same(&on, &off) {
            let found = if on == off {
                format!("`{on}` for both")
            } else {
                format!("`{on}` and `{off}`, which mean the same")
            };
            self.complain(option.span(), "the option switches nothing", found, "two different values");
        }
        Some(Switch::Option { name: written.name.get_ref().clone(), on, off })
    }

    /// The strings of a table under these keys; other keys and values are complained of.
    fn strings<'t>(
        &mut self,
        span: Range<usize>,
        table: &'t toml::Table,
        known: &[&str],
    ) -> Option<Vec<Option<&'t str>>> {
        for (key, value) in table {
            if !known.contains(&key.as_str()) {
                let problem = self.source.at(span, "unknown key").found(format!("`{key}`"));
                self.problems.push(problem.one_of(key, known));
                return None;
            }
            if !value.is_str() {
                let found = format!("{} for `{key}`", value.type_str());
                self.complain(span, "wrong kind of value", found, "a string");
                return None;
            }
        }
        Some(known.iter().map(|key| table.get(*key).and_then(toml::Value::as_str)).collect())
    }
}

/// Whether an engine cannot tell two values of an option: equal words, numbers or booleans.
fn means_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    let is_boolean = |text: &str| ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let number = |text: &str| text.parse::<i64>().ok();
    a == b
        || is_boolean(a) && a.eq_ignore_ascii_case(b)
        || number(a).is_some_and(|number_a| number(b) == Some(number_a))
}

/// The switches that are written, with their places.
pub(super) fn given(written: &schema::Component) -> Vec<(&'static str, Range<usize>)> {
    fn at<T>(switch: &Option<Spanned<T>>) -> Option<Range<usize>> {
        switch.as_ref().map(Spanned::span)
    }
    let all = [
        ("feature", at(&written.feature)),
        ("define", at(&written.define)),
        ("patch", at(&written.patch)),
        ("git", at(&written.git)),
        ("option", at(&written.option)),
        ("executable", at(&written.executable)),
    ];
    all.into_iter().filter_map(|(key, place)| Some((key, place?))).collect()
}

/// Whether it can be given behind `-D` without being quoted.
fn is_define(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(word)
        && value.chars().all(|c| word(c) || "+-.:,/%".contains(c))
}
