//! The diagnostics: every line in its place as far as they were measured, and everything in it that follows from
//! something else.

use super::records::{cut_short, first_slots, misfit, parsed, places};
use super::{DIAGNOSTICS, Misfit};
use crate::canonical::sha256_hex;
use crate::plan::{Plan, Series};
use crate::record::ProcessRecord;
use crate::trial::{Place, check_phase};

/// Diagnostics in which everything fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosed {
    /// Number of records.
    pub records: usize,
    /// SHA-256 of `diagnostics.jsonl`.
    pub sha256: String,
    /// The process that they broke off before, if they did not come to their end.
    pub broke_off: Option<Place>,
    /// Line of the register that vouches for the file, where there is one.
    pub line: Option<usize>,
}

/// Reads the records of the diagnostics, if there are any, and checks them against the plan.
pub(super) fn read(plan: &Plan, bytes: Option<&[u8]>) -> Result<Option<Diagnosed>, Misfit> {
    let Some(bytes) = bytes else { return Ok(None) };
    let Some(fixed) = &plan.diagnostics else {
        return Err(Misfit::file(DIAGNOSTICS, "found records, expected none: the plan has no diagnostics"));
    };
    let series = fixed.series(plan);
    let records = parsed(DIAGNOSTICS, bytes)?;
    let broke_off = places(DIAGNOSTICS, &series, &records)?;
    // What lanes measure at once is written at once.
    let at_once = plan.measure.groups(plan.lanes.len()).first().map_or(1, Vec::len);
    let of_lane = plan.measure.processes * series.arms.len();
    if let Some(missing) = &broke_off
        && !records.len().is_multiple_of(of_lane * at_once)
    {
        return Err(cut_short(DIAGNOSTICS, &records, missing));
    }
    records.chunks(of_lane).try_for_each(|phase| contents(&series, phase, &records))?;
    first_slots(DIAGNOSTICS, &series, &records)?;
    Ok(Some(Diagnosed { records: records.len(), sha256: sha256_hex(bytes), broke_off, line: None }))
}

/// Checks the records of a phase of a lane, of which each is in its place.
fn contents(series: &Series<'_>, phase: &[ProcessRecord], records: &[ProcessRecord]) -> Result<(), Misfit> {
    let Some(first) = phase.first() else { return Ok(()) };
    let lane = series.plan.lanes.iter().position(|lane| lane.name == first.lane).unwrap_or_default();
    let of_arm = |arm| phase.iter().skip(arm).step_by(series.arms.len()).collect();
    let by_arm: Vec<Vec<&ProcessRecord>> = (0..series.arms.len()).map(of_arm).collect();
    check_phase(series, [lane, first.run - 1, first.phase - 1], |arm| by_arm[arm].as_slice())
        .map_err(|fault| misfit(DIAGNOSTICS, &fault, records))
}
