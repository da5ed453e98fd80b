//! `bench-lab verdict`: judges a trial again from its raw records.

use std::path::Path;

use reports::Trial;

use super::rejudge::{Kept, must_follow};
use super::{Failure, judged, print};
use crate::exit::Exit;
use crate::folder::Folder;

/// Recomputes the verdict, compares it with the stored one and prints the table.
pub fn verdict(dir: &Path) -> Result<Exit, Failure> {
    let folder = Folder::open(dir).map_err(anyhow::Error::from)?;
    if let Some(void) = folder.read_void().map_err(anyhow::Error::from)? {
        return Err(Failure::Void(format!(
            "this trial is void: {}\n  {} ({})",
            void.reason, void.place, void.time
        )));
    }
    let kept = Kept::read(&folder).map_err(anyhow::Error::from)?;
    let verdict = kept.judge().map_err(anyhow::Error::from)?;
    let diagnostics = folder.read_diagnostics().map_err(anyhow::Error::from)?.map(|(records, _)| records);
    let trial = Trial {
        plan: &kept.plan,
        plan_id: &kept.plan_id,
        records: &kept.records,
        verdict: &verdict,
        timing: None,
        diagnostics: diagnostics.as_deref(),
    };
    print(&reports::table(&trial))?;
    let stored = folder.read_verdict().map_err(anyhow::Error::from)?;
    match stored {
        None => print("\nno verdict.json is stored to compare with\n")?,
        Some(stored) => {
            must_follow(&stored, &verdict)?;
            print("\nthe stored verdict is the same\n")?;
        }
    }
    Ok(judged(&verdict))
}
