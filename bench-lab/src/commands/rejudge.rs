//! A trial judged again from its raw records.

use protocol::verdict::differences;
use protocol::verify::{self, Misfit};
use protocol::{Plan, ProcessRecord, Verdict};

use crate::folder::{Folder, FolderError};

/// Plan and records of a trial as they lie in its folder.
pub(super) struct Kept {
    pub plan: Plan,
    pub plan_id: String,
    pub records: Vec<ProcessRecord>,
    /// SHA-256 of the records' file.
    digest: String,
}

impl Kept {
    /// Reads them.
    pub fn read(folder: &Folder) -> Result<Kept, FolderError> {
        let (plan, plan_id) = folder.read_plan()?;
        let (records, digest) = folder.read_records()?;
        Ok(Kept { plan, plan_id, records, digest })
    }

    /// The verdict that they give, or the line that gives none.
    pub fn judge(&self) -> Result<Verdict, Misfit> {
        let judged = protocol::judge(&self.plan, &self.records, &self.digest);
        judged.map_err(|fault| verify::misfit(&self.plan, &self.records, &fault))
    }
}

/// Refuses a stored verdict that is not the one that the records give.
pub(super) fn must_follow(stored: &Verdict, computed: &Verdict) -> anyhow::Result<()> {
    if stored == computed {
        return Ok(());
    }
    let differs = differences(stored, computed);
    let lines: Vec<String> = differs
        .iter()
        .map(|d| format!("{}: stored {}, computed {}", d.place, d.stored, d.computed))
        .collect();
    anyhow::bail!("the stored verdict is not what the records give:\n  {}", lines.join("\n  "))
}
