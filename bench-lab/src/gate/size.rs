//! Size and start-up: how large is the engine, in the file and in memory, and how fast does it answer?
//!
//! | benchmark | what | compared with |
//! |---|---|---|
//! | `executable` | bytes of the file | the base if there is one, else the baseline |
//! | `text` | its machine code | the same |
//! | `data` | what else of it is loaded: constants, tables, an embedded net | the same |
//! | `memory` | peak resident memory at `readyok` | the base, in turn with it |
//! | `start-up` | time from the start to `uciok` | the base, in turn with it |

mod elf;
mod noise;
mod starts;

use crate::commands::Failure;

use super::answer::Answer;
use super::ask::{Asked, Engine, broken};
use super::baseline::{Baseline, Count, Entry};
use super::file::Size;
use super::limits::Limits;
use super::question::Question;
use super::row::{Place, Row, Unit};

pub use elf::Sizes;

/// What is looked at, by the names that `gate.toml` uses.
pub const BENCHMARKS: [&str; 5] = ["executable", "text", "data", MEMORY, START_UP];

const MEMORY: &str = "memory";
const START_UP: &str = "start-up";

/// The compiler, as a fact of the baseline.
const COMPILER: &str = "compiler";

/// Looks at the files, and at their processes where there are two to compare.
pub fn ask(asked: &Asked<'_>, size: &Size) -> Result<Answer, Failure> {
    asked.progress.step("looking at the executable");
    let now = counts(asked.head)?;
    let base = asked.base.map(counts).transpose()?;
    let rows = match base {
        // Both were built for this: another compiler is the commit's doing.
        Some(base) => {
            let (now, base) = (now.without_facts(), base.without_facts());
            Baseline::compare(&now, Some(&base), |name| size.limits.of(name))
        }
        None => Baseline::compare(&now, asked.recorded, |name| size.limits.of(name)),
    };
    let mut answer = Answer { rows, baseline: Some(now), ..Answer::default() };
    let measured = [(MEMORY, Unit::Bytes), (START_UP, Unit::Nanoseconds)];
    let wanted: Vec<(Place, Limits)> = measured
        .into_iter()
        .filter_map(|(name, unit)| Some((Place::new(Question::Size, name, unit), size.limits.of(name)?)))
        .collect();
    if wanted.is_empty() {
        return Ok(answer);
    }
    let Some(base) = asked.base else {
        let why = "no base: it is only compared with a base on the same machine, which `--base` names";
        answer.rows.extend(wanted.into_iter().map(|(place, limits)| Row::cannot_say(place, &limits, why)));
        return Ok(answer);
    };
    match starts::measure(asked, base, size.starts) {
        Err(starts::Broken::Failure(failure)) => return Err(*failure),
        Err(starts::Broken::Fault(fault)) => {
            let why = broken(*fault)?;
            answer.rows.extend(wanted.into_iter().map(|(place, limits)| Row::void(place, &limits, &*why)));
        }
        Ok(starts) => {
            for (place, limits) in wanted {
                let of = |side: &[starts::Start]| -> Vec<f64> {
                    side.iter()
                        .map(|start| if place.benchmark == MEMORY { start.memory } else { start.time })
                        .collect()
                };
                let [base, head, again] = starts.each_ref().map(|side| of(side));
                answer.values.extend(noise::values(&place, [&base, &head, &again]));
                answer.rows.push(noise::judged(place, &limits, &base, &head, &again));
            }
        }
    }
    Ok(answer)
}

/// What is exact: the sizes of the file, with its compiler.
fn counts(engine: &Engine) -> Result<Baseline, Failure> {
    let sizes = Sizes::read(&engine.executable)?;
    let mut counts = Baseline::new(Question::Size);
    counts.facts.insert(COMPILER.to_owned(), sizes.compiler);
    for (name, value) in [("executable", sizes.executable), ("text", sizes.text), ("data", sizes.data)] {
        counts.benchmarks.insert(name.to_owned(), Entry::plain(Count::Bytes, value));
    }
    Ok(counts)
}
