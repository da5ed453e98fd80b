//! `bench-lab report`: draws a finished trial's page again.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use protocol::Verdict;
use reports::Trial;

use super::rejudge::{Kept, must_follow};
use super::{Failure, chain, print};
use crate::exit::Exit;
use crate::folder::Folder;

/// Redraws `report.html` of a trial's folder, if its verdict is the one that its records give.
pub fn report(dir: &Path) -> Result<Exit, Failure> {
    let folder = Folder::open(dir).map_err(anyhow::Error::from)?;
    if let Some(void) = folder.read_void().map_err(anyhow::Error::from)? {
        return Err(Failure::Void(format!("a void trial has no report: {} ({})", void.reason, void.place)));
    }
    let kept = Kept::read(&folder).map_err(anyhow::Error::from)?;
    let stored = stored(&folder)?;
    follows(&kept, &stored).map_err(|error| {
        let look = format!("`bench-lab verify {}` looks closer", dir.display());
        anyhow!("{}\nno page was drawn; {look}", chain(&error))
    })?;
    let path = draw(&folder)?;
    print(&format!("{}\n", path.display()))?;
    Ok(Exit::Proven)
}

/// Nobody shall see a page whose numbers and words do not belong together.
fn follows(kept: &Kept, stored: &Verdict) -> anyhow::Result<()> {
    must_follow(stored, &kept.judge()?)
}

fn stored(folder: &Folder) -> anyhow::Result<Verdict> {
    folder.read_verdict()?.context("there is no verdict yet: the trial has not ended")
}

/// Draws the report from what the folder holds, and writes it there.
pub(super) fn draw(folder: &Folder) -> anyhow::Result<PathBuf> {
    Ok(folder.write_report(&page(folder)?)?)
}

/// The page that the folder's files give.
pub(super) fn page(folder: &Folder) -> anyhow::Result<String> {
    let (plan, plan_id) = folder.read_plan()?;
    let (records, _) = folder.read_records()?;
    let verdict = stored(folder)?;
    let diagnostics = folder.read_diagnostics()?.map(|(records, _)| records);
    let timing = folder.read_timing()?.as_ref().map(reports::Timing::from);
    let trial = Trial {
        plan: &plan,
        plan_id: &plan_id,
        records: &records,
        verdict: &verdict,
        timing: timing.as_ref(),
        diagnostics: diagnostics.as_deref(),
    };
    reports::html(&trial).context("the report can't be drawn")
}
