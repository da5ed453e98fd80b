//! What a paused trial needs to go on: its built arms and their captured links, beside the work folder's
//! own files and in nobody's way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use protocol::Plan;
use serde::{Deserialize, Serialize};

use super::{BuildError, Built, BuiltSet, Yard, in_set, wanted};
use crate::bundle::{Build, Bundle};
use crate::folder::Folder;
use crate::machine;
use crate::subject::{ArmSet, file_name};

/// How the names of such folders begin.
const PREFIX: &str = "paused-";
/// Says whose they are.
const OWNER: &str = "of.json";

/// Whose a kept folder is.
#[derive(Debug, Serialize, Deserialize)]
struct Owner {
    /// Folder of the trial.
    trial: PathBuf,
    /// Boot that it can go on under.
    boot_id: String,
}

/// Keeps the arms of a trial for as long as it is paused; all of them or none. Gives the folder.
pub fn keep(yard: &Yard, plan_id: &str, trial: &Path, sets: &[ArmSet]) -> Result<PathBuf, BuildError> {
    let kept = yard.root().join(format!("{PREFIX}{}", &plan_id[..16]));
    if kept.join(OWNER).is_file() {
        // Kept in an earlier pause, and in use since.
        return Ok(kept);
    }
    let staged = tempfile::Builder::new().prefix("keep-").tempdir_in(yard.scratch());
    let staged = staged.map_err(BuildError::io("write to", yard.scratch()))?;
    let joint = sets.iter().filter_map(|set| set.joint.as_deref());
    for subject in sets.iter().chain(joint).flat_map(|set| &set.subjects) {
        let copy = |from: &Path, ending: &str| {
            let to = staged.path().join(format!("{}.{ending}", subject.file_name()));
            if to.exists() {
                // `base` and `full` are in the diagnostics too.
                return Ok(());
            }
            fs::copy(from, &to).map(drop).map_err(BuildError::io("write", &to))
        };
        copy(subject.executable(), "built")?;
        subject.archive().map_or(Ok(()), |archive| copy(archive, "tar"))?;
    }
    let owner = Owner { trial: trial.to_path_buf(), boot_id: machine::facts().boot_id };
    let path = staged.path().join(OWNER);
    let text = serde_json::to_string(&owner).map_err(io::Error::other);
    text.and_then(|text| fs::write(&path, text)).map_err(BuildError::io("write", &path))?;
    let staged = staged.keep();
    fs::rename(&staged, &kept).map_err(BuildError::io("write", &kept))?;
    Ok(kept)
}

/// The arms as they were kept, to be opened as if they had just been built.
pub fn take(bundle: &Bundle, plan: &Plan, kept: &Path) -> Result<Vec<BuiltSet>, BuildError> {
    let (arms, (wanted, places)) = (bundle.built_arms(), wanted(bundle));
    let mut sets = Vec::new();
    for (number, (set, planned)) in bundle.builds.iter().zip(&plan.builds).enumerate() {
        let mut built = Vec::new();
        for &arm in &wanted {
            let name = &arms[arm].name;
            let file = |ending: &str| kept.join(format!("{}.{ending}", file_name(&set.name, name)));
            let executable = file("built");
            let link = (!matches!(set.build, Build::Prebuilt(_))).then(|| file("tar"));
            for path in [Some(&executable), link.as_ref()].into_iter().flatten() {
                if !path.is_file() {
                    return Err(BuildError::Lost { arm: in_set(&set.name, name), path: path.clone() });
                }
            }
            let together = plan.diagnostics.iter().flat_map(|diagnostics| &diagnostics.together);
            let joint = together.filter_map(|group| group.builds.get(number));
            let command = planned.arms.iter().chain(joint).nth(arm).map(|build| build.command.clone());
            let command = command.unwrap_or_default();
            built.push(Built {
                set: set.name.clone(),
                name: name.clone(),
                command,
                by_command: matches!(set.build, Build::Command(_)),
                executable,
                link,
                profile: None,
            });
        }
        sets.push(BuiltSet { name: set.name.clone(), built, arms: places.clone(), note: None });
    }
    Ok(sets)
}

/// Removes what was kept, if it is there.
pub fn forget(kept: &Path) -> Result<(), BuildError> {
    super::tree::remove(kept)
}

/// Removes what was kept for trials that are not paused any more, or never can go on; gives the folders of
/// those that wait.
pub(super) fn tidy(root: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let mut waiting = Vec::new();
    let boot_id = machine::facts().boot_id;
    for entry in fs::read_dir(root).map_err(BuildError::io("read", root))?.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let owner = fs::read(entry.path().join(OWNER)).ok();
        let owner = owner.and_then(|bytes| serde_json::from_slice::<Owner>(&bytes).ok());
        let waits = |owner: &Owner| {
            let paused = Folder::open(&owner.trial).and_then(|trial| trial.read_paused());
            let waits = paused.is_ok_and(|paused| paused.is_some_and(|paused| paused.kept == entry.path()));
            owner.boot_id == boot_id && waits
        };
        match owner.filter(waits) {
            Some(owner) => waiting.push(owner.trial),
            None => forget(&entry.path())?,
        }
    }
    Ok(waiting)
}
