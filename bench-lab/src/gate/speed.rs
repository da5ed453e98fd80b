//! The question for speed: do benchmarks that criterion has measured take longer than in the run of the base?

pub mod criterion;

use crate::commands::Failure;

use super::answer::Answer;
use super::ask::Asked;
use super::file::Speed;

/// Reads what criterion has measured of both sides.
pub fn ask(asked: &Asked<'_>, speed: &Speed) -> Result<Answer, Failure> {
    let Some(criterion) = &speed.criterion else {
        return Err(Failure::Usage(format!(
            "{}: `speed` is answered from benchmarks of criterion alone, which `[speed.criterion]` names",
            asked.file.file.display()
        )));
    };
    Ok(criterion::answer(criterion, &speed.limits)?)
}
