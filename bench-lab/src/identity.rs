//! The proof that all arms search the same tree.
//!
//! Nothing is timed here, so the arms are spread over all cores that the lab may use.

pub(crate) mod bench;
mod compare;
mod suite;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use protocol::plan::{Identity, IdentityLevel, Lane};

use crate::arm::ArmImage;
use crate::arm::session::Limits;
use crate::cancel::Cancel;
use crate::fault::Fault;

/// One level of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Positions in FEN.
    pub positions: Vec<String>,
    /// Nodes searched on each.
    pub nodes: u64,
}

/// All arms of one build set; differences are told against the earlier one.
#[derive(Clone, Debug)]
pub struct IdentitySet {
    /// Name of the set.
    pub name: String,
    /// Its arms.
    pub arms: Vec<ArmImage>,
}

/// What the proof covers.
#[derive(Clone, Copy, Debug)]
pub struct IdentityJob<'a> {
    /// The build sets.
    pub sets: &'a [IdentitySet],
    /// The lanes: every one is proven with its builds and options.
    pub lanes: &'a [Lane],
    /// The suite.
    pub levels: &'a [Level],
    /// Arguments that make an arm print its bench and end; none when it has no such command.
    pub bench: &'a [String],
    /// Folder for the copies of the executables.
    pub scratch: &'a Path,
    /// Time limits; the bench may take as long as one search, times fifty.
    pub limits: Limits,
}

/// The first place where two arms differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The lane; none for the bench.
    pub lane: Option<String>,
    /// The position and how it was searched, or the bench command.
    pub place: String,
    /// The arm that comes first among the arms, and what it said.
    pub expected: (String, String),
    /// The other arm, and what it said instead.
    pub found: (String, String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the trees differ on {}", self.place)?;
        if let Some(lane) = &self.lane {
            write!(f, ", lane {lane}")?;
        }
        let width = self.expected.0.len().max(self.found.0.len());
        for (arm, line) in [&self.expected, &self.found] {
            write!(f, "\n  {arm:width$}  {line}")?;
        }
        Ok(())
    }
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Two arms search different trees.
    #[error("{0}")]
    Differs(Box<Difference>),
    /// An arm could not be driven to the end.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The arms begin their bench, if they have one.
    Bench,
    /// They begin the suite.
    Suite,
    /// An arm has finished a search; there are [`searches`] of them.
    Search,
}

/// Proves that all arms search the same tree, or shows the first line that differs.
///
/// `on_step` is told of every step, of searches from any thread.
pub fn prove(
    job: &IdentityJob<'_>,
    cancel: &Cancel,
    on_step: &(dyn Fn(Step) + Sync),
) -> Result<Identity, Refusal> {
    if !job.bench.is_empty() {
        on_step(Step::Bench);
    }
    let mut bench_nodes = BTreeMap::new();
    for set in job.sets {
        bench_nodes.insert(set.name.clone(), bench::prove(job, set, cancel)?);
    }
    on_step(Step::Suite);
    let on_search = || on_step(Step::Search);
    let mut digests = BTreeMap::new();
    for lane in job.lanes {
        digests.insert(lane.name.clone(), suite::prove(job, lane, cancel, &on_search)?);
    }
    let levels = job.levels.iter();
    let levels =
        levels.map(|level| IdentityLevel { positions: level.positions.len(), nodes: level.nodes }).collect();
    Ok(Identity { levels, bench_nodes, digests })
}

/// How many searches [`prove`] makes.
pub fn searches(job: &IdentityJob<'_>) -> usize {
    let positions: usize = job.levels.iter().map(|level| level.positions.len()).sum();
    job.lanes.iter().map(|lane| positions * job.sets[lane.build].arms.len()).sum()
}

/// Gives every arm's index to `work`, on as many threads as there are cores for this process; ends
/// early with the first failure in the arms' order.
fn spread<T: Send>(
    arms: usize,
    stop: &Cancel,
    work: impl Fn(usize) -> Result<T, Refusal> + Sync,
) -> Result<Vec<T>, Refusal> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<T, Refusal>>>> = Mutex::new((0..arms).map(|_| None).collect());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(arms);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !stop.is_cancelled() {
                    let arm = next.fetch_add(1, Ordering::Relaxed);
                    if arm >= arms {
                        break;
                    }
                    let result = work(arm);
                    if result.is_err() {
                        stop.cancel();
                    }
                    if let Ok(mut results) = results.lock() {
                        results[arm] = Some(result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().map_err(|_| Fault::Job("an identity thread panicked".to_owned()))?;
    let (mut done, mut cancelled) = (Vec::with_capacity(arms), false);
    for result in results {
        match result {
            Some(Ok(value)) => done.push(value),
            // The others were stopped because of the one that failed for a reason of its own.
            None | Some(Err(Refusal::Fault(Fault::Cancelled))) => cancelled = true,
            Some(Err(refusal)) => return Err(refusal),
        }
    }
    if cancelled { Err(Fault::Cancelled.into()) } else { Ok(done) }
}
