//! What the command line and the bundle say: the two sides, the workload, core, options and trees.

use std::path::Path;

use layouts::parts::{Part, Parts};
use protocol::plan::{self, IdentityLevel};

use super::Arguments;
use super::side::{self, Drawing, Named, Origin, Source};
use crate::builds::Shop;
use crate::bundle::problem::{Problem, Source as Text};
use crate::bundle::{Arm, BadBundle, Bundle, DEFAULT_LANE, Identity, Lane, Work, git, positions};
use crate::commands::layout::arm;
use crate::commands::{Failure, given};
use crate::lanes;
use crate::measure::cores;
use crate::subject::ArmSet;

/// How far trees are compared where nobody says it.
const LEVEL: IdentityLevel = IdentityLevel { positions: 64, nodes: 50_000 };
/// Length of a slot without a bundle.
const SLICE_US: u64 = 5_000;
/// Fresh processes of each in a phase without a bundle.
const PROCESSES: usize = 4;
/// The files as they are.
const AS_IT_IS: &str = ".";

/// Everything that is said, checked.
pub struct Inputs {
    /// The bundle or the build file.
    pub bundle: Option<Bundle>,
    /// Which of its build sets.
    build: usize,
    /// A and B.
    pub sides: [Named; 2],
    /// The lane as results state it.
    pub planned: plan::Lane,
    /// The lane as processes are driven on it.
    pub driven: plan::Lane,
    /// What is searched.
    pub positions: Vec<String>,
    /// Nodes on each; none: to be found.
    pub nodes: Option<u64>,
    /// Length of a slot.
    pub slice_us: u64,
    /// Fresh processes of each in a phase.
    pub processes: usize,
    /// Positions of the same-tree check.
    pub suite: Vec<String>,
    /// How many of them, how far.
    pub levels: Vec<IdentityLevel>,
    /// Arguments for the bench.
    pub bench: Vec<String>,
    parts: Parts,
}

impl Inputs {
    /// Reads bundle and positions, and finds out what A and B are.
    pub fn of(arguments: &Arguments) -> Result<Inputs, Failure> {
        let core = arguments.core.or_else(last_core).unwrap_or(0);
        let bundle = arguments.bundle.as_ref().map(|file| Bundle::read_build(file, core)).transpose()?;
        let mut lane = match &bundle {
            Some(bundle) => arm::lane(bundle, arguments.of.lane.as_deref())?.clone(),
            None => plain_lane(core),
        };
        let build = std::mem::take(&mut lane.build);
        lane.core = arguments.core.unwrap_or(lane.core);
        lanes::set(&mut lane, &arguments.options)?;
        lanes::set(&mut lane, &net(arguments))?;
        if !cores::room(lane.core).map_err(anyhow::Error::from)?.arms {
            let message = format!("core {} is not among those that this process may use", lane.core);
            return Err(Failure::Usage(format!("{message}: name another one with --core")));
        }
        let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else {
            return Err(Failure::Usage("two things to compare are wanted: A and B".to_owned()));
        };
        let named = |name: &str| named(name, arguments, bundle.as_ref(), build);
        let mut sides = [named(a)?, named(b)?];
        if sides[0].name == sides[1].name {
            // Faults and differences must tell them apart.
            for (side, letter) in sides.iter_mut().zip(['A', 'B']) {
                side.name = format!("{} ({letter})", side.name);
            }
        }
        let planned = lanes::planned(&lane)?;
        let driven = lanes::driven(&lane, &planned)?;
        let (positions, nodes) = workload(arguments, bundle.as_ref())?;
        let identity = bundle.as_ref().map(|bundle| &bundle.identity);
        let (suite, levels) = trees(arguments.full_tree, identity)?;
        let bench = identity.map_or_else(|| vec!["bench".to_owned()], |identity| identity.bench.clone());
        let all = bundle.as_ref().map_or(Parts::all(), |bundle| bundle.layout.parts);
        let measure = bundle.as_ref().map(|bundle| bundle.measure);
        Ok(Inputs {
            build,
            sides,
            planned,
            driven,
            positions,
            nodes,
            slice_us: measure.map_or(SLICE_US, |measure| measure.slice_us),
            processes: arguments.processes.or(measure.map(|measure| measure.processes)).unwrap_or(PROCESSES),
            suite,
            levels,
            bench: if arguments.no_bench { Vec::new() } else { bench },
            parts: arguments.without.iter().fold(all, |parts, &part| parts.without(part)),
            bundle,
        })
    }

    /// What is compared, in words.
    pub fn told(&self) -> String {
        let [a, b] = &self.sides;
        format!("{} compared with {}", b.name, a.name)
    }

    /// The bundle's own seed.
    pub fn seed(&self) -> Option<u64> {
        self.bundle.as_ref().and_then(|bundle| bundle.layout.seed)
    }

    /// Builds or opens both.
    pub fn open(&self, shop: &Shop<'_>) -> Result<ArmSet, Failure> {
        let origin = self.bundle.as_ref().map(|bundle| Origin { bundle, set: &bundle.builds[self.build] });
        let tables = self.bundle.as_ref().and_then(|bundle| bundle.layout.tables.clone());
        let tables = tables.filter(|_| self.parts.contains(Part::Tables));
        side::open(&self.sides, origin.as_ref(), Drawing { parts: self.parts, tables }, shop)
    }
}

fn plain_lane(core: usize) -> Lane {
    Lane {
        name: DEFAULT_LANE.to_owned(),
        core,
        options: Default::default(),
        files: Default::default(),
        build: 0,
    }
}

/// The last core that this process may use: the first has more of the system's own work on many machines.
fn last_core() -> Option<usize> {
    cores::usable().pop()
}

fn net(arguments: &Arguments) -> Vec<(String, String)> {
    arguments.net.iter().map(|file| ("EvalFile".to_owned(), file.clone())).collect()
}

/// An arm of the bundle, the files as they are, a file, or a commit; the first that fits.
fn named(name: &str, arguments: &Arguments, bundle: Option<&Bundle>, build: usize) -> Result<Named, Failure> {
    let told = |source| Named { name: name.to_owned(), source };
    let file = Path::new(name);
    let Some(bundle) = bundle else {
        if !file.is_file() {
            let hint =
                "give two executables or captures; commits need --bundle, which says how they are built";
            return Err(Failure::Usage(format!("{name} is no file: {hint}")));
        }
        given::program(file)?;
        return Ok(told(Source::File(file.to_owned())));
    };
    let of_commits: Arm = arm::find(bundle, &arguments.of.arm)?;
    if let Ok(own) = arm::find(bundle, name) {
        return Ok(told(Source::Arm(own)));
    }
    if name == AS_IT_IS {
        return Ok(told(Source::Commit { arm: of_commits, commit: None }));
    }
    let program = file.is_file().then(|| given::program(file));
    if let Some(Ok(())) = program {
        return Ok(told(Source::File(file.to_owned())));
    }
    let commit = bundle.builds[build].source().map(|tree| (tree, git::commit(tree, name)));
    match (commit, program) {
        (Some((_, Ok(commit))), _) => Ok(told(Source::Commit { arm: of_commits, commit: Some(commit) })),
        (_, Some(Err(no_program))) => Err(no_program),
        (Some((tree, Err(said))), _) => Err(unknown(name, bundle, Some((tree, &said)))),
        (None, _) => Err(unknown(name, bundle, None)),
    }
}

/// Nothing has this name; `source`: where the bundle's source is, and what git says of the name.
fn unknown(name: &str, bundle: &Bundle, source: Option<(&Path, &str)>) -> Failure {
    let arms: Vec<String> = bundle.arms().into_iter().map(|arm| arm.name).collect();
    let an_arm = format!("an arm ({})", arms.join(", "));
    let (what, found, expected, known) = match source {
        Some((tree, said)) => (
            "no arm, file or commit",
            format!(
                "nothing of that name in {}{}{said}",
                tree.display(),
                if said.is_empty() { "" } else { ": " }
            ),
            format!("{an_arm}, `.`, a file, or a branch, tag or commit"),
            [arms, git::references(tree)].concat(),
        ),
        None => (
            "no arm or file",
            "builds of kind `prebuilt`, which have no commits".to_owned(),
            format!("{an_arm}, or a file"),
            arms,
        ),
    };
    let problem = Problem::whole(&bundle.file, format!("{what} `{name}`")).found(found);
    BadBundle::from(problem.expected(expected).nearest(name, &known)).into()
}

/// Positions, and nodes if they are said.
fn workload(arguments: &Arguments, bundle: Option<&Bundle>) -> Result<(Vec<String>, Option<u64>), Failure> {
    if let Some(file) = &arguments.positions {
        let source = Text::read(file).map_err(BadBundle::from)?;
        return Ok((positions::read(&source).map_err(BadBundle)?, arguments.nodes));
    }
    match bundle.map(|bundle| &bundle.workload).filter(|work| !work.is_built_in()) {
        Some(work) => Ok((work.positions.clone(), arguments.nodes.or(Some(work.nodes)))),
        None => Ok((Work::built_in().map_err(BadBundle::from)?.positions, arguments.nodes)),
    }
}

/// The suite and how far it goes: as a trial's, as the bundle says, or far enough for every day.
fn trees(is_full: bool, written: Option<&Identity>) -> Result<(Vec<String>, Vec<IdentityLevel>), Failure> {
    let suite = match written {
        Some(identity) => identity.suite.clone(),
        None => Identity::built_in_suite().map_err(BadBundle::from)?,
    };
    let full = Identity::full_levels();
    let levels = match written {
        Some(identity) if is_full || identity.levels != full => identity.levels.clone(),
        None if is_full => full,
        _ => vec![IdentityLevel { positions: LEVEL.positions.min(suite.len()), nodes: LEVEL.nodes }],
    };
    Ok((suite, levels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_compared_as_far_as_is_said() {
        let level = |positions, nodes| IdentityLevel { positions, nodes };
        let suite = || vec!["position".to_owned(); 300];
        let written = |levels| Identity { suite: suite(), levels, paths: Vec::new(), bench: Vec::new() };
        let of = |is_full, identity: Option<&Identity>| trees(is_full, identity).expect("levels").1;
        let (small, full) = (written(vec![level(4, 100)]), written(Identity::full_levels()));
        assert_eq!(of(false, Some(&small)), small.levels);
        assert_eq!(of(true, Some(&small)), small.levels);
        assert_eq!(of(false, Some(&full)), [LEVEL]);
        assert_eq!(of(true, Some(&full)), full.levels);
        assert_eq!(of(false, None), [LEVEL]);
        assert_eq!(of(true, None), full.levels);
    }
}
