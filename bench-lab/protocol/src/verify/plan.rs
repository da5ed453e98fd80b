//! The plan: its bytes, its form, and the balance of its order.

use super::{Misfit, PLAN};
use crate::plan::Plan;
use crate::{PlanFault, canonical, check_balance};

/// Reads the plan, with its id.
pub(super) fn read(bytes: &[u8]) -> Result<(Plan, String), Misfit> {
    let plan: Plan = serde_json::from_slice(bytes).map_err(|e| Misfit::file(PLAN, e))?;
    let canonical = canonical::to_bytes(&plan).map_err(|e| Misfit::file(PLAN, e))?;
    if canonical != bytes {
        let same = bytes.iter().zip(&canonical).take_while(|(a, b)| a == b).count();
        let what = format!(
            "byte {}: found {}, expected {}: not the canonical JSON that the lab writes",
            same + 1,
            told(bytes, same),
            told(&canonical, same)
        );
        return Err(Misfit::file(PLAN, what));
    }
    check_balance(&plan).map_err(|fault| misfit(&fault))?;
    Ok((plan, canonical::sha256_hex(bytes)))
}

/// A fault of the plan; its place in the one line of the file says nothing.
pub(super) fn misfit(fault: &PlanFault) -> Misfit {
    let told = fault.to_string();
    let what = told.strip_prefix("plan, ").or_else(|| told.strip_prefix("plan: ")).unwrap_or(&told);
    Misfit::file(PLAN, what)
}

/// What stands at a place.
fn told(bytes: &[u8], at: usize) -> String {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest {
        [] => "the end".to_owned(),
        rest => format!("`{}`", String::from_utf8_lossy(&rest[..rest.len().min(20)]).escape_debug()),
    }
}
