//! A bundle: the speed-ups under test and everything its author fixes about the trial.
//!
//! A [`Bundle`] has passed every check that needs neither a build nor a measurement.

mod arms;
mod check;
pub(crate) mod elf;
pub(crate) mod git;
mod package;
pub mod placeholders;
pub(crate) mod positions;
pub mod problem;
pub(crate) mod profile_guided;
pub(crate) mod schema;
mod told;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use layouts::parts::{Part, Parts};
use protocol::losses::Tolerance;
use protocol::plan::{IdentityLevel, TablesOption};

pub use arms::Arm;
pub use package::Package;
pub use problem::BadBundle;

/// Name of the build set that lanes share when none has a build of its own.
pub const DEFAULT_SET: &str = "default";

/// Name of the lane where none is named.
pub const DEFAULT_LANE: &str = "default";

/// A checked bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its file, as the user named it.
    pub file: PathBuf,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Name, fit for a folder.
    pub name: String,
    /// Every different build among the lanes, at least one.
    pub builds: Vec<BuildSet>,
    /// The speed-ups, at least one.
    pub components: Vec<Component>,
    /// What every arm process searches.
    pub workload: Work,
    /// How far the same-tree proof goes.
    pub identity: Identity,
    /// The measuring set-ups, at least one.
    pub lanes: Vec<Lane>,
    /// How slots are cut.
    pub measure: Measure,
    /// What is drawn.
    pub layout: Layout,
    /// How large a loss may be without being declared.
    pub tolerance: Tolerance,
    /// What is measured after the trial.
    pub diagnostics: Option<Diagnostics>,
    /// The author says whether the builds are guided by profiles.
    pub profile_guided: Option<bool>,
}

/// One way to build all arms.
#[derive(Clone, Debug)]
pub struct BuildSet {
    /// Name: that of the first lane that asks for it, or `default`.
    pub name: String,
    /// How every arm is built.
    pub build: Build,
}

/// How every arm is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Build {
    /// By cargo, from a package of the user's.
    Cargo(Cargo),
    /// By commands of the user's, in a private copy of the source tree.
    Command(Command),
    /// Not at all: the executables are there.
    Prebuilt(Prebuilt),
}

/// A build by cargo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cargo {
    /// Where the arms come from.
    pub package: Package,
    /// Cargo profile.
    pub profile: String,
    /// Features that are on in every arm, `base` included.
    pub features: Vec<String>,
    /// The processor that rustc compiles for, if not the common one.
    pub target_cpu: Option<String>,
    /// Variables of cargo's environment.
    pub env: BTreeMap<String, String>,
    /// Set when a component changes the source: then cargo works in a private copy of it.
    pub tree: Option<Tree>,
}

/// A build by commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What is copied.
    pub tree: Tree,
    /// What is run, in this order, each by `sh -c`, placeholders still in it.
    pub commands: Vec<String>,
    /// The executable in the tree, when the commands do not put it at `{out}`.
    pub executable: Option<PathBuf>,
    /// The user's own placeholders.
    pub vars: BTreeMap<String, String>,
    /// Variables of the commands' environment, placeholders still in them.
    pub env: BTreeMap<String, String>,
}

/// Executables that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prebuilt {
    /// Without any component that has an executable of its own.
    pub base: PathBuf,
    /// With all of them.
    pub full: PathBuf,
    /// Without one of them, by the component's name.
    pub without: BTreeMap<String, PathBuf>,
}

/// A source tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Its folder.
    pub folder: PathBuf,
    /// The commit that it is taken from; none: as the files are.
    pub commit: Option<String>,
}

/// One speed-up and its switch.
#[derive(Clone, Debug)]
pub struct Component {
    /// Name, unique.
    pub name: String,
    /// What switches it.
    pub switch: Switch,
    /// What it may cost, as [`protocol::losses::Cost::parse`] reads it.
    pub costs: Vec<String>,
}

/// Components that are removed together after the trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// Every group by the numbers of its components, at least two, ascending.
    pub together: Vec<Vec<usize>>,
    /// Phases of each of the eight runs.
    pub phases: usize,
}

/// What switches a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Switch {
    /// A cargo feature that switches it on.
    Feature(String),
    /// A compiler flag `-D…` with the component, another or none without.
    Define {
        /// What is defined with it.
        on: Option<String>,
        /// What is defined without it.
        off: Option<String>,
    },
    /// A diff of the source.
    Patch(Patch),
    /// The changes between two commits of the source.
    Git {
        /// As the bundle names the newer one.
        reference: String,
        /// Its id.
        commit: String,
        /// Id of the last commit that it has in common with the tree.
        since: String,
        /// The changes as a diff.
        diff: Vec<u8>,
    },
    /// An executable that lacks nothing but it.
    Executable,
    /// A UCI option of one and the same executable.
    Option {
        /// Its name.
        name: String,
        /// Its value with the component.
        on: String,
        /// Its value without.
        off: String,
    },
}

/// What every arm process searches.
#[derive(Clone, Debug)]
pub struct Work {
    /// The file of positions.
    pub file: PathBuf,
    /// Its positions.
    pub positions: Vec<String>,
    /// Nodes searched on each.
    pub nodes: u64,
}

/// How far the same-tree proof goes.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The positions to draw the levels from, in order.
    pub suite: Vec<String>,
    /// Positions and nodes of each level.
    pub levels: Vec<IdentityLevel>,
    /// UCI options, beside a lane's, under which the trees must agree too.
    pub paths: Vec<BTreeMap<String, String>>,
    /// Arguments that make an arm print its bench; none for engines without one.
    pub bench: Vec<String>,
}

/// One measuring set-up.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Name, unique.
    pub name: String,
    /// Processor core of the arms.
    pub core: usize,
    /// UCI options as written.
    pub options: BTreeMap<String, String>,
    /// The options that name a file, with the file itself.
    pub files: BTreeMap<String, PathBuf>,
    /// Index of what is measured here, into [`Bundle::builds`].
    pub build: usize,
}

/// What is drawn, and from which seed.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Master seed, if the author fixed one.
    pub seed: Option<u64>,
    /// The parts that are drawn; the others stay as they are.
    pub parts: Parts,
    /// The UCI option by which arms are told where to put their own tables.
    pub tables: Option<TablesOption>,
}

impl Layout {
    /// The parts that are drawn by linking anew.
    pub const NEEDS_LINK: [Part; 5] = [Part::Order, Part::Padding, Part::Phase, Part::Segments, Part::Heap];
}

/// How slots are cut.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Fresh processes of every arm in a phase.
    pub processes: usize,
    /// Length of a slot.
    pub slice_us: u64,
    /// Gain in percent that the bundle must exceed.
    pub threshold_percent: f64,
    /// Phases of the A/A measurement before the plan.
    pub calibration_phases: usize,
    /// Whether all lanes are measured at once.
    pub lanes_at_once: bool,
}

/// A diff that a component is switched by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The file as the bundle names it.
    pub file: PathBuf,
    /// Its contents.
    pub diff: Vec<u8>,
    /// The tree has it already: it is taken back where the component is off.
    pub in_tree: bool,
}

impl Bundle {
    /// Reads and checks a bundle file.
    pub fn read(file: &Path) -> Result<Bundle, BadBundle> {
        Bundle::of(&problem::Source::read(file)?)
    }

    /// Checks the text of a bundle as if `file` held it.
    pub fn of_text(file: &Path, text: String) -> Result<Bundle, BadBundle> {
        Bundle::of(&problem::Source { path: file.to_path_buf(), text })
    }

    fn of(source: &problem::Source) -> Result<Bundle, BadBundle> {
        check::check(source, schema::parse(source)?)
    }

    /// Reads a file that needs no more than `[build]`: a bundle too. Without a lane it gets one on `core`.
    pub fn read_build(file: &Path, core: usize) -> Result<Bundle, BadBundle> {
        let source = problem::Source::read(file)?;
        let written: schema::BuildFile = schema::parse(&source)?;
        check::check_build(&source, &written.with_lane(DEFAULT_LANE, core))
    }

    fn hash(source: &problem::Source) -> String {
        protocol::canonical::sha256_hex(source.text.as_bytes())
    }
}
