//! What was recorded of an engine: exact counts, one file a question, made to be read in a diff.
//!
//! Whole numbers alone: no rate and no time can stand in it, because those belong to the machine that measured them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::outputs::words::amount;
use super::question::Question;
use super::row::{Measured, Place, Row, Unit};
use crate::bundle::BadBundle;
use crate::bundle::problem::{Problem, Source};
use crate::output::{self, Files};

/// The format of the file.
pub const FORMAT: u32 = 1;

/// How what is recorded is brought up to date.
pub const REMEDY: &str = "`bench-lab gate --update-baseline` records it";

/// The recorded counts of one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`FORMAT`].
    pub format: u32,
    /// The question.
    pub question: Question,
    /// What counts depend on beside the source, as the compiler: where a fact differs, counts are not compared.
    pub facts: BTreeMap<String, String>,
    /// Every benchmark.
    pub benchmarks: BTreeMap<String, Entry>,
}

/// What can be recorded: it is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// Nodes of a search.
    Nodes,
    /// Executed instructions.
    Instructions,
    /// Bytes of a file.
    Bytes,
}

impl From<Count> for Unit {
    fn from(count: Count) -> Unit {
        match count {
            Count::Nodes => Unit::Nodes,
            Count::Instructions => Unit::Instructions,
            Count::Bytes => Unit::Bytes,
        }
    }
}

/// The count of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What is counted.
    pub unit: Count,
    /// The count.
    pub value: u64,
    /// Its parts, as functions, which need not be all of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, u64>,
}

impl Entry {
    /// A count without parts.
    pub fn plain(unit: Count, value: u64) -> Entry {
        Entry { unit, value, parts: BTreeMap::new() }
    }
}

impl Baseline {
    /// Nothing counted yet.
    pub fn new(question: Question) -> Baseline {
        Baseline { format: FORMAT, question, facts: BTreeMap::new(), benchmarks: BTreeMap::new() }
    }

    /// The same counts where both sides are made alike: whatever differs then is the commit's doing.
    pub fn without_facts(&self) -> Baseline {
        Baseline { facts: BTreeMap::new(), ..self.clone() }
    }

    /// The file of a question in a folder.
    pub fn path(folder: &Path, question: Question) -> PathBuf {
        folder.join(format!("{question}.json"))
    }

    /// Reads what was recorded; none where nothing was.
    pub fn read(folder: &Path, question: Question) -> Result<Option<Baseline>, BadBundle> {
        let path = Baseline::path(folder, question);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            _ => Ok(Some(Baseline::parse(&Source::read(&path)?, question)?)),
        }
    }

    fn parse(source: &Source, question: Question) -> Result<Baseline, Problem> {
        const EXPECTED: &str = "a file that `bench-lab gate --update-baseline` has written";
        let read: Baseline = serde_json::from_str(&source.text).map_err(|error| {
            let at = place(&source.text, error.line(), error.column());
            let message = error.to_string();
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            source.at(at, "not a baseline").found(what).expected(EXPECTED)
        })?;
        if read.format != FORMAT {
            let found = format!("format {}", read.format);
            let problem = Problem::whole(&source.path, "a baseline of another version of the lab");
            return Err(problem.found(found).expected(format!("format {FORMAT}; {REMEDY} anew")));
        }
        if read.question != question {
            let problem = Problem::whole(&source.path, "a baseline of another question");
            return Err(problem.found(format!("`{}`", read.question)).expected(format!("`{question}`")));
        }
        Ok(read)
    }

    /// The text of the file: keys in order, one value a line.
    pub fn text(&self) -> anyhow::Result<String> {
        output::json(self)
    }

    /// Writes the file into a folder, which is made if need be: whole, or not at all.
    pub fn write(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let path = Baseline::path(folder, self.question);
        output::make_folder(folder, "name another folder with --baseline")?;
        let mut files = Files::new();
        files.add(&path, self.text()?.as_bytes())?;
        files.finish()?;
        Ok(path)
    }

    /// Compares counts with recorded ones: every benchmark that `limits` knows, of either side.
    ///
    /// What only one side has, and everything when a fact differs, cannot be said: then the difference is not the
    /// commit's.
    pub fn compare(
        now: &Baseline,
        recorded: Option<&Baseline>,
        limits: impl Fn(&str) -> Option<Limits>,
    ) -> Vec<Row> {
        let other = recorded.map_or(Vec::new(), |recorded| now.facts_other_than(recorded));
        let of_recorded = recorded.into_iter().flat_map(|recorded| recorded.benchmarks.keys());
        let names: BTreeSet<&String> = now.benchmarks.keys().chain(of_recorded).collect();
        let rows = names.into_iter().filter_map(|name| {
            let limits = limits(name)?;
            let old = recorded.and_then(|recorded| recorded.benchmarks.get(name));
            Some(now.row(name, old, recorded.is_some(), &other, &limits))
        });
        rows.collect()
    }

    fn row(
        &self,
        name: &str,
        old: Option<&Entry>,
        is_recorded: bool,
        other: &[String],
        limits: &Limits,
    ) -> Row {
        let new = self.benchmarks.get(name);
        let unit = new.or(old).map_or(Unit::Instructions, |entry| entry.unit.into());
        let place = Place::new(self.question, name, unit);
        let (new, old) = match (new, old) {
            (Some(new), Some(old)) => (new, old),
            (Some(new), None) => {
                let what = if is_recorded { "it is not in the baseline" } else { "there is no baseline" };
                return Row::cannot_say(place, limits, format!("{what}: {REMEDY}")).with_head(new.value);
            }
            (None, _) => {
                return Row::cannot_say(
                    place,
                    limits,
                    format!("it is recorded and not measured any more: {REMEDY}"),
                );
            }
        };
        if !other.is_empty() {
            let note = format!("{}: the difference is not the commit's; {REMEDY} anew", other.join(", "));
            let row = Row::cannot_say(place, limits, note).with_head(new.value);
            return Row { base: Some(old.value as f64), ..row };
        }
        match Measured::exact(old.value, new.value) {
            Some(measured) if old.unit == new.unit => Row::judged(place, measured, limits),
            _ => Row::cannot_say(place, limits, "nothing was counted before").with_head(new.value),
        }
    }

    /// What is other than in `old`, one line a fact and a benchmark.
    pub fn changes(&self, old: Option<&Baseline>) -> Vec<String> {
        let mut changes = old.map_or(Vec::new(), |old| self.facts_other_than(old));
        let of_old = old.into_iter().flat_map(|old| old.benchmarks.keys());
        let names: BTreeSet<&String> = self.benchmarks.keys().chain(of_old).collect();
        let told = |entry: Option<&Entry>| {
            entry.map_or("nothing".to_owned(), |entry| amount(entry.value as f64, entry.unit.into()))
        };
        changes.extend(names.into_iter().filter_map(|name| {
            let (now, then) = (self.benchmarks.get(name), old.and_then(|old| old.benchmarks.get(name)));
            let is_same = now.map(|now| (now.unit, now.value)) == then.map(|then| (then.unit, then.value));
            (!is_same).then(|| format!("{name}: {} → {}", told(then), told(now)))
        }));
        changes
    }

    /// Facts that are not as they were, in words.
    fn facts_other_than(&self, recorded: &Baseline) -> Vec<String> {
        let names: BTreeSet<&String> = self.facts.keys().chain(recorded.facts.keys()).collect();
        let told = |fact: Option<&String>| fact.map_or("unknown".to_owned(), |fact| format!("`{fact}`"));
        let differ = names.into_iter().filter_map(|name| {
            let (now, then) = (self.facts.get(name), recorded.facts.get(name));
            (now != then).then(|| format!("{name} was {} and is {}", told(then), told(now)))
        });
        differ.collect()
    }
}

/// The character at a line and a column, both from 1, as the parser tells them: columns are bytes.
fn place(text: &str, line: usize, column: usize) -> Range<usize> {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (before + column.saturating_sub(1)).min(text.len());
    let start = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    start..start + text[start..].chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::super::state::State;
    use super::*;

    fn counts(facts: &[(&str, &str)], benchmarks: &[(&str, u64)]) -> Baseline {
        let mut baseline = Baseline::new(Question::Instructions);
        baseline.facts = facts.iter().map(|(name, fact)| ((*name).to_owned(), (*fact).to_owned())).collect();
        let entry = |value| Entry::plain(Count::Instructions, value);
        baseline.benchmarks =
            benchmarks.iter().map(|&(name, value)| (name.to_owned(), entry(value))).collect();
        baseline
    }

    fn hard(limit: f64) -> impl Fn(&str) -> Option<Limits> {
        move |_| Limits::new(None, Some(limit))
    }

    #[test]
    fn counts_are_compared_name_by_name() {
        let recorded = counts(&[], &[("gone", 5), ("nothing", 0), ("same", 1_000), ("slower", 1_000)]);
        let now = counts(&[], &[("new", 7), ("nothing", 3), ("same", 1_000), ("slower", 1_010)]);
        let rows = Baseline::compare(&now, Some(&recorded), hard(0.3));
        let told: Vec<String> =
            rows.iter().map(|row| format!("{}: {} ({})", row.benchmark, row.state, row.note)).collect();
        assert_eq!(
            told,
            [
                "gone: cannot say (it is recorded and not measured any more: `bench-lab gate --update-baseline` records it)",
                "new: cannot say (it is not in the baseline: `bench-lab gate --update-baseline` records it)",
                "nothing: cannot say (nothing was counted before)",
                "same: held ()",
                "slower: lost ()",
            ]
        );
    }

    #[test]
    fn without_a_baseline_nothing_can_be_said() {
        let rows = Baseline::compare(&counts(&[], &[("one", 7)]), None, hard(0.3));
        assert_eq!((rows[0].state, rows[0].head), (State::CannotSay, Some(7.0)));
        assert!(rows[0].note.starts_with("there is no baseline"), "{}", rows[0].note);
    }

    #[test]
    fn benchmarks_without_limits_are_not_asked() {
        let limits = |name: &str| Limits::new(None, Some(1.0)).filter(|_| name == "one");
        let now = counts(&[], &[("one", 7), ("two", 7)]);
        assert_eq!(Baseline::compare(&now, Some(&now), limits).len(), 1);
    }

    #[test]
    fn another_compiler_is_not_the_commits_doing() {
        let recorded = counts(&[("compiler", "rustc 1.94"), ("path", "avx2")], &[("one", 1_000)]);
        let now = counts(&[("compiler", "rustc 1.95")], &[("one", 2_000)]);
        let rows = Baseline::compare(&now, Some(&recorded), hard(0.3));
        assert_eq!(
            (rows[0].state, rows[0].base, rows[0].head),
            (State::CannotSay, Some(1_000.0), Some(2_000.0))
        );
        assert_eq!(
            rows[0].note,
            "compiler was `rustc 1.94` and is `rustc 1.95`, path was `avx2` and is unknown: the difference is not the \
             commit's; `bench-lab gate --update-baseline` records it anew"
        );
    }

    #[test]
    fn what_an_update_changes_is_told() {
        let old = counts(&[("compiler", "one")], &[("gone", 5), ("less", 2_000), ("same", 1)]);
        let now = counts(&[("compiler", "two")], &[("less", 1_000), ("new", 7), ("same", 1)]);
        let told = now.changes(Some(&old));
        assert_eq!(
            told,
            [
                "compiler was `one` and is `two`",
                "gone: 5 instructions → nothing",
                "less: 2,000 instructions → 1,000 instructions",
                "new: nothing → 7 instructions",
            ]
        );
        assert_eq!(now.changes(Some(&now)), [""; 0]);
        assert_eq!(counts(&[], &[("new", 7)]).changes(None), ["new: nothing → 7 instructions"]);
    }

    #[test]
    fn the_file_is_one_value_a_line_in_order_and_reads_back() {
        let mut baseline = counts(&[("compiler", "rustc 1.95")], &[("b", 2), ("a", 1)]);
        let parts = [("z".to_owned(), 1), ("f".to_owned(), 1)];
        baseline.benchmarks.get_mut("b").expect("b").parts = parts.into();
        insta::assert_snapshot!(baseline.text().expect("text"));
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("results/baseline");
        let path = baseline.write(&inner).expect("written");
        assert_eq!(path, inner.join("instructions.json"));
        assert_eq!(Baseline::read(&inner, Question::Instructions).expect("good"), Some(baseline));
        assert_eq!(Baseline::read(&inner, Question::Size).expect("absent"), None);
    }

    #[test]
    fn a_file_is_replaced_and_never_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = counts(&[], &[("one", 7)]);
        let path = old.write(folder.path()).expect("written");
        // Whoever reads the old file meanwhile has all of it.
        let read = folder.path().join("read");
        fs::hard_link(&path, &read).expect("a second name");
        let new = counts(&[], &[("one", 8)]);
        new.write(folder.path()).expect("written");
        assert_eq!(fs::read_to_string(&read).expect("there"), old.text().expect("text"));
        assert_eq!(fs::read_to_string(&path).expect("there"), new.text().expect("text"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "litter");
    }

    #[test]
    fn without_facts_nothing_keeps_counts_from_being_compared() {
        let base = counts(&[("compiler", "rustc 1.94")], &[("one", 1_000)]);
        let head = counts(&[("compiler", "rustc 1.95")], &[("one", 2_000)]);
        let rows = Baseline::compare(&head.without_facts(), Some(&base.without_facts()), hard(0.3));
        assert_eq!((rows[0].state, rows[0].note.as_str()), (State::Lost, ""));
    }

    #[test]
    fn a_bad_file_is_told_with_its_place() {
        let good = counts(&[], &[("one", 7)]).text().expect("text");
        let source = |text: String| Source { path: "results/baseline/instructions.json".into(), text };
        let told = |text: String| {
            Baseline::parse(&source(text), Question::Instructions).expect_err("bad").to_string()
        };
        let all = [
            told(good.replace("\"value\": 7", "\"value\": 7.5")),
            told(good.replace("\"value\": 7", "\"value\": 7,")),
            told(good.replace("\"unit\": \"instructions\"", "\"unit\": \"nanoseconds\"")),
            told(good.replace("\"format\": 1", "\"format\": 2")),
            told(good.replace("\"question\": \"instructions\"", "\"question\": \"size\"")),
            told(String::new()),
            told("{\"ä".to_owned()),
        ];
        insta::assert_snapshot!(all.join("\n\n"));
    }
}
