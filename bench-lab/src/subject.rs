//! Subjects: built executables whose link is captured, ready to be relinked, and the arms that run them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use layouts::capture::Capture;
use layouts::parts::{Part, Parts};
use protocol::plan::{BASE, FULL, TablesOption, without};

use crate::arm::ArmImage;
use crate::builds::{BadLink, Built, BuiltSet, Yard, in_set};
use crate::bundle::problem::Problem;
use crate::bundle::{Arm, BadBundle, Bundle, Component, DEFAULT_SET, Layout};
use crate::hash::{self, Status};

/// One executable, with its captured link if it was built here.
#[derive(Debug)]
pub struct Subject {
    /// Its build set.
    pub set: String,
    /// `base`, `full` or `without:<component>`; the first of those that share it.
    pub name: String,
    /// What the plan says of it.
    pub planned: protocol::plan::ArmBuild,
    /// The executable as the compiler's own link made it.
    executable: PathBuf,
    /// The file when it was hashed.
    hashed: Status,
    link: Option<Link>,
}

/// A captured link.
#[derive(Debug)]
struct Link {
    capture: Capture,
    /// The archive that it was unpacked from.
    archive: PathBuf,
    folder: PathBuf,
    /// SHA-256 over everything in the folder.
    sha256: String,
}

impl Subject {
    /// Unpacks and prepares the link of a built arm.
    pub fn open(built: Built, yard: &Yard) -> anyhow::Result<Subject> {
        let executable = &built.executable;
        let link = built.link.as_ref().map(|link| Link::open(link, &built, yard)).transpose()?;
        let failed = || format!("cannot read {}", executable.display());
        let (executable_sha256, hashed) = hash::of_file_with_status(executable).with_context(failed)?;
        let inputs = link.as_ref().map_or(executable_sha256.as_str(), |link| link.capture.inputs_sha256());
        let planned = protocol::plan::ArmBuild {
            command: built.command,
            inputs_sha256: inputs.to_string(),
            executable_bytes: fs::metadata(executable).with_context(failed)?.len(),
            executable_sha256,
        };
        Ok(Subject { set: built.set, name: built.name, planned, executable: built.executable, hashed, link })
    }

    /// Opens a captured link that lies in a file, with the executable that it makes.
    pub fn captured(name: &str, archive: &Path, yard: &Yard) -> anyhow::Result<Subject> {
        let executable = yard.scratch().join(format!("{}.built", file_name(DEFAULT_SET, name)));
        let built = Built {
            set: DEFAULT_SET.to_string(),
            name: name.to_string(),
            command: format!("captured: {}", archive.file_name().unwrap_or(archive.as_os_str()).display()),
            by_command: false,
            executable,
            link: None,
            profile: None,
        };
        let link = Link::open(archive, &built, yard)?;
        link.capture.relink_natural(&built.executable)?;
        let mut subject = Subject::open(built, yard)?;
        subject.planned.inputs_sha256 = link.capture.inputs_sha256().to_string();
        subject.link = Some(link);
        Ok(subject)
    }

    /// Its captured link, if it was built here.
    pub fn capture(&self) -> Option<&Capture> {
        self.link.as_ref().map(|link| &link.capture)
    }

    /// The executable as first linked.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// Its name, fit for a file.
    pub fn file_name(&self) -> String {
        file_name(&self.set, &self.name)
    }

    /// Its name, as messages tell it.
    pub fn told(&self) -> String {
        in_set(&self.set, &self.name)
    }

    /// The file of [`Subject::executable`] when it was hashed.
    pub fn hashed(&self) -> Status {
        self.hashed
    }

    /// The archive of its captured link, if it was built here.
    pub fn archive(&self) -> Option<&Path> {
        self.link.as_ref().map(|link| link.archive.as_path())
    }

    /// The folder of its captured link, if it was built here, with the hash over everything in it.
    pub fn link(&self) -> Option<(&Path, &str)> {
        self.link.as_ref().map(|link| (link.folder.as_path(), link.sha256.as_str()))
    }
}

impl Link {
    fn open(archive: &Path, built: &Built, yard: &Yard) -> anyhow::Result<Link> {
        let folder = yard.scratch().join(format!("{}.link", file_name(&built.set, &built.name)));
        let capture = Capture::open(archive, &folder).map_err(|fault| BadLink::of_arm(built, fault))?;
        let sha256 = hash::of_folder(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        Ok(Link { capture, archive: archive.to_path_buf(), folder, sha256 })
    }
}

/// All arms of one build set.
#[derive(Debug)]
pub struct ArmSet {
    /// Its name.
    pub name: String,
    /// What is drawn.
    pub parts: Parts,
    /// The option by which its arms are told where to put their own tables.
    pub tables: Option<TablesOption>,
    /// What was built, each once.
    pub subjects: Vec<Arc<Subject>>,
    /// The arms, in the plan's order.
    pub arms: Vec<SetArm>,
    /// The set of the diagnostics, whose arms are `base`, `full` and what is removed together.
    pub joint: Option<Box<ArmSet>>,
    /// What a reader of the verdict must know of the builds.
    pub note: Option<String>,
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
        let arms = bundle.built_arms();
        let each: Vec<Built> = built.iter().flat_map(|set| set.built.clone()).collect();
        let mut subjects = crate::spread::over(each, |built| Subject::open(built, yard))?.into_iter();
        let open = |set: BuiltSet| {
            let numbered = arms.iter().zip(set.arms);
            let arm = |(arm, subject): (&Arm, usize)| SetArm {
                name: arm.name.clone(),
                subject,
                options: bundle.options(arm),
            };
            let all = ArmSet {
                name: set.name,
                parts: bundle.layout.parts,
                tables: bundle.layout.tables.clone(),
                subjects: subjects.by_ref().take(set.built.len()).map(Arc::new).collect(),
                arms: numbered.map(arm).collect(),
                joint: None,
                note: set.note,
            };
            all.parted(bundle.arms().len())
        };
        Ok(built.into_iter().map(open).collect())
    }

    /// The first arms for the trial, and with `base` and `full` the others for the diagnostics.
    fn parted(self, trial: usize) -> ArmSet {
        let joint: Vec<usize> = [BASE, FULL].into_iter().chain(trial..self.arms.len()).collect();
        let joint = (self.arms.len() > trial).then(|| Box::new(self.only(&joint)));
        ArmSet { joint, ..self.only(&(0..trial).collect::<Vec<_>>()) }
    }

    /// These of its arms, and the subjects that they run.
    fn only(&self, arms: &[usize]) -> ArmSet {
        let mut subjects: Vec<usize> = arms.iter().map(|&arm| self.arms[arm].subject).collect();
        subjects.sort_unstable();
        subjects.dedup();
        let place = |subject: usize| subjects.iter().position(|&kept| kept == subject).unwrap_or_default();
        let arm = |&arm: &usize| SetArm { subject: place(self.arms[arm].subject), ..self.arms[arm].clone() };
        ArmSet {
            name: self.name.clone(),
            parts: self.parts,
            tables: self.tables.clone(),
            arms: arms.iter().map(arm).collect(),
            subjects: subjects.iter().map(|&subject| Arc::clone(&self.subjects[subject])).collect(),
            joint: None,
            note: self.note.clone(),
        }
    }

    /// The subject of an arm.
    pub fn subject(&self, arm: usize) -> &Subject {
        &self.subjects[self.arms[arm].subject]
    }

    /// All arms as first linked, started as the system pleases.
    pub fn natural(&self) -> Vec<ArmImage> {
        let image = |arm: &SetArm| {
            let subject = &self.subjects[arm.subject];
            ArmImage::plain(arm.name.clone(), &subject.executable)
                .with_options(arm.options.clone())
                .with_hashed(Some(subject.hashed))
        };
        self.arms.iter().map(image).collect()
    }

    /// What the diagnostics remove together, as first linked.
    pub fn natural_joint(&self) -> Vec<ArmImage> {
        self.joint.iter().flat_map(|joint| joint.natural().split_off(FULL + 1)).collect()
    }

    /// Refuses a component whose switch changes nothing: `full` is made from the same as without it.
    pub fn check_effects(&self, bundle: &Bundle) -> Result<(), BadBundle> {
        let made_from = |arm: usize| &self.subject(arm).planned.inputs_sha256;
        let is_idle = |number: usize, component: &Component| {
            component.switch.is_built() && made_from(without(number)) == made_from(FULL)
        };
        let idle = bundle.components.iter().enumerate().filter(|(number, c)| is_idle(*number, c));
        let problems: Vec<Problem> = idle
            .map(|(_, component)| {
                let what = format!("the switch of component {} has no effect", component.name);
                let found = format!(
                    "`full` and `without:{}` made from the very same on {}",
                    component.name,
                    self.told_lanes(bundle)
                );
                let expected = format!("a build that listens to the switch ({})", component.switch);
                Problem::whole(&bundle.file, what).found(found).expected(expected)
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(BadBundle(problems)) }
    }

    /// The lanes that it is measured on, for messages.
    pub fn told_lanes(&self, bundle: &Bundle) -> String {
        let lanes = bundle.lanes.iter().filter(|lane| bundle.builds[lane.build].name == self.name);
        let names: Vec<&str> = lanes.map(|lane| lane.name.as_str()).collect();
        format!("lane {}", names.join(", "))
    }

    /// How it was built, and what the captures could not vouch for, arm by arm.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let captures = self.subjects.iter().filter_map(|subject| subject.capture());
        self.note.iter().cloned().chain(captures.flat_map(|capture| capture.notes().to_vec()))
    }

    /// Whether every relinked arm's heap starts behind its program, where a draw can shift it.
    pub fn heap_follows(&self) -> bool {
        self.subjects
            .iter()
            .filter_map(|subject| subject.capture())
            .all(|capture| capture.natural().heap_follows())
    }

    /// Whether its executables are relinked; else only their starts and copies are drawn.
    pub fn is_linked(&self) -> bool {
        self.subjects.iter().all(|subject| subject.link.is_some())
    }

    /// Whether a part of the layout can be drawn at all.
    pub fn can_draw(&self, part: Part) -> bool {
        match part {
            Part::Tables => self.tables.is_some(),
            Part::Heap => self.is_linked() && self.heap_follows(),
            part => self.is_linked() || !Layout::NEEDS_LINK.contains(&part),
        }
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
