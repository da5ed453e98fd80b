//! The same-tree proof with its progress told.

use std::sync::atomic::{AtomicUsize, Ordering};

use protocol::plan::Identity;

use super::Failure;
use crate::Cancel;
use crate::identity::{self, IdentityJob};
use crate::progress::Progress;

/// Proves that all arms search the same tree on every lane.
pub fn prove(job: &IdentityJob<'_>, progress: &Progress, cancel: &Cancel) -> Result<Identity, Failure> {
    progress.step("proving that all arms search the same tree");
    let (count, total) = (AtomicUsize::new(0), identity::searches(job));
    let on_search = || {
        let done = count.fetch_add(1, Ordering::Relaxed) + 1;
        progress.detail(&format!("{done} of {total} searches"));
    };
    let identity = identity::prove(job, cancel, &on_search)?;
    let arms = job.sets.first().map_or(0, |set| set.arms.len());
    progress.say(&format!("same tree: {total} searches agree in all {arms} arms"));
    Ok(identity)
}
