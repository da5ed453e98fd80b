//! Builds: every arm of a bundle, from source to an executable and the record of its link.

mod bad_link;
mod cargo;
mod command;
pub(crate) mod drive;
mod guard;
pub mod kept;
mod patch;
mod prebuilt;
mod tree;
mod yard;

use std::ffi::OsString;
use std::path::PathBuf;

use thiserror::Error;

pub use bad_link::BadLink;
pub use prebuilt::taken;
pub use yard::Yard;

use crate::Cancel;
use crate::bundle::problem::Problem;
use crate::bundle::{Arm, Build, BuildSet, Bundle, DEFAULT_SET};
use crate::progress::Progress;
use crate::room;

/// One arm as its compiler and linker made it.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its build set.
    pub set: String,
    /// `base`, `full` or `without:<component>`; the first of those that share it.
    pub name: String,
    /// The command that built it, as one would type it in the package's folder.
    pub command: String,
    /// These are the user's own, which have to pass the lab's flags on.
    pub by_command: bool,
    /// The executable.
    pub executable: PathBuf,
    /// The archive of everything that its last link read; none of a prebuilt one.
    pub link: Option<PathBuf>,
    /// A profile of a training run that the build left in its tree.
    pub profile: Option<PathBuf>,
}

/// Why an arm could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The user called it off.
    #[error("interrupted while building")]
    Cancelled,
    /// The compiler's or cargo's own complaint.
    #[error("arm {arm} does not build: `{command}` in {folder} ended with {status}\n\n{output}", folder = .folder.display())]
    Failed {
        /// Which arm.
        arm: String,
        /// What was run.
        command: String,
        /// Where it was run.
        folder: PathBuf,
        /// How it ended.
        status: String,
        /// What it said.
        output: String,
    },
    /// The build left something out.
    #[error("arm {arm} was built by `{command}`, which left no {missing}")]
    Incomplete {
        /// Which arm.
        arm: String,
        /// What was run.
        command: String,
        /// What is not there.
        missing: String,
    },
    /// The linker cannot be stood in for.
    #[error(transparent)]
    Layout(#[from] layouts::Error),
    /// A patch does not go with the source.
    #[error("{0}")]
    Patch(Box<Problem>),
    /// A path that a shell would take apart.
    #[error(
        "the work folder {path} has a blank or another character that a shell takes for itself: set XDG_CACHE_HOME to a plain path",
        path = .path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// What a paused trial needs is gone.
    #[error("what arm {arm} needs to go on is gone: there is no {path}", path = .path.display())]
    Lost {
        /// Which arm.
        arm: String,
        /// What is not there.
        path: PathBuf,
    },
    /// Another lab uses the same folder.
    #[error("{path} is in use by another bench-lab (process {holder}): wait for it or stop it", path = .path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
        /// Process id of the holder.
        holder: String,
    },
    /// A file could not be handled.
    #[error("cannot {action} {path}: {source}{}", room::remedy(action, source, Some(Yard::named_by(path))), path = .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl BuildError {
    fn io(action: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> BuildError {
        move |source| BuildError::Io { action, path: path.to_path_buf(), source: layouts::nameless(source) }
    }
}

/// All arms of one build set.
#[derive(Clone, Debug)]
pub struct BuiltSet {
    /// Its name.
    pub name: String,
    /// What was built, each once.
    pub built: Vec<Built>,
    /// For every arm of [`Bundle::built_arms`] which of them it is.
    pub arms: Vec<usize>,
    /// What a reader of the verdict must know of the builds.
    pub note: Option<String>,
}

/// What all builds work with.
pub struct Shop<'a> {
    /// The work folder.
    pub yard: &'a Yard,
    /// Jobs that a build may run at once; none: as many as it likes.
    pub jobs: Option<usize>,
    /// What the stand-in for the linker runs: the lab itself, with [`crate::commands::link::WORDS`].
    pub linker: &'a [OsString],
    /// Where it is told how far they are.
    pub progress: &'a Progress,
    /// Whether they shall break off.
    pub cancel: &'a Cancel,
}

/// Builds every arm of every build set.
pub fn build(bundle: &Bundle, shop: &Shop<'_>) -> Result<Vec<BuiltSet>, BuildError> {
    let arms = bundle.built_arms();
    let (wanted, places) = wanted(bundle);
    shop.yard.forget_trees(&keys(bundle))?;
    let count = bundle.builds.len() * wanted.len();
    let mut sets = Vec::with_capacity(bundle.builds.len());
    for set in &bundle.builds {
        let mut built = Vec::with_capacity(wanted.len());
        for &arm in &wanted {
            let number = sets.len() * wanted.len() + built.len() + 1;
            let arm = &arms[arm];
            let name = in_set(&set.name, &arm.name);
            shop.progress.step(&format!("building arm {number} of {count}: {name}"));
            built.push(one(bundle, set, arm, shop)?);
        }
        let profile = built.iter().find_map(|built| built.profile.as_deref());
        let note = profile.and_then(|profile| bundle.profile_found(set, profile));
        note.iter().for_each(|note| shop.progress.say(&format!("warning: {note}")));
        sets.push(BuiltSet { name: set.name.clone(), built, arms: places.clone(), note });
    }
    Ok(sets)
}

/// The arms that have builds of their own, and for every arm, which of these builds it is.
fn wanted(bundle: &Bundle) -> (Vec<usize>, Vec<usize>) {
    let same = bundle.same_builds();
    let wanted: Vec<usize> = (0..same.len()).filter(|&arm| same[arm] == arm).collect();
    let place = |&arm: &usize| wanted.iter().position(|&other| other == arm).unwrap_or_default();
    let places = same.iter().map(place).collect();
    (wanted, places)
}

/// Builds one arm of one build set.
pub fn one(bundle: &Bundle, set: &BuildSet, arm: &Arm, shop: &Shop<'_>) -> Result<Built, BuildError> {
    shop.cancel.check().map_err(|_| BuildError::Cancelled)?;
    match &set.build {
        Build::Cargo(cargo) => cargo::build(bundle, cargo, &set.name, arm, shop),
        Build::Command(command) => command::build(bundle, command, &set.name, arm, shop),
        Build::Prebuilt(prebuilt) => prebuilt::build(bundle, prebuilt, &set.name, arm, shop),
    }
}

/// The private copies of the source that a bundle's own arms are built in.
pub fn keys(bundle: &Bundle) -> Vec<String> {
    let arms = bundle.built_arms();
    let each = bundle.builds.iter().flat_map(|set| arms.iter().map(move |arm| (set, arm)));
    each.filter_map(|(set, arm)| key(bundle, &set.build, arm)).collect()
}

/// The private copy of the source that an arm is built in.
pub fn key(bundle: &Bundle, build: &Build, arm: &Arm) -> Option<String> {
    match build {
        Build::Cargo(cargo) => cargo::key(bundle, cargo, arm),
        Build::Command(command) => Some(command::key(bundle, command, arm)),
        Build::Prebuilt(_) => None,
    }
}

/// An arm as messages name it: the set is told when there can be several.
pub(crate) fn in_set(set: &str, arm: &str) -> String {
    match set {
        DEFAULT_SET => arm.to_string(),
        set => format!("{arm} as for lane {set}"),
    }
}
