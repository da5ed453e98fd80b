//! Nothing to prove: components whose switch changes neither code nor data.

use anyhow::Context;
use layouts::image::{contents_sha256, same_units};
use protocol::plan::{FULL, without};

use crate::bundle::problem::Problem;
use crate::bundle::{Bundle, Component};
use crate::draws::Drawn;
use crate::subject::ArmSet;

/// Finds every component without which `full` holds the same code and data, though the inputs of the two links differ: in
/// names, paths, hashes or debug information.
///
/// Compared are the executables as first linked, and unit by unit those of one draw, which gives every unit the same place
/// in both.
pub fn find(bundle: &Bundle, set: &ArmSet, drawn: &Drawn) -> anyhow::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for (number, component) in bundle.components.iter().enumerate() {
        if component.switch.is_built() && is_same(set, drawn, without(number))? {
            problems.push(problem(bundle, set, component));
        }
    }
    Ok(problems)
}

/// Whether an arm holds the same code and data as `full`.
fn is_same(set: &ArmSet, drawn: &Drawn, arm: usize) -> anyhow::Result<bool> {
    let failed = || format!("arm {} cannot be compared with full", set.subject(arm).told());
    let natural = |arm: usize| contents_sha256(set.subject(arm).executable());
    if natural(arm).with_context(failed)? == natural(FULL).with_context(failed)? {
        return Ok(true);
    }
    let of = |arm: usize| Some((drawn.image(arm)?, set.subject(arm).capture()?.units()));
    let both = of(FULL).zip(of(arm));
    both.map_or(Ok(false), |(full, other)| same_units(full, other)).with_context(failed)
}

fn problem(bundle: &Bundle, set: &ArmSet, component: &Component) -> Problem {
    let what = format!("the switch of component {} changes neither code nor data", component.name);
    let found = format!(
        "`full` and `without:{}` the same on {} but for names, paths or debug information",
        component.name,
        set.told_lanes(bundle)
    );
    let expected = format!("a switch that changes what is executed ({})", component.switch);
    Problem::whole(&bundle.file, what).found(found).expected(expected)
}
