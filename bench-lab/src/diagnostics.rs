//! Diagnostics: after run 8, components removed together, measured as in the trial and recorded beside it.

use anyhow::Context;
use protocol::plan::{self, PhaseOf};

use crate::ahead::ahead;
use crate::measure::{Gate, Stage, StageClock};
use crate::phases::Phases;
use crate::planned::Planned;
use crate::vigil::Vigil;

/// Everything that the diagnostics work with.
pub struct Diagnosis<'a> {
    /// The plan, and what it is carried out with.
    pub planned: Planned<'a>,
    /// Its part for them.
    pub fixed: &'a plan::Diagnostics,
}

impl Diagnosis<'_> {
    /// Measures everything; what is measured is in the folder's records of diagnostics.
    pub fn run(&self) -> anyhow::Result<()> {
        let Planned { plan, sets, lanes, folder, progress, cancel, .. } = self.planned;
        self.planned.check()?;
        let none = "no arms for diagnostics were built";
        let phases = Phases {
            planned: self.planned,
            series: self.fixed.series(plan),
            sets: sets.iter().map(|set| set.joint.as_deref().context(none)).collect::<anyhow::Result<_>>()?,
            part: "diagnostics, ",
        };
        let mut records = folder.diagnostic_records()?;
        let mut nodes: Vec<Option<Vec<u64>>> = vec![None; lanes.len()];
        let all = phases.series.in_order();
        let mut pieces = progress.pieces(all.len());
        let (gate, vigil) = (Gate::new(), Vigil::begin()?);
        ahead(
            &gate,
            all.clone(),
            |of: PhaseOf| phases.draw(&of, &gate),
            |draws| {
                // Where their time goes is nobody's question.
                let mut clock = StageClock::begin(Stage::Starting);
                for (done, of) in all.iter().enumerate() {
                    cancel.check()?;
                    pieces.at(done, &phases.place(of));
                    let drawn = draws.next(cancel)?;
                    let measured = phases.measure(of, drawn, &mut nodes, &mut clock, &gate)?;
                    vigil.check()?;
                    records.append(&measured)?;
                    draws.release();
                }
                Ok(())
            },
        )
    }
}
