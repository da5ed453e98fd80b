//! The identity suite on one lane: every arm searches every position, and all must say the same.

use protocol::plan::Lane;

use super::compare::{Transcript, Transcripts};
use super::{IdentityJob, Refusal, spread};
use crate::arm::{ArmImage, ArmProcess, session, uci};
use crate::cancel::Cancel;

/// The digest of what all arms said alike.
pub(super) fn prove(
    job: &IdentityJob<'_>,
    lane: &Lane,
    cancel: &Cancel,
    on_search: &(dyn Fn() + Sync),
) -> Result<String, Refusal> {
    let transcripts = Transcripts::new(job.levels.iter().map(|level| level.positions.len()).sum());
    let stop = cancel.child();
    let arms = &job.sets[lane.build].arms;
    spread(arms.len(), &stop, |arm| search_all(job, lane, arms, arm, &transcripts, &stop, on_search))?;
    Ok(transcripts.digest())
}

/// One arm through all levels, in one process: what a search leaves behind for the next is compared too.
fn search_all(
    job: &IdentityJob<'_>,
    lane: &Lane,
    arms: &[ArmImage],
    arm: usize,
    transcripts: &Transcripts,
    stop: &Cancel,
    on_search: &(dyn Fn() + Sync),
) -> Result<(), Refusal> {
    let place = format!("proof of the same tree, lane {}", lane.name);
    let mut process = ArmProcess::spawn(&arms[arm], &[], None, job.scratch, place)?;
    session::handshake(&mut process, lane, &job.limits, stop)?;
    let mut number = 0;
    for level in job.levels {
        session::new_game(&mut process, &job.limits, stop)?;
        for position in &level.positions {
            process.set_step(format!("in search {}", number + 1));
            let mut transcript = Transcript::default();
            let found = session::search(&mut process, position, level.nodes, &job.limits, stop, |info| {
                transcript.info(info);
            })?;
            // Where nothing can be moved nothing is searched, and many engines count nothing then.
            if found.nodes.is_none() && !uci::is_no_move(&found.best) {
                return Err(process.counts_no_nodes(position).into());
            }
            transcript.end(&found);
            transcripts.check(number, arm, transcript).map_err(|disagreement| {
                let place = format!("{position} at {} nodes, line {}", level.nodes, disagreement.line);
                Refusal::Differs(Box::new(disagreement.named(arms, Some(&lane.name), place)))
            })?;
            number += 1;
            on_search();
        }
    }
    Ok(session::quit(vec![process], &job.limits)?)
}
