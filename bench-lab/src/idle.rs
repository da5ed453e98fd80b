//! Nothing to prove: components whose switch changes neither code nor data.

use std::path::Path;

use anyhow::Context;
use layouts::image::contents_sha256;
use protocol::plan::{FULL, without};

use crate::bundle::problem::Problem;
use crate::bundle::{Bundle, Component};
use crate::draws::Drawn;
use crate::subject::ArmSet;

/// Finds every component without which `full` holds the same code and data, though the inputs of the two links differ: in
/// names, paths, hashes or debug information.
///
/// Compared are the executables as first linked, and those of one draw, which gives every unit the same place in both.
pub fn find(bundle: &Bundle, set: &ArmSet, drawn: &Drawn) -> anyhow::Result<Vec<Problem>> {
    let full = Contents::of(set, drawn, FULL)?;
    let mut problems = Vec::new();
    for (number, component) in bundle.components.iter().enumerate() {
        if component.switch.is_built() && Contents::of(set, drawn, without(number))?.agrees(&full) {
            problems.push(problem(bundle, set, component));
        }
    }
    Ok(problems)
}

/// What an arm holds in memory.
struct Contents {
    natural: String,
    drawn: String,
}

impl Contents {
    fn of(set: &ArmSet, drawn: &Drawn, arm: usize) -> anyhow::Result<Contents> {
        let of = |path: &Path| {
            contents_sha256(path)
                .with_context(|| format!("arm {} cannot be compared", set.subject(arm).told()))
        };
        Ok(Contents { natural: of(set.subject(arm).executable())?, drawn: of(drawn.executable(arm))? })
    }

    fn agrees(&self, other: &Contents) -> bool {
        self.natural == other.natural || self.drawn == other.drawn
    }
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
