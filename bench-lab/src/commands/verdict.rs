//! `bench-lab verdict`: judges a trial again from its raw records.

use std::path::Path;

use protocol::verdict::differences;
use reports::Trial;

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
    let (plan, plan_id) = folder.read_plan().map_err(anyhow::Error::from)?;
    let (records, digest) = folder.read_records().map_err(anyhow::Error::from)?;
    let verdict = protocol::judge(&plan, &records, &digest)
        .map_err(|fault| Failure::Void(format!("this trial can't be judged: {fault}")))?;
    let diagnostics = folder.read_diagnostics().map_err(anyhow::Error::from)?.map(|(records, _)| records);
    let trial = Trial {
        plan: &plan,
        plan_id: &plan_id,
        records: &records,
        verdict: &verdict,
        timing: None,
        diagnostics: diagnostics.as_deref(),
    };
    print(&reports::table(&trial))?;
    let stored = folder.read_verdict().map_err(anyhow::Error::from)?;
    match stored {
        None => print("\nno verdict.json is stored to compare with\n")?,
        Some(stored) if stored == verdict => print("\nthe stored verdict is the same\n")?,
        Some(stored) => {
            let differs = differences(&stored, &verdict);
            let lines: Vec<String> = differs
                .iter()
                .map(|d| format!("{}: stored {}, computed {}", d.place, d.stored, d.computed))
                .collect();
            return Err(anyhow::anyhow!(
                "the stored verdict is not what the records give:\n  {}",
                lines.join("\n  ")
            )
            .into());
        }
    }
    Ok(judged(&verdict))
}
