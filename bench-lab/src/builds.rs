//! Builds: every arm of a bundle, from source to an executable and the record of its link.

mod cargo;
mod yard;

use std::path::PathBuf;

use thiserror::Error;

pub use yard::Yard;

use crate::Cancel;
use crate::bundle::Bundle;
use crate::progress::Progress;

/// One arm as its compiler and linker made it.
#[derive(Clone, Debug)]
pub struct Built {
    /// `base`, `full` or `without:<component>`.
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
    #[error("cannot {action} {path}: {source}", path = .path.display())]
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

/// Builds every arm, in the bundle's order of arms.
pub fn build(
    bundle: &Bundle,
    yard: &Yard,
    jobs: Option<usize>,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Vec<Built>, BuildError> {
    let arms = bundle.arms();
    let mut built = Vec::with_capacity(arms.len());
    for (number, (name, components)) in arms.iter().enumerate() {
        progress.step(&format!("building arm {} of {}: {name}", number + 1, arms.len()));
        let features = bundle.features.iter().map(String::as_str).chain(components.iter().copied());
        let recipe = cargo::Recipe::new(bundle, &features.collect::<Vec<_>>(), yard);
        built.push(cargo::run(name, &recipe, yard, jobs, progress, cancel)?);
    }
    Ok(built)
}
