//! The two that are compared: executables, captured links, arms of a bundle, or commits of its source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use layouts::parts::Parts;
use protocol::compare::Side;
use protocol::plan::TablesOption;

use crate::builds::{self, Shop};
use crate::bundle::{Arm, Build, BuildSet, Bundle, DEFAULT_SET, Tree, elf};
use crate::commands::Failure;
use crate::subject::{ArmSet, SetArm, Subject};

/// What one of the two is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An executable, or a captured link.
    File(PathBuf),
    /// An arm of the bundle, from its own source.
    Arm(Arm),
    /// The bundle's arm `arm`, built from a commit; none: from the files as they are.
    Commit {
        /// Which components are on.
        arm: Arm,
        /// Its id.
        commit: Option<String>,
    },
}

/// One of the two with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// As messages and results tell it.
    pub name: String,
    /// What it is made from.
    pub source: Source,
}

/// Where builds come from.
pub struct Origin<'a> {
    /// The bundle.
    pub bundle: &'a Bundle,
    /// The build set of the lane.
    pub set: &'a BuildSet,
}

impl Named {
    /// The name of its files: other than that of the other one.
    fn file(&self, letter: char) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        format!("{letter}-{}", self.name.chars().map(plain).collect::<String>())
    }

    /// What it is, in words.
    pub fn what(&self) -> &'static str {
        match &self.source {
            Source::File(path) if elf::is_elf(path) => "an executable",
            Source::File(_) => "a captured link",
            Source::Arm(_) => "an arm of the bundle",
            Source::Commit { commit: None, .. } => "the files as they are",
            Source::Commit { .. } => "a commit",
        }
    }

    /// What the result says of it.
    pub fn side(&self, set: &ArmSet, arm: usize) -> Side {
        let planned = &set.subject(arm).planned;
        let commit = match &self.source {
            Source::Commit { commit: Some(commit), .. } => format!(" {commit}"),
            _ => String::new(),
        };
        Side {
            name: self.name.clone(),
            what: format!("{}{commit}", self.what()),
            inputs_sha256: planned.inputs_sha256.clone(),
            executable_sha256: planned.executable_sha256.clone(),
        }
    }

    /// Builds or opens it.
    fn open(&self, letter: char, origin: Option<&Origin<'_>>, shop: &Shop<'_>) -> Result<Subject, Failure> {
        let name = self.file(letter);
        let built = match (&self.source, origin) {
            (Source::File(path), _) if elf::is_elf(path) => {
                if let Some((found, expected)) = elf::complaint(path) {
                    return Err(Failure::Usage(format!("{found}; expected {expected}")));
                }
                builds::taken(path, DEFAULT_SET, &name, shop.yard)?
            }
            (Source::File(path), _) => return Ok(Subject::captured(&name, path, shop.yard)?),
            (Source::Arm(arm), Some(origin)) => built(origin, origin.set, &name, arm, shop)?,
            (Source::Commit { arm, commit }, Some(origin)) => {
                built(origin, &origin.set.at(commit.clone())?, &name, arm, shop)?
            }
            (_, None) => return Err(Failure::Usage(format!("{}: builds need a --bundle", self.name))),
        };
        Ok(Subject::open(built, shop.yard)?)
    }
}

/// Builds an arm under a name of its own.
fn built(
    origin: &Origin<'_>,
    set: &BuildSet,
    name: &str,
    arm: &Arm,
    shop: &Shop<'_>,
) -> Result<builds::Built, Failure> {
    let set = BuildSet { name: DEFAULT_SET.to_owned(), build: set.build.clone() };
    let arm = Arm { name: name.to_owned(), on: arm.on.clone() };
    Ok(builds::one(origin.bundle, &set, &arm, shop)?)
}

impl BuildSet {
    /// The same from another commit of its source, or from the files as they are.
    pub fn at(&self, commit: Option<String>) -> Result<BuildSet, Failure> {
        let mut set = self.clone();
        match &mut set.build {
            Build::Cargo(cargo) => {
                cargo.tree = Some(Tree { folder: cargo.package.workspace.clone(), commit });
            }
            Build::Command(command) => command.tree.commit = commit,
            Build::Prebuilt(_) => {
                let message = "builds of kind \"prebuilt\" have no source: name the executables themselves";
                return Err(Failure::Usage(message.to_owned()));
            }
        }
        Ok(set)
    }

    /// The folder of its source.
    pub fn source(&self) -> Option<&Path> {
        match &self.build {
            Build::Cargo(cargo) => Some(&cargo.package.workspace),
            Build::Command(command) => Some(&command.tree.folder),
            Build::Prebuilt(_) => None,
        }
    }
}

/// What is drawn of both.
pub struct Drawing {
    /// The parts.
    pub parts: Parts,
    /// The option by which both are told where to put their own tables.
    pub tables: Option<TablesOption>,
}

/// Both as the arms of one set: A in the part of `base`, B in that of `full`.
pub fn open(
    sides: &[Named; 2],
    origin: Option<&Origin<'_>>,
    drawing: Drawing,
    shop: &Shop<'_>,
) -> Result<ArmSet, Failure> {
    if let Some(origin) = origin {
        shop.yard.forget_trees(&kept(sides, origin)?)?;
    }
    let mut subjects = Vec::with_capacity(2);
    for (side, letter) in sides.iter().zip(['A', 'B']) {
        shop.progress.step(&format!("preparing {letter}: {}", side.name));
        subjects.push(Arc::new(side.open(letter, origin, shop)?));
    }
    if subjects[0].capture().is_some() != subjects[1].capture().is_some() {
        let [a, b] = sides.each_ref().map(|side| format!("{} is {}", side.name, side.what()));
        let message = format!("{a} and {b}: only one of them can be relinked; give two of one kind");
        return Err(Failure::Usage(message));
    }
    let options = |side: &Named| match (&side.source, origin) {
        (Source::Arm(arm) | Source::Commit { arm, .. }, Some(origin)) => origin.bundle.options(arm),
        _ => BTreeMap::new(),
    };
    let arm = |(subject, side): (usize, &Named)| SetArm {
        name: side.name.clone(),
        subject,
        options: options(side),
    };
    Ok(ArmSet {
        name: DEFAULT_SET.to_owned(),
        parts: drawing.parts,
        tables: drawing.tables,
        subjects,
        arms: sides.iter().enumerate().map(arm).collect(),
        joint: None,
        note: None,
    })
}

/// Private copies of the source that stay: those of the bundle's own arms, and of these two.
fn kept(sides: &[Named; 2], origin: &Origin<'_>) -> Result<Vec<String>, Failure> {
    let mut keys = builds::keys(origin.bundle);
    for (side, letter) in sides.iter().zip(['A', 'B']) {
        if let Source::Commit { arm, commit } = &side.source {
            let arm = Arm { name: side.file(letter), on: arm.on.clone() };
            keys.extend(builds::key(origin.bundle, &origin.set.at(commit.clone())?.build, &arm));
        }
    }
    Ok(keys)
}
