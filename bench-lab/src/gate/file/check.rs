//! From what is written to a [`GateFile`]: every check, every problem told.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;

use super::schema::{self, Benchmarks};
use super::{Against, Criterion, Engine, GateFile, Instructions, LimitSet, Size, Speed, Tree};
use crate::bundle::BadBundle;
use crate::bundle::positions;
use crate::bundle::problem::{Problem, Source};
use crate::gate::instructions::workload::{Task, Workload};
use crate::gate::limits::Limits;
use crate::gate::size;

/// Where baselines lie, beside the gate file.
const BASELINE: &str = "results/baseline";
/// Starts of each side.
const STARTS: usize = 41;
/// Fewest and most of them: fewer have no interval at 93 %.
const POSSIBLE_STARTS: RangeInclusive<usize> = 9..=1_001;
/// How long a bench, or an answer at the start, may take.
const SECONDS: u64 = 600;
/// The least and the most that can be said instead.
const POSSIBLE_SECONDS: RangeInclusive<u64> = 1..=86_400;
/// Functions of a benchmark that are told.
const FUNCTIONS: usize = 10;
const MOST_FUNCTIONS: usize = 1_000;
/// What is counted where nothing is said: searches, called so, to so many nodes.
const SEARCH: &str = "search";
const NODES: u64 = 10_000;
/// Fifty times slower than usual, more would take hours.
const POSSIBLE_NODES: RangeInclusive<u64> = 1..=100_000_000;
/// No limit is wider: what may double ten times over needs no gate.
const MOST_PERCENT: f64 = 1_000.0;

/// Checks a whole gate file.
pub fn check(source: &Source, file: &schema::File) -> Result<GateFile, BadBundle> {
    let mut checker = Checker { source, problems: Vec::new() };
    let gate = GateFile {
        file: source.path.clone(),
        baseline: checker.path(file.baseline.as_ref().map_or(BASELINE, |folder| folder.get_ref())),
        engine: checker.engine(&file.engine),
        tree: file.tree.as_ref().map(|tree| checker.tree(tree)),
        instructions: file.instructions.as_ref().map(|written| checker.instructions(written)),
        speed: file.speed.as_ref().map(|written| checker.speed(written)),
        size: file.size.as_ref().map(|written| checker.size(written)),
    };
    if gate.questions().is_empty() {
        let problem = Problem::whole(&source.path, "nothing is asked").found("no question");
        let expected = "one of the tables `[tree]`, `[instructions]`, `[speed]` and `[size]`";
        checker.problems.push(problem.expected(expected));
    }
    match checker.problems.is_empty() {
        true => Ok(gate),
        false => Err(BadBundle(checker.problems)),
    }
}

struct Checker<'a> {
    source: &'a Source,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn complain(&mut self, span: Range<usize>, what: &str, found: impl Into<String>, expected: &str) {
        self.problems.push(self.source.at(span, what).found(found.into()).expected(expected));
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.source.path.parent().unwrap_or(Path::new("")).join(relative)
    }

    fn engine(&mut self, written: &Spanned<schema::Engine>) -> Engine {
        let schema::Engine { executable, bundle, options, seconds } = written.get_ref();
        if executable.is_none() && bundle.is_none() {
            let expected = "`executable = …`, or `bundle = …`, which says how the engine is built";
            self.complain(written.span(), "no engine", "neither", expected);
        }
        for path in [executable, bundle].into_iter().flatten().filter(|path| path.get_ref().is_empty()) {
            self.complain(path.span(), "not a file", "an empty path", "the path of a file, beside this one");
        }
        let path = |path: &Option<Spanned<String>>| path.as_ref().map(|path| self.path(path.get_ref()));
        let (executable, bundle) = (path(executable), path(bundle));
        if let Some(seconds) =
            seconds.as_ref().filter(|seconds| !POSSIBLE_SECONDS.contains(seconds.get_ref()))
        {
            let expected = format!("{} to {} seconds", POSSIBLE_SECONDS.start(), POSSIBLE_SECONDS.end());
            self.complain(seconds.span(), "not a time limit", seconds.get_ref().to_string(), &expected);
        }
        let patience = Duration::from_secs(seconds.as_ref().map_or(SECONDS, |seconds| *seconds.get_ref()));
        Engine { executable, bundle, options: self.options(options), patience }
    }

    fn options(
        &mut self,
        written: &BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    ) -> BTreeMap<String, String> {
        let mut options = BTreeMap::new();
        for (name, value) in written {
            let text = match value.get_ref() {
                toml::Value::String(text) if !text.contains(char::is_control) => text.clone(),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(is_on) => is_on.to_string(),
                other => {
                    let expected = "text without control characters, a whole number, `true` or `false`";
                    self.complain(value.span(), "not the value of an option", other.to_string(), expected);
                    continue;
                }
            };
            options.insert(name.get_ref().clone(), text);
        }
        options
    }

    fn tree(&mut self, written: &schema::Tree) -> Tree {
        let bench = written.bench.as_ref().map_or_else(|| vec!["bench".to_owned()], |b| b.get_ref().clone());
        if let Some(written) = written.bench.as_ref().filter(|_| bench.is_empty()) {
            let expected = "the arguments that make the engine print its node count, as `[\"bench\"]`";
            self.complain(written.span(), "no command", "an empty list", expected);
        }
        let against = match &written.against {
            None => vec![Against::Commit, Against::Baseline],
            Some(list) => self.against(list),
        };
        let is_hard = match &written.limit {
            None => true,
            Some(word) => match word.get_ref().as_str() {
                "hard" => true,
                "soft" => false,
                other => {
                    let problem =
                        self.source.at(word.span(), "not a kind of limit").found(format!("{other:?}"));
                    self.problems.push(problem.one_of(other, &["hard", "soft"]));
                    true
                }
            },
        };
        Tree { bench, against, is_hard }
    }

    fn against(&mut self, list: &Spanned<Vec<Spanned<String>>>) -> Vec<Against> {
        if list.get_ref().is_empty() {
            let expected = "`\"commit\"`, `\"baseline\"` or both";
            self.complain(list.span(), "nothing to compare with", "an empty list", expected);
        }
        let mut against = Vec::new();
        for word in list.get_ref() {
            let one = match word.get_ref().as_str() {
                "commit" => Against::Commit,
                "baseline" => Against::Baseline,
                other => {
                    let problem = self.source.at(word.span(), "no such count").found(format!("{other:?}"));
                    self.problems.push(problem.one_of(other, &["commit", "baseline"]));
                    continue;
                }
            };
            match against.contains(&one) {
                true => {
                    self.complain(word.span(), "stands twice", format!("`{}`", word.get_ref()), "each once")
                }
                false => against.push(one),
            }
        }
        against
    }

    fn instructions(&mut self, written: &Spanned<schema::Instructions>) -> Instructions {
        let schema::Instructions { soft, hard, benchmark, command, workload, functions } = written.get_ref();
        if let Some(command) = command.as_ref().filter(|command| command.get_ref().trim().is_empty()) {
            let expected =
                "a command that runs benchmarks of gungraun, as `cargo bench --bench instructions`";
            self.complain(command.span(), "no command", "nothing", expected);
        }
        let limits = self.limits(written.span(), soft, hard, benchmark);
        let mut workloads: BTreeMap<String, Workload> = BTreeMap::new();
        for (name, written) in workload {
            if limits.of(name.get_ref()).is_none() {
                let expected = format!("`soft` or `hard` of all, or `benchmark.{}`", name.get_ref());
                self.complain(name.span(), "work without a limit", name.get_ref().clone(), &expected);
            }
            workloads.extend(self.workload(written).map(|workload| (name.get_ref().clone(), workload)));
        }
        if command.is_none() && workload.is_empty() {
            workloads.insert(SEARCH.to_owned(), Workload::searches(NODES));
        }
        if let Some(most) = functions.as_ref().filter(|most| *most.get_ref() > MOST_FUNCTIONS) {
            let expected = format!("0 to {MOST_FUNCTIONS} functions of each benchmark");
            self.complain(most.span(), "too many functions", most.get_ref().to_string(), &expected);
        }
        Instructions {
            limits,
            command: command.as_ref().map(|command| command.get_ref().clone()),
            workloads,
            functions: functions.as_ref().map_or(FUNCTIONS, |most| *most.get_ref()),
        }
    }

    fn workload(&mut self, written: &Spanned<schema::Workload>) -> Option<Workload> {
        let schema::Workload { arguments, nodes, positions, within } = written.get_ref();
        let before = self.problems.len();
        if let Some(arguments) = arguments.as_ref().filter(|arguments| arguments.get_ref().is_empty()) {
            let expected = "arguments with which the engine does its work and ends, as `[\"bench\"]`";
            self.complain(arguments.span(), "no work", "an empty list", expected);
        }
        if let Some(nodes) = nodes.as_ref().filter(|nodes| !POSSIBLE_NODES.contains(nodes.get_ref())) {
            let expected = format!("{} to {} nodes", POSSIBLE_NODES.start(), POSSIBLE_NODES.end());
            self.complain(nodes.span(), "not a number of nodes", nodes.get_ref().to_string(), &expected);
        }
        if let Some(within) = within.as_ref().filter(|within| within.get_ref().is_empty()) {
            let expected = "the name of a function as callgrind tells it; `*` stands for anything";
            self.complain(within.span(), "no function", "nothing", expected);
        }
        let task = match (arguments, nodes, positions) {
            (Some(arguments), None, None) => Some(Task::Bench(arguments.get_ref().clone())),
            (None, Some(nodes), None) => Some(Workload::searches(*nodes.get_ref()).task),
            (None, Some(nodes), Some(file)) => {
                self.positions(file).map(|positions| Task::Search { positions, nodes: *nodes.get_ref() })
            }
            _ => {
                let given = [
                    ("arguments", arguments.is_some()),
                    ("nodes", nodes.is_some()),
                    ("positions", positions.is_some()),
                ];
                let given: Vec<&str> =
                    given.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
                let found = if given.is_empty() { "nothing".to_owned() } else { given.join(" and ") };
                let expected = "`arguments = […]`, or `nodes = …` with or without `positions = FILE`";
                self.complain(written.span(), "not work that can be done", found, expected);
                None
            }
        };
        let within = within.as_ref().map(|within| within.get_ref().clone());
        task.filter(|_| self.problems.len() == before).map(|task| Workload { task, within })
    }

    fn positions(&mut self, file: &Spanned<String>) -> Option<Vec<String>> {
        let read = Source::read(&self.path(file.get_ref())).map_err(|problem| vec![problem]);
        read.and_then(|source| positions::read(&source))
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    fn speed(&mut self, written: &Spanned<schema::Speed>) -> Speed {
        let schema::Speed { soft, hard, benchmark, criterion } = written.get_ref();
        Speed {
            limits: self.limits(written.span(), soft, hard, benchmark),
            criterion: criterion.as_ref().map(|criterion| self.criterion(criterion)),
        }
    }

    fn criterion(&mut self, written: &schema::Criterion) -> Criterion {
        let schema::Criterion { folder, base, head } = written;
        let name = |name: &Option<Spanned<String>>, usual: &str| {
            name.as_ref().map_or(usual.to_owned(), |name| name.get_ref().clone())
        };
        let criterion = Criterion {
            folder: self.path(folder.get_ref()),
            base: name(base, "base"),
            head: name(head, "new"),
        };
        if let (true, Some(at)) = (criterion.base == criterion.head, head.as_ref().or(base.as_ref())) {
            let found = format!("both are `{}`", criterion.head);
            self.complain(at.span(), "one run is compared with itself", found, "the names of two runs");
        }
        criterion
    }

    fn size(&mut self, written: &Spanned<schema::Size>) -> Size {
        let schema::Size { soft, hard, benchmark, starts } = written.get_ref();
        for name in benchmark.keys().filter(|name| !size::BENCHMARKS.contains(&name.get_ref().as_str())) {
            let problem =
                self.source.at(name.span(), "no such benchmark").found(format!("`{}`", name.get_ref()));
            self.problems.push(problem.one_of(name.get_ref(), &size::BENCHMARKS));
        }
        if let Some(starts) = starts.as_ref().filter(|starts| !POSSIBLE_STARTS.contains(starts.get_ref())) {
            let expected = format!("{} to {} starts", POSSIBLE_STARTS.start(), POSSIBLE_STARTS.end());
            self.complain(starts.span(), "not a number of starts", starts.get_ref().to_string(), &expected);
        }
        Size {
            limits: self.limits(written.span(), soft, hard, benchmark),
            starts: starts.as_ref().map_or(STARTS, |starts| *starts.get_ref()),
        }
    }

    /// The limits of a question, of which there must be some.
    fn limits(
        &mut self,
        table: Range<usize>,
        soft: &Option<Spanned<f64>>,
        hard: &Option<Spanned<f64>>,
        benchmarks: &Benchmarks,
    ) -> LimitSet {
        let common = self.pair(soft, hard, None);
        let own = benchmarks.iter().filter_map(|(name, written)| {
            let schema::Limits { soft, hard } = written.get_ref();
            let limits = self.pair(soft, hard, common);
            if soft.is_none() && hard.is_none() {
                self.complain(written.span(), "no limit", "neither", "`soft = …` or `hard = …`, in percent");
            }
            Some((name.get_ref().clone(), limits?))
        });
        let own: BTreeMap<String, Limits> = own.collect();
        if common.is_none() && benchmarks.is_empty() {
            let expected = "`soft = …` or `hard = …`, in percent, here or of single benchmarks";
            self.complain(table, "no limit", "neither", expected);
        }
        LimitSet { common, own }
    }

    /// A soft and a hard limit, over those that hold for all.
    fn pair(
        &mut self,
        soft: &Option<Spanned<f64>>,
        hard: &Option<Spanned<f64>>,
        common: Option<Limits>,
    ) -> Option<Limits> {
        for limit in [soft, hard].into_iter().flatten() {
            if !(0.0..=MOST_PERCENT).contains(limit.get_ref()) {
                let found = format!("{} %", limit.get_ref());
                self.complain(limit.span(), "not a limit", found, &format!("0 to {MOST_PERCENT} percent"));
            }
        }
        let value = |written: &Option<Spanned<f64>>| written.as_ref().map(|limit| *limit.get_ref());
        let wanted = (
            value(soft).or_else(|| common.and_then(|common| common.soft())),
            value(hard).or_else(|| common.and_then(|common| common.hard())),
        );
        if let ((Some(low), Some(high)), Some(at)) = (wanted, soft.as_ref().or(hard.as_ref()))
            && low > high
        {
            let found = format!("soft {low} %, hard {high} %");
            self.complain(
                at.span(),
                "the soft limit would never warn",
                found,
                "a soft limit below the hard one",
            );
        }
        Limits::new(wanted.0, wanted.1)
    }
}
