//! A plan with everything that it is carried out with: the same for the trial's phases and for the diagnostics after them.

use anyhow::bail;
use protocol::Plan;
use protocol::plan::Lane;

use crate::Cancel;
use crate::builds::Yard;
use crate::bundle::Bundle;
use crate::fixed::Fixed;
use crate::folder::Folder;
use crate::progress::Progress;
use crate::subject::ArmSet;

/// What phases of a plan are drawn from, measured with and recorded in.
#[derive(Clone, Copy)]
pub struct Planned<'a> {
    /// What is fixed.
    pub plan: &'a Plan,
    /// Its id.
    pub plan_id: &'a str,
    /// The bundle it was made from.
    pub bundle: &'a Bundle,
    /// The arms of every build set, in the plan's order; each holds those of the diagnostics.
    pub sets: &'a [ArmSet],
    /// The lanes as arms are driven on them, in the plan's order.
    pub lanes: &'a [Lane],
    /// Where it links.
    pub yard: &'a Yard,
    /// Where it records.
    pub folder: &'a Folder,
    /// Where it tells how far it is.
    pub progress: &'a Progress,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
}

impl Planned<'_> {
    /// Looks again at everything that the plan fixes.
    ///
    /// # Errors
    /// With everything that differs, one line each.
    pub fn check(&self) -> anyhow::Result<()> {
        let &Planned { plan, plan_id, folder, bundle, sets, lanes, .. } = self;
        let differs = Fixed { plan, plan_id, folder, bundle, sets, lanes }.differences();
        if !differs.is_empty() {
            bail!("not as planned:\n  {}", differs.join("\n  "));
        }
        Ok(())
    }
}
