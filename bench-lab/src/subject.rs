//! Subjects: built arms whose link is captured, ready to be relinked.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use layouts::capture::Capture;

use crate::arm::ArmImage;
use crate::builds::{Built, Yard};
use crate::hash;

/// One arm with its captured link.
#[derive(Debug)]
pub struct Subject {
    /// `base`, `full` or `without:<component>`.
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
        let folder = yard.scratch().join(format!("{}.link", file_name(&built.name)));
        let capture = Capture::open(&built.link, &folder)
            .with_context(|| format!("the link of arm {} can't be repeated", built.name))?;
        let failed = || format!("cannot read {}", executable.display());
        let planned = protocol::plan::ArmBuild {
            command: built.command,
            inputs_sha256: capture.inputs_sha256().to_string(),
            executable_sha256: hash::of_file(executable).with_context(failed)?,
            executable_bytes: fs::metadata(executable).with_context(failed)?.len(),
        };
        let digest = hash::of_folder(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        Ok(Subject {
            name: built.name,
            capture,
            planned,
            executable: built.executable,
            link: (folder, digest),
        })
    }

    /// Opens all arms, on all cores.
    pub fn open_all(built: Vec<Built>, yard: &Yard) -> anyhow::Result<Vec<Subject>> {
        crate::spread::over(built, |built| Subject::open(built, yard))
    }

    /// The arm's name, fit for a file.
    pub fn file_name(&self) -> String {
        file_name(&self.name)
    }

    /// The arm as first linked, started as the system pleases.
    pub fn natural(&self) -> ArmImage {
        ArmImage::plain(self.name.clone(), self.executable.clone())
    }

    /// Whether executable and captured link are still what they were when the arm was opened.
    pub fn is_unchanged(&self) -> std::io::Result<bool> {
        let (folder, digest) = &self.link;
        Ok(hash::of_file(&self.executable)? == self.planned.executable_sha256
            && hash::of_folder(folder)? == *digest)
    }
}

/// An arm's name, fit for a file: `without:x` has a sign that paths are separated by.
pub(crate) fn file_name(arm: &str) -> String {
    arm.replace(':', "-")
}
