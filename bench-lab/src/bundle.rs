//! A bundle: the speed-ups under test and everything its author fixes about the trial.
//!
//! A [`Bundle`] has passed every check that needs neither a build nor a measurement.

mod check;
mod package;
mod positions;
pub mod problem;
mod schema;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use protocol::plan::IdentityLevel;

pub use package::Package;
pub use problem::BadBundle;

/// A checked bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its file, as the user named it.
    pub file: PathBuf,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Name, fit for a folder.
    pub name: String,
    /// Where the arms come from.
    pub package: Package,
    /// Cargo profile of every arm.
    pub profile: String,
    /// Features that are on in every arm, `base` included.
    pub features: Vec<String>,
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
    /// Master seed of the layouts, if the author fixed one.
    pub seed: Option<u64>,
}

/// One speed-up and its switch.
#[derive(Clone, Debug)]
pub struct Component {
    /// Name, unique.
    pub name: String,
    /// The cargo feature that switches it on.
    pub feature: String,
    /// What it may cost.
    pub costs: Vec<String>,
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
}

impl Bundle {
    /// Reads and checks a bundle file.
    pub fn read(file: &Path) -> Result<Bundle, BadBundle> {
        let source = problem::Source::read(file)?;
        let written = schema::parse(&source)?;
        check::check(&source, &written)
    }

    /// Names of the arms with the component features that are on in each: `base`, `full`, then
    /// one `without:<component>` each.
    pub fn arms(&self) -> Vec<(String, Vec<&str>)> {
        let on = |keep: &dyn Fn(&Component) -> bool| {
            self.components.iter().filter(|c| keep(c)).map(|c| c.feature.as_str()).collect()
        };
        let mut arms = vec![("base".to_string(), on(&|_| false)), ("full".to_string(), on(&|_| true))];
        for left_out in &self.components {
            arms.push((format!("without:{}", left_out.name), on(&|c| c.name != left_out.name)));
        }
        arms
    }

    fn hash(source: &problem::Source) -> String {
        protocol::canonical::sha256_hex(source.text.as_bytes())
    }
}
