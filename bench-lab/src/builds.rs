//! Builds: every arm of a bundle, from source to an executable and the record of its link.

mod cargo;
mod yard;

use std::path::PathBuf;

use thiserror::Error;

pub use yard::Yard;

use crate::Cancel;
use crate::bundle::{Arm, Build, Bundle, DEFAULT_SET, Switch};
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
    /// The executable.
    pub executable: PathBuf,
    /// The archive of everything that its last link read.
    pub link: PathBuf,
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
    /// Another lab uses the same folder.
    #[error("{path} is in use by another bench-lab (process {holder}): wait for it or stop it", path = .path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
        /// Process id of the holder.
        holder: String,
    },
    /// A file could not be handled.
    #[error("cannot {action} {path}: {source}{hint}", path = .path.display(), hint = room::hint(.source, room::YARD))]
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
        move |source| BuildError::Io { action, path: path.to_path_buf(), source }
    }
}

/// All arms of one build set.
#[derive(Clone, Debug)]
pub struct BuiltSet {
    /// Its name.
    pub name: String,
    /// What was built, each once.
    pub built: Vec<Built>,
    /// For every arm, in the bundle's order, which of them it is.
    pub arms: Vec<usize>,
}

/// Builds every arm of every build set.
pub fn build(
    bundle: &Bundle,
    yard: &Yard,
    jobs: Option<usize>,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Vec<BuiltSet>, BuildError> {
    let (arms, same) = (bundle.arms(), bundle.same_builds());
    let wanted: Vec<usize> = (0..arms.len()).filter(|&arm| same[arm] == arm).collect();
    let place = |arm: usize| wanted.iter().position(|&other| other == same[arm]).unwrap_or_default();
    let count = bundle.builds.len() * wanted.len();
    let mut sets = Vec::with_capacity(bundle.builds.len());
    for set in &bundle.builds {
        let mut built = Vec::with_capacity(wanted.len());
        for &arm in &wanted {
            let number = sets.len() * wanted.len() + built.len() + 1;
            let arm = &arms[arm];
            progress.step(&format!("building arm {number} of {count}: {}", in_set(&set.name, &arm.name)));
            let Build::Cargo(cargo) = &set.build;
            let recipe = cargo::Recipe::new(cargo, &features(bundle, cargo, arm), yard);
            built.push(cargo::run(&set.name, &arm.name, &recipe, yard, jobs, progress, cancel)?);
        }
        let arms = (0..arms.len()).map(place).collect();
        sets.push(BuiltSet { name: set.name.clone(), built, arms });
    }
    Ok(sets)
}

/// An arm as messages name it: the set is told when there can be several.
pub(crate) fn in_set(set: &str, arm: &str) -> String {
    match set {
        DEFAULT_SET => arm.to_string(),
        set => format!("{arm} as for lane {set}"),
    }
}

fn features<'a>(bundle: &'a Bundle, cargo: &'a crate::bundle::Cargo, arm: &'a Arm) -> Vec<&'a str> {
    let of_components = bundle.states(arm).filter_map(|(component, is_on)| match &component.switch {
        Switch::Feature(feature) if is_on => Some(feature.as_str()),
        _ => None,
    });
    cargo.features.iter().map(String::as_str).chain(of_components).collect()
}
