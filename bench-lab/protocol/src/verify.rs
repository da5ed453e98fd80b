//! A finished trial looked at by somebody who believes nothing: everything is computed again from the raw files.
//!
//! | step | where |
//! |---|---|
//! | the plan: its bytes, its form, the balance of its order | `plan` |
//! | the records: every line in its place, sums, draws, slots | `records` |
//! | the stored verdict: digests, every value, every word | `stored` |
//! | the diagnostics, as far as they were measured: as the records | `diagnostics` |
//! | the register: its chain, and its lines of this trial | `registered` |

mod diagnostics;
mod misfit;
mod plan;
mod records;
mod registered;
mod stored;

pub use diagnostics::Diagnosed;
pub use misfit::Misfit;

use crate::plan::Plan;
use crate::record::ProcessRecord;
use crate::trial::RecordFault;
use crate::{Verdict, judge};

/// Names of a trial's files, and how messages call the register.
pub const PLAN: &str = "plan.json";
/// The records.
pub const RECORDS: &str = "records.jsonl";
/// The verdict.
pub const VERDICT: &str = "verdict.json";
/// The records of the diagnostics.
pub const DIAGNOSTICS: &str = "diagnostics.jsonl";

/// What a trial left, as bytes.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// `plan.json`.
    pub plan: &'a [u8],
    /// `records.jsonl`.
    pub records: &'a [u8],
    /// `verdict.json`, if it is there.
    pub verdict: Option<&'a [u8]>,
    /// `diagnostics.jsonl`, if it is there.
    pub diagnostics: Option<&'a [u8]>,
    /// The register, if there is one.
    pub register: Option<RegisterFile<'a>>,
}

/// A register as bytes.
#[derive(Clone, Copy)]
pub struct RegisterFile<'a> {
    /// Its name, for messages.
    pub name: &'a str,
    /// All of it.
    pub bytes: &'a [u8],
    /// Whether a folder that it notes is the trial's own.
    pub is_here: &'a dyn Fn(&str) -> bool,
}

/// A trial in which everything fits.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Its plan.
    pub plan: Plan,
    /// SHA-256 of `plan.json`.
    pub plan_id: String,
    /// Number of records.
    pub records: usize,
    /// The verdict that they give.
    pub verdict: Verdict,
    /// Its diagnostics, as far as they were measured.
    pub diagnostics: Option<Diagnosed>,
    /// The register's line of the plan and number of lines, where it has one.
    pub registered: Option<(usize, usize)>,
}

/// Computes everything again and compares.
///
/// # Errors
/// The first thing that does not fit.
pub fn verify(files: &Files<'_>) -> Result<Verified, Misfit> {
    let (plan, plan_id) = plan::read(files.plan)?;
    // A changed plan makes good records look wrong: whether it is the one that was fixed comes first.
    let stored = stored::read(files.verdict, &plan_id)?;
    let register = match &files.register {
        Some(file) => registered::planned(file, &plan, &plan_id)?,
        None => None,
    };
    let records = records::read(&plan, files.records)?;
    let digest = crate::canonical::sha256_hex(files.records);
    let verdict =
        judge(&plan, &records, &digest).map_err(|fault| records::misfit(RECORDS, &fault, &records))?;
    stored.compare(&verdict)?;
    let mut diagnostics = diagnostics::read(&plan, files.diagnostics)?;
    let registered = match &register {
        Some(known) => {
            let registered = known.ended(&verdict)?;
            let line = known.diagnosed(diagnostics.as_ref().map(|found| found.sha256.as_str()))?;
            diagnostics.iter_mut().for_each(|found| found.line = line);
            Some(registered)
        }
        None => None,
    };
    Ok(Verified { plan, plan_id, records: records.len(), verdict, diagnostics, registered })
}

/// Why records can't be judged, with the line of their file: the first that is out of place, where one is.
pub fn misfit(plan: &Plan, records: &[ProcessRecord], fault: &RecordFault) -> Misfit {
    match fault {
        RecordFault::Plan(fault) => plan::misfit(fault),
        fault => {
            records::whole(plan, records).err().unwrap_or_else(|| records::misfit(RECORDS, fault, records))
        }
    }
}

/// Looks at a trial that its folder says is void: its plan, and whether the register agrees. Gives the plan's id and, where it
/// is registered, its line and the number of lines.
///
/// # Errors
/// The first thing that does not fit.
pub fn verify_void(
    plan: &[u8],
    register: Option<&RegisterFile<'_>>,
) -> Result<(String, Option<(usize, usize)>), Misfit> {
    let (_, plan_id) = plan::read(plan)?;
    let registered = match register {
        Some(file) => registered::compare_void(file, &plan_id)?,
        None => None,
    };
    Ok((plan_id, registered))
}
