//! Subjects: built executables whose link is captured, ready to be relinked, and the arms that run them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use layouts::capture::Capture;
use layouts::parts::Parts;

use crate::arm::ArmImage;
use crate::builds::{Built, BuiltSet, Yard, in_set};
use crate::bundle::{Arm, Bundle};
use crate::hash;

/// One executable with its captured link.
#[derive(Debug)]
pub struct Subject {
    /// Its build set.
    pub set: String,
    /// `base`, `full` or `without:<component>`; the first of those that share it.
    pub name: String,
    /// The captured link.
    pub capture: Capture,
    /// What the plan says of it.
    pub planned: protocol::plan::ArmBuild,
    /// The executable as the compiler's own link made it.
    executable: PathBuf,
    /// The folder of the captured link and the SHA-256 over everything in it.
    link: (PathBuf, String),
}

impl Subject {
    /// Unpacks and prepares the link of a built arm.
    pub fn open(built: Built, yard: &Yard) -> anyhow::Result<Subject> {
        let executable = &built.executable;
        let folder = yard.scratch().join(format!("{}.link", file_name(&built.set, &built.name)));
        let capture = Capture::open(&built.link, &folder).with_context(|| {
            format!("the link of arm {} can't be repeated", in_set(&built.set, &built.name))
        })?;
        let failed = || format!("cannot read {}", executable.display());
        let planned = protocol::plan::ArmBuild {
            command: built.command,
            inputs_sha256: capture.inputs_sha256().to_string(),
            executable_sha256: hash::of_file(executable).with_context(failed)?,
            executable_bytes: fs::metadata(executable).with_context(failed)?.len(),
        };
        let digest = hash::of_folder(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        Ok(Subject {
            set: built.set,
            name: built.name,
            capture,
            planned,
            executable: built.executable,
            link: (folder, digest),
        })
    }

    /// Its name, fit for a file.
    pub fn file_name(&self) -> String {
        file_name(&self.set, &self.name)
    }

    /// Its name, as messages tell it.
    pub fn told(&self) -> String {
        in_set(&self.set, &self.name)
    }

    /// Whether executable and captured link are still what they were when the arm was opened.
    pub fn is_unchanged(&self) -> std::io::Result<bool> {
        let (folder, digest) = &self.link;
        Ok(hash::of_file(&self.executable)? == self.planned.executable_sha256
            && hash::of_folder(folder)? == *digest)
    }
}

/// All arms of one build set.
#[derive(Debug)]
pub struct ArmSet {
    /// Its name.
    pub name: String,
    /// What is drawn.
    pub parts: Parts,
    /// What was built, each once.
    pub subjects: Vec<Subject>,
    /// The arms, in the plan's order.
    pub arms: Vec<SetArm>,
}

/// One arm: a subject with options.
#[derive(Clone, Debug)]
pub struct SetArm {
    /// `base`, `full` or `without:<component>`.
    pub name: String,
    /// Which of the set's subjects it runs.
    pub subject: usize,
    /// Its own UCI options, set after the lane's.
    pub options: BTreeMap<String, String>,
}

impl ArmSet {
    /// Opens everything that was built, on all cores.
    pub fn open_all(bundle: &Bundle, built: Vec<BuiltSet>, yard: &Yard) -> anyhow::Result<Vec<ArmSet>> {
        let arms = bundle.arms();
        let each: Vec<Built> = built.iter().flat_map(|set| set.built.clone()).collect();
        let mut subjects = crate::spread::over(each, |built| Subject::open(built, yard))?.into_iter();
        let open = |set: BuiltSet| {
            let numbered = arms.iter().zip(set.arms);
            let arm = |(arm, subject): (&Arm, usize)| SetArm {
                name: arm.name.clone(),
                subject,
                options: bundle.options(arm),
            };
            let subjects = subjects.by_ref().take(set.built.len()).collect();
            ArmSet { name: set.name, parts: bundle.layout.parts, subjects, arms: numbered.map(arm).collect() }
        };
        Ok(built.into_iter().map(open).collect())
    }

    /// The subject of an arm.
    pub fn subject(&self, arm: usize) -> &Subject {
        &self.subjects[self.arms[arm].subject]
    }

    /// All arms as first linked, started as the system pleases.
    pub fn natural(&self) -> Vec<ArmImage> {
        let image = |arm: &SetArm| {
            let executable = self.subjects[arm.subject].executable.clone();
            ArmImage::plain(arm.name.clone(), executable).with_options(arm.options.clone())
        };
        self.arms.iter().map(image).collect()
    }

    /// What the plan says of it.
    pub fn planned(&self) -> protocol::plan::BuildSet {
        let arms = (0..self.arms.len()).map(|arm| self.subject(arm).planned.clone()).collect();
        protocol::plan::BuildSet { name: self.name.clone(), arms }
    }
}

/// A name fit for a file: `without:x` has a sign that paths are separated by.
pub(crate) fn file_name(set: &str, arm: &str) -> String {
    format!("{set}.{}", arm.replace(':', "-"))
}
