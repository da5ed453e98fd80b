//! The same-tree proof with its progress told.

use std::sync::atomic::{AtomicUsize, Ordering};

use protocol::plan::Identity;

use super::Failure;
use crate::Cancel;
use crate::identity::{self, IdentityJob, Step};
use crate::progress::Progress;

/// Proves that all arms search the same tree on every lane.
pub fn prove(job: &IdentityJob<'_>, progress: &Progress, cancel: &Cancel) -> Result<Identity, Failure> {
    let (count, total) = (AtomicUsize::new(0), identity::searches(job));
    let on_step = |step| match step {
        Step::Bench => progress.step(&format!("running `{}` of all arms", job.bench.join(" "))),
        Step::Suite => progress.step("proving that all arms search the same tree"),
        Step::Search => {
            let done = count.fetch_add(1, Ordering::Relaxed) + 1;
            progress.detail(&format!("{done} of {total} searches"));
        }
    };
    let identity = identity::prove(job, cancel, &on_step)?;
    let arms = job.sets.first().map_or(0, |set| set.arms.len());
    progress.say(&format!("same tree: {total} searches agree in {}", all(arms)));
    Ok(identity)
}

fn all(arms: usize) -> String {
    if arms == 2 { "both arms".to_owned() } else { format!("all {arms} arms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_are_both() {
        assert_eq!([2, 3].map(all), ["both arms", "all 3 arms"]);
    }
}
