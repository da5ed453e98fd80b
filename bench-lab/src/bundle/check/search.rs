//! What is searched: the workload and the same-tree proof.

use std::path::{Path, PathBuf};

use protocol::plan::IdentityLevel;
use toml::Spanned;

use super::super::problem::{Problem, Source};
use super::super::{Component, Identity, Work, positions, schema};
use super::Checker;

/// The suite of the same-tree proof, unless the bundle brings its own.
const SUITE: &str = include_str!("../../../../bundles/workloads/identity.epd");
/// The name of the lab's own workload.
const BUILT_IN: &str = "built-in workload";
/// What is searched where nobody says what, and on each how much.
const WORK: (&str, u64) = (include_str!("../../../../bundles/workloads/quick.epd"), 40_000);
/// The levels of the same-tree proof, unless the bundle names smaller ones.
const LEVELS: [IdentityLevel; 2] =
    [IdentityLevel { positions: 256, nodes: 100_000 }, IdentityLevel { positions: 64, nodes: 1_000_000 }];

/// Most nodes on one position: a quarter of an hour at a million a second.
const MOST_NODES: u64 = 1_000_000_000;

impl Work {
    /// A workload that comes with the lab.
    pub fn built_in() -> Result<Work, Problem> {
        let file = PathBuf::from(BUILT_IN);
        Ok(Work { positions: built_in(&file, WORK.0)?, file, nodes: WORK.1 })
    }

    /// Whether it is that one.
    pub fn is_built_in(&self) -> bool {
        self.file == Path::new(BUILT_IN)
    }
}

impl Identity {
    /// The suite that comes with the lab.
    pub fn built_in_suite() -> Result<Vec<String>, Problem> {
        built_in(Path::new("built-in suite"), SUITE)
    }

    /// The levels of a trial that names none.
    pub fn full_levels() -> Vec<IdentityLevel> {
        LEVELS.to_vec()
    }
}

/// Positions that come with the lab.
fn built_in(name: &Path, text: &str) -> Result<Vec<String>, Problem> {
    let source = Source { path: name.to_path_buf(), text: text.to_string() };
    positions::read(&source).map_err(|problems| {
        problems.into_iter().next().unwrap_or_else(|| Problem::whole(name, "no position"))
    })
}

impl Checker<'_> {
    fn nodes(&mut self, number: &Spanned<u64>) {
        let (nodes, expected) = (*number.get_ref(), format!("1 to {MOST_NODES} nodes on each position"));
        if nodes == 0 {
            self.complain(number.span(), "nothing would be searched", "0 nodes".into(), &expected);
        } else if nodes > MOST_NODES {
            self.complain(number.span(), "no search would end", format!("{nodes} nodes"), &expected);
        }
    }

    fn positions(&mut self, file: &Spanned<String>) -> Option<(PathBuf, Vec<String>)> {
        let path = self.path(file.get_ref());
        if !path.is_file() {
            let found = format!("no file {}", path.display());
            self.complain(file.span(), "the positions are missing", found, "a file with one FEN a line");
            return None;
        }
        let source = self.keep(Source::read(&path))?;
        match positions::read(&source) {
            Ok(positions) => Some((path, positions)),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    pub(super) fn workload(&mut self, workload: &schema::Workload) -> Option<Work> {
        self.nodes(&workload.nodes);
        let (file, positions) = self.positions(&workload.positions)?;
        Some(Work { file, positions, nodes: *workload.nodes.get_ref() })
    }

    pub(super) fn identity(
        &mut self,
        written: Option<&Spanned<schema::Identity>>,
        components: &[Component],
    ) -> Option<Identity> {
        let paths = written.map_or(&[][..], |w| w.get_ref().paths.as_slice());
        let paths = self.paths(paths, components);
        let span = written.map_or(0..0, Spanned::span);
        let suite = match written.and_then(|w| w.get_ref().suite.as_ref()) {
            Some(file) => self.positions(file)?.1,
            None => self.keep(Identity::built_in_suite())?,
        };
        let levels = match written.map(Spanned::get_ref) {
            None => LEVELS.to_vec(),
            Some(w) => match (&w.positions, &w.nodes, &w.levels) {
                (None, None, None) if suite.len() < LEVELS[0].positions => {
                    let found = format!("{} positions in the suite", suite.len());
                    let expected = "`levels` that it can give, or a suite of 256 positions for the full ones";
                    self.complain(span, "the suite is too small for the full levels", found, expected);
                    return None;
                }
                (None, None, None) => LEVELS.to_vec(),
                (Some(positions), Some(nodes), None) => vec![self.level(positions, nodes, suite.len())],
                (None, None, Some(levels)) => {
                    if levels.get_ref().is_empty() {
                        let expected = "at least one level; leave `levels` out for the full ones";
                        self.complain(
                            levels.span(),
                            "nothing would be compared",
                            "no level".into(),
                            expected,
                        );
                    }
                    let each = levels.get_ref().iter().map(Spanned::get_ref);
                    each.map(|l| self.level(&l.positions, &l.nodes, suite.len())).collect()
                }
                _ => {
                    let found = "a mixture of `positions`, `nodes` and `levels`".into();
                    let expected = "`positions` with `nodes`, or `levels` alone";
                    self.complain(span, "the levels contradict each other", found, expected);
                    return None;
                }
            },
        };
        let bench = written.and_then(|w| w.get_ref().bench.as_ref());
        if let Some(bench) = bench.filter(|bench| bench.get_ref().iter().any(|word| word.contains('\0'))) {
            let expected = "arguments without the character NUL, which no program can be given";
            self.complain(
                bench.span(),
                "not the arguments of a command",
                format!("{:?}", bench.get_ref()),
                expected,
            );
        }
        let bench = bench.map(|bench| bench.get_ref().clone());
        Some(Identity { suite, levels, paths, bench: bench.unwrap_or_else(|| vec!["bench".to_string()]) })
    }

    fn level(&mut self, positions: &Spanned<usize>, nodes: &Spanned<u64>, suite: usize) -> IdentityLevel {
        self.nodes(nodes);
        if !(1..=suite).contains(positions.get_ref()) {
            let found = format!("{} positions", positions.get_ref());
            let expected = format!("1 to {suite}, as many as the suite has");
            self.complain(positions.span(), "the suite can't give so many", found, &expected);
        }
        IdentityLevel { positions: *positions.get_ref(), nodes: *nodes.get_ref() }
    }
}
