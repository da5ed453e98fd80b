//! The engines of a gate: executables that are there, or commits that a bundle knows how to build.

use std::path::{Path, PathBuf};

use crate::builds::{self, Shop};
use crate::bundle::{Arm, BuildSet, Bundle, DEFAULT_LANE, DEFAULT_SET, elf, git};
use crate::commands::Failure;
use crate::commands::layout::arm;
use crate::gate::GateFile;
use crate::gate::ask::Engine;

/// The files as they are.
const AS_IT_IS: &str = ".";

/// Where engines come from.
pub struct Workshop<'a> {
    /// The gate file.
    pub file: &'a GateFile,
    /// Its bundle, if it names one.
    pub bundle: Option<&'a Bundle>,
}

/// An engine as it was named.
pub struct Named {
    /// The name.
    pub name: String,
    source: Source,
}

enum Source {
    File(PathBuf),
    /// Of the bundle's source; none: as its files are.
    Commit(Option<String>),
}

/// Engines that are ready.
pub struct Opened {
    /// What is asked about.
    pub head: Engine,
    /// What it is compared with.
    pub base: Option<Engine>,
}

impl Named {
    /// The commit that it is built from.
    pub fn commit(&self) -> Option<&str> {
        match &self.source {
            Source::Commit(commit) => commit.as_deref(),
            Source::File(_) => None,
        }
    }

    /// Whether the bundle builds it.
    pub fn is_built(&self) -> bool {
        matches!(self.source, Source::Commit(_))
    }
}

impl Workshop<'_> {
    /// What is asked about: of the same kind as the base, because sizes depend on how an engine is built.
    pub fn head(&self, name: Option<&str>, base: Option<&Named>) -> Result<Named, Failure> {
        let is_base_built = base.is_some_and(Named::is_built);
        let head = match (name, &self.file.engine.executable) {
            (Some(name), _) => self.named(name)?,
            (None, Some(path)) if !is_base_built => {
                Named { name: path.display().to_string(), source: given(path, self.file)? }
            }
            (None, _) => self.named(AS_IT_IS)?,
        };
        match base {
            Some(base) if head.is_built() != is_base_built => {
                let what =
                    |named: &Named| if named.is_built() { "is built here" } else { "is an executable" };
                Err(Failure::Usage(format!(
                    "{} {} and {} {}: engines that are built in two ways cannot be compared; name two of one kind",
                    base.name,
                    what(base),
                    head.name,
                    what(&head)
                )))
            }
            _ => Ok(head),
        }
    }

    /// The repository of an engine's source, as far as is known.
    pub fn repository(&self, named: &Named) -> &Path {
        let source = self.bundle.and_then(|bundle| set(bundle).ok()?.source());
        source.filter(|_| named.is_built()).unwrap_or(self.file.folder())
    }

    /// An executable, or a commit of the bundle's source.
    pub fn named(&self, name: &str) -> Result<Named, Failure> {
        let path = Path::new(name);
        if path.is_file() {
            return Ok(Named { name: name.to_owned(), source: given(path, self.file)? });
        }
        let Some(bundle) = self.bundle else {
            return Err(Failure::Usage(format!(
                "{name} is no file; for commits {} needs `bundle = …` in `[engine]`, which says how they are built",
                self.file.file.display()
            )));
        };
        let commit = match name {
            AS_IT_IS => None,
            name => Some(self.commit(bundle, name)?),
        };
        Ok(Named { name: name.to_owned(), source: Source::Commit(commit) })
    }

    fn commit(&self, bundle: &Bundle, name: &str) -> Result<String, Failure> {
        let set = set(bundle)?;
        let Some(tree) = set.source() else {
            return Err(Failure::Usage(format!(
                "{name} is no file, and builds of kind \"prebuilt\" have no commits: name an executable"
            )));
        };
        git::commit(tree, name).map_err(|said| {
            let said = if said.is_empty() { String::new() } else { format!(" ({said})") };
            Failure::Usage(format!(
                "{name} is neither a file nor a commit of {}{said}; a clone without history knows none but the last one",
                tree.display()
            ))
        })
    }

    /// Builds or copies both.
    pub fn open(&self, head: &Named, base: Option<&Named>, shop: &Shop<'_>) -> Result<Opened, Failure> {
        self.forget(head, base, shop)?;
        Ok(Opened {
            base: base.map(|base| self.engine("base", base, shop)).transpose()?,
            head: self.engine("head", head, shop)?,
        })
    }

    /// Forgets the private copies of other commits.
    fn forget(&self, head: &Named, base: Option<&Named>, shop: &Shop<'_>) -> Result<(), Failure> {
        let Some(bundle) = self.bundle else { return Ok(()) };
        let mut kept = builds::keys(bundle);
        for (side, named) in [("head", Some(head)), ("base", base)] {
            if let Some(Named { source: Source::Commit(commit), .. }) = named {
                let build = set(bundle)?.at(commit.clone())?.build;
                kept.extend(builds::key(bundle, &build, &arm_of(bundle, side)));
            }
        }
        Ok(shop.yard.forget_trees(&kept)?)
    }

    fn engine(&self, side: &str, named: &Named, shop: &Shop<'_>) -> Result<Engine, Failure> {
        let built = match (&named.source, self.bundle) {
            (Source::File(path), _) => builds::taken(path, DEFAULT_SET, side, shop.yard)?,
            (Source::Commit(commit), Some(bundle)) => {
                shop.progress.step(&format!("building {side}: {}", named.name));
                let set =
                    BuildSet { name: DEFAULT_SET.to_owned(), build: set(bundle)?.at(commit.clone())?.build };
                builds::one(bundle, &set, &arm_of(bundle, side), shop)?
            }
            (Source::Commit(_), None) => {
                return Err(Failure::Usage(format!("{}: builds need a bundle", named.name)));
            }
        };
        Ok(Engine { name: side.to_owned(), executable: built.executable })
    }
}

/// The arm with all components, under a name of its own.
fn arm_of(bundle: &Bundle, side: &str) -> Arm {
    Arm { name: format!("gate-{side}"), on: vec![true; bundle.components.len()] }
}

/// The build of the bundle's first lane.
fn set(bundle: &Bundle) -> Result<&BuildSet, Failure> {
    let lane = arm::lane(bundle, None)?;
    bundle.builds.get(lane.build).ok_or_else(|| Failure::Usage(format!("lane {DEFAULT_LANE} has no build")))
}

/// An executable for this machine.
fn given(path: &Path, file: &GateFile) -> Result<Source, Failure> {
    match elf::complaint(path) {
        None => Ok(Source::File(path.to_owned())),
        Some((found, expected)) => Err(Failure::Usage(format!(
            "the engine of {} cannot be used: {found}; expected {expected}",
            file.file.display()
        ))),
    }
}
