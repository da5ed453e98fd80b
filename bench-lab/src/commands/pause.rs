//! `bench-lab pause`: asks the lab at work on a trial to pause after the run that is under way.

use std::path::Path;
use std::time::{Duration, Instant};

use protocol::{PHASES, Plan};

use super::{Failure, print};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::pause::{Course, told};

/// Asks, and says what will come of it.
pub fn pause(dir: &Path) -> Result<Exit, Failure> {
    let folder = Folder::open(dir).map_err(anyhow::Error::from)?;
    let (plan, _) = folder.read_plan().map_err(anyhow::Error::from)?;
    if !folder.is_at_work().map_err(anyhow::Error::from)? {
        let state = match folder.read_paused().map_err(anyhow::Error::from)? {
            Some(paused) => format!("it is paused after run {} already", paused.after_run),
            None => "it has ended, or its lab has".to_owned(),
        };
        return Err(Failure::Usage(format!("no lab is at work on {}: {state}", dir.display())));
    }
    folder.want_pause().map_err(anyhow::Error::from)?;
    let records = folder.count_records().map_err(anyhow::Error::from)?;
    let course = course(&plan, records, Instant::now());
    print(&format!("{}\n", told(&course, course.since, "a signal (SIGTERM) makes the trial void")))?;
    Ok(Exit::Proven)
}

/// How far a trial is, by its records and by how long the calibration says that a phase takes.
fn course(plan: &Plan, records: usize, now: Instant) -> Course {
    let of_run = PHASES * plan.lanes.len();
    let done = records / (plan.arms.len() * plan.measure.processes);
    let seconds: f64 = plan.calibration.iter().map(|lane| lane.phase_seconds).sum();
    Course {
        run: done / of_run + 1,
        left: of_run - done % of_run,
        each: Duration::from_secs_f64((seconds / plan.lanes.len() as f64).max(0.0)),
        since: now,
    }
}

#[cfg(test)]
mod tests {
    use protocol::synthetic::{self, Spec};

    use super::*;

    #[test]
    fn the_records_tell_how_far_a_trial_is() {
        let (mut plan, records) = synthetic::trial(&Spec::new(&[("one", 1.0)], 1)).expect("a trial");
        plan.calibration[0].phase_seconds = 2.0;
        let of_phase = records.len() / protocol::RUNS / PHASES;
        let now = Instant::now();
        for (phases, run, left) in [(0, 1, 12), (1, 1, 11), (11, 1, 1), (12, 2, 12), (95, 8, 1)] {
            let expected = Course { run, left, each: Duration::from_secs(2), since: now };
            assert_eq!(course(&plan, phases * of_phase, now), expected, "{phases} phases");
        }
    }
}
