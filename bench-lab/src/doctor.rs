//! What on this machine disturbs measurements: looked at, measured where it can be, each with what it costs and what mends it.
//!
//! | step | where |
//! |---|---|
//! | one thing that was looked at | [`finding`] |
//! | the system's own words, twice with a pause between | [`reading`] |
//! | what they say, pure | [`words`] |
//! | what follows, pure: one function a thing | [`checks`] |
//! | how steadily the core works | [`steadiness`] |

pub mod checks;
pub mod finding;
pub mod reading;
pub mod steadiness;
pub mod words;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::{Cancel, Fault};
use checks::{clock, company, memory, system};
pub use finding::{Finding, Status};
use protocol::plan::Machine;
use reading::Readings;

/// Version of [`Report`].
pub const DOCTOR_FORMAT: u32 = 1;

/// Everything that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Version of this structure.
    pub format: u32,
    /// When, RFC 3339 in UTC.
    pub created: String,
    /// The core that was looked at.
    pub core: usize,
    /// For how many seconds.
    pub seconds: f64,
    /// The worst of all findings.
    pub status: Status,
    /// One for everything that was looked at.
    pub findings: Vec<Finding>,
    /// Facts of the machine.
    pub machine: Machine,
}

/// Looks at everything that concerns `core`, for about as long as `window`; `folder` is where the lab would work.
pub fn examine(core: usize, window: Duration, folder: &Path, cancel: &Cancel) -> Result<Vec<Finding>, Fault> {
    let before = Readings::take(core, folder);
    let begun = Instant::now();
    let steady = steadiness::measure(core, window, cancel)?;
    let after = Readings::take(core, folder);
    let counted = company::Counted::between(&before, &after, core, begun.elapsed().as_secs_f64());
    let speed = system::measure_speed(folder);
    Ok([
        company::cores(&after),
        company::gaps(&steady),
        clock::steady(&steady),
        company::load(&counted),
        company::steal(&counted),
        company::sibling(&counted),
        company::interrupts(&counted),
        company::quota(&counted, &after),
        clock::governor(&after),
        clock::boost(&after),
        clock::throttling(&before, &after),
        clock::source(&after, speed.clock_ns),
        clock::timers(speed.late_us),
        memory::huge_pages(&after),
        memory::swap(&before, &after),
        memory::balancing(&after),
        system::virtual_machine(&after),
        system::counters(&after),
        system::randomisation(),
        system::disk(&after, &speed),
        system::battery(&after),
    ]
    .to_vec())
}
