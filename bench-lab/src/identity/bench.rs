//! The arms' own `bench`: one node count for all.

use std::path::Path;

use super::{Difference, IdentityJob, IdentitySet, Refusal, spread};
use crate::arm::session::{self, Limits};
use crate::arm::uci::bench_nodes;
use crate::arm::{ArmImage, ArmProcess};
use crate::bundle::DEFAULT_SET;
use crate::cancel::Cancel;
use crate::fault::{Awaited, Fault};

/// Lines at the end of the report that are looked at.
const KEPT_LINES: usize = 16;

/// A bench may take as long as so many searches.
const SEARCHES: u32 = 50;

/// Who does not know the word may do anything.
const COUNT: Awaited = Awaited {
    what: "it gave a node count",
    doubt: "if it has no bench, write `bench = []` in `[identity]` (compare: `--no-bench`)",
};

/// The node count that all arms of a set agree in; 0 without a bench command.
pub(super) fn prove(job: &IdentityJob<'_>, set: &IdentitySet, cancel: &Cancel) -> Result<u64, Refusal> {
    if job.bench.is_empty() {
        return Ok(0);
    }
    let stop = cancel.child();
    let counts = spread(set.arms.len(), &stop, |arm| Ok(count(&set.arms[arm], job, &stop)?))?;
    let Some(&expected) = counts.first() else { return Ok(0) };
    match counts.iter().position(|&count| count != expected) {
        None => Ok(expected),
        Some(arm) => Err(Refusal::Differs(Box::new(Difference {
            lane: None,
            place: match set.name.as_str() {
                DEFAULT_SET => format!("`{}`", job.bench.join(" ")),
                set => format!("`{}`, builds of lane {set}", job.bench.join(" ")),
            },
            expected: (set.arms[0].name.clone(), format!("{expected} nodes")),
            found: (set.arms[arm].name.clone(), format!("{} nodes", counts[arm])),
        }))),
    }
}

/// The last line of the first report that has one, cut.
fn last_words(reports: &[Vec<String>]) -> String {
    let mut lines = reports.iter().flat_map(|report| report.iter().rev()).map(|line| line.trim());
    lines.find(|line| !line.is_empty()).map_or(String::new(), |line| line.chars().take(200).collect())
}

fn count(image: &ArmImage, job: &IdentityJob<'_>, cancel: &Cancel) -> Result<u64, Fault> {
    let limits = Limits { search: job.limits.search * SEARCHES, ..job.limits };
    let run = Run { bench: job.bench, place: "proof of the same tree", awaited: &COUNT, limits };
    count_of(image, &run, job.scratch, cancel)
}

/// One run of a bench.
pub(crate) struct Run<'a> {
    /// The arguments.
    pub bench: &'a [String],
    /// Where this is, for messages.
    pub place: &'a str,
    /// What it owes.
    pub awaited: &'static Awaited,
    /// How long it may take, as one search.
    pub limits: Limits,
}

/// The node count that an engine's bench reports.
pub(crate) fn count_of(
    image: &ArmImage,
    run: &Run<'_>,
    scratch: &Path,
    cancel: &Cancel,
) -> Result<u64, Fault> {
    let mut process = ArmProcess::spawn(image, run.bench, None, scratch, run.place)?;
    let command = run.bench.join(" ");
    process.set_step_awaiting(format!("at `{command}`"), run.awaited);
    let mut lines: Vec<String> = Vec::new();
    session::to_the_end(&mut process, "<n> nodes <nps> nps", &run.limits, cancel, |line| {
        lines.push(line);
        let surplus = lines.len().saturating_sub(KEPT_LINES);
        lines.drain(..surplus);
    })?;
    // Some engines report on standard error.
    let reports = [lines, process.error_lines()];
    let found = reports.iter().find_map(|report| bench_nodes(&report.join("\n")));
    found.ok_or_else(|| Fault::NoBench { arm: image.name.clone(), command, last: last_words(&reports) })
}
