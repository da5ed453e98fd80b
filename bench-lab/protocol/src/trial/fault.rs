//! What is wrong with a trial's records; each fault makes the trial void.

use std::fmt;

use crate::plan::PlanFault;
use crate::record::{ProcessRecord, SlotSpan};

/// Which process of the trial.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Run, from 1.
    pub run: usize,
    /// Phase, from 1.
    pub phase: usize,
    /// Lane name.
    pub lane: String,
    /// Arm name.
    pub arm: String,
    /// Process of that arm and phase, from 1.
    pub process: usize,
}

impl Place {
    /// Where a record says it belongs.
    pub fn of(record: &ProcessRecord) -> Self {
        Place {
            run: record.run,
            phase: record.phase,
            lane: record.lane.clone(),
            arm: record.arm.clone(),
            process: record.process,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { run, phase, lane, arm, process } = self;
        write!(f, "run {run}, phase {phase}, lane {lane}, arm {arm}, process {process}")
    }
}

/// Why records cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordFault {
    /// The plan itself is at fault.
    #[error(transparent)]
    Plan(#[from] PlanFault),
    /// A record of something that is not in the plan.
    #[error("{place}: not in the plan")]
    NotPlanned {
        /// Which process.
        place: Place,
    },
    /// Two records of one process.
    #[error("{place}: recorded twice, expected once")]
    Duplicate {
        /// Which process.
        place: Place,
    },
    /// No record of a process in the plan.
    #[error("{place}: no record, expected one")]
    Missing {
        /// Which process.
        place: Place,
    },
    /// Another layout seed than the plan's.
    #[error("{place}: layout seed {found}, expected {expected}")]
    DrawSeed {
        /// Which process.
        place: Place,
        /// Seed on record.
        found: u64,
        /// Seed derived from the plan.
        expected: u64,
    },
    /// Another start-up layout than the other arms of its phase had.
    #[error("{place}: {what} {found}, expected {expected} as for the phase's other arms")]
    Startup {
        /// Which process.
        place: Place,
        /// `stack offset`, `mapping offset`, `heap offset` or `table layout`.
        what: &'static str,
        /// What is on record.
        found: u64,
        /// What is on record for the first arm's process of the same number.
        expected: u64,
    },
    /// Another executable than the arm's first process of the phase.
    #[error("{place}: executable {found}, expected {expected} as for the phase's first process")]
    Executable {
        /// Which process.
        place: Place,
        /// SHA-256 on record.
        found: String,
        /// SHA-256 of the arm's first process of the phase.
        expected: String,
    },
    /// More or fewer searches than the workload has positions.
    #[error("{place}: {found} searches, expected {expected}")]
    Searches {
        /// Which process.
        place: Place,
        /// Searches on record.
        found: usize,
        /// Positions of the workload.
        expected: usize,
    },
    /// The arms searched different trees.
    #[error("{place}, position {position}: {found} nodes, expected {expected} as {reference} searched")]
    Nodes {
        /// Which process.
        place: Place,
        /// Position of the workload, from 1.
        position: usize,
        /// Nodes on record.
        found: u64,
        /// Nodes of the phase's first process.
        expected: u64,
        /// Arm of that process.
        reference: String,
    },
    /// A total that is not the sum of its searches.
    #[error("{place}: total {what} {found}, expected {expected}, the sum of its searches")]
    Total {
        /// Which process.
        place: Place,
        /// `nodes` or `processor time (ns)`.
        what: &'static str,
        /// Total on record.
        found: u64,
        /// Sum of the searches; `u64::MAX` when it does not fit.
        expected: u64,
    },
    /// Nothing was searched.
    #[error("{place}: 0 nodes, expected some")]
    NoNodes {
        /// Which process.
        place: Place,
    },
    /// A search took no time.
    #[error("{place}, position {position}: 0 ns of processor time, expected more")]
    NoTime {
        /// Which process.
        place: Place,
        /// Position of the workload, from 1.
        position: usize,
    },
    /// Memory and start-up time are not on record, though losses are to be judged.
    #[error("{place}: no peak memory or no start-up time, expected both")]
    NoFootprint {
        /// Which process.
        place: Place,
    },
    /// A slot span that does not fit the slot plan.
    #[error(
        "{place}: slots {} to {} counted as {}, expected {}",
        .found.first, .found.last, .found.count,
        .expected.map_or("a span that starts and ends in slots of this arm".to_owned(), |n| n.to_string())
    )]
    Slots {
        /// Which process.
        place: Place,
        /// Span on record.
        found: SlotSpan,
        /// The arm's slots in that span, when its ends belong to the arm.
        expected: Option<u64>,
    },
    /// A value that is no finite number.
    #[error(
        "run {run}, phase {phase}, lane {lane}, full against {arm}: value {value}, expected a finite number"
    )]
    NotFinite {
        /// Run, from 1.
        run: usize,
        /// Phase, from 1.
        phase: usize,
        /// Lane name.
        lane: String,
        /// The other arm.
        arm: String,
        /// The value.
        value: f64,
    },
}

impl RecordFault {
    /// The process that it is about, where there is one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            RecordFault::NotPlanned { place }
            | RecordFault::Duplicate { place }
            | RecordFault::Missing { place }
            | RecordFault::DrawSeed { place, .. }
            | RecordFault::Startup { place, .. }
            | RecordFault::Executable { place, .. }
            | RecordFault::Searches { place, .. }
            | RecordFault::Nodes { place, .. }
            | RecordFault::Total { place, .. }
            | RecordFault::NoNodes { place }
            | RecordFault::NoTime { place, .. }
            | RecordFault::NoFootprint { place }
            | RecordFault::Slots { place, .. } => Some(place),
            RecordFault::Plan(_) | RecordFault::NotFinite { .. } => None,
        }
    }
}
