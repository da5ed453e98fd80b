//! Finished trials, judged again from their records.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use bench_lab::folder::Folder;
use protocol::plan::Plan;
use protocol::verdict::{Comparison, Verdict};

/// One trial.
pub struct Judged {
    /// Name of its folder.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// What its records prove.
    pub verdict: Verdict,
}

impl Judged {
    /// The only component on the only lane.
    pub fn comparison(&self) -> &Comparison {
        &self.verdict.components[0].lanes[0]
    }

    /// Seven of eight runs above zero, whatever the scatter.
    pub fn is_positive(&self) -> bool {
        self.comparison().positive >= protocol::POSITIVE_RUNS
    }
}

/// All trials in a folder, by name; none when the folder is not there.
pub fn all(folder: &Path) -> anyhow::Result<Vec<Judged>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.join("plan.json").is_file());
    paths.sort();
    paths.iter().map(|path| judged(path).with_context(|| path.display().to_string())).collect()
}

fn judged(path: &Path) -> anyhow::Result<Judged> {
    let folder = Folder::open(path)?;
    let (plan, _) = folder.read_plan()?;
    let (records, digest) = folder.read_records()?;
    let verdict = protocol::judge(&plan, &records, &digest).map_err(|fault| anyhow!("{fault}"))?;
    ensure!(verdict.components.len() == 1 && plan.lanes.len() == 1, "expected one component on one lane");
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Judged { name, plan, verdict })
}
