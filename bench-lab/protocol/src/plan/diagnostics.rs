//! Diagnostics: components that are removed together after the trial, without a part in its verdict.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ArmBuild, Run};

/// What is measured after run 8, fixed beforehand like everything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnostics {
    /// What is removed together; each makes an arm beside `base` and `full`.
    pub together: Vec<Together>,
    /// Phases of each of the eight runs.
    pub phases: usize,
    /// The schedule, as for the trial: one entry for every run, whose arms are `base`, `full`, then one for every entry
    /// of `together`.
    pub runs: Vec<Run>,
}

/// Components that are removed together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// Their names, in the bundle's order.
    pub components: Vec<String>,
    /// UCI options of the arm without them, set after the lane's.
    pub options: BTreeMap<String, String>,
    /// The build without them, of every build set in the plan's order.
    pub builds: Vec<ArmBuild>,
}

impl Together {
    /// Name of the arm without them: `without:a+b`.
    pub fn arm(&self) -> String {
        together_name(&self.components)
    }
}

/// Name of the arm that lacks several components.
pub fn together_name<S: AsRef<str>>(components: &[S]) -> String {
    let names: Vec<&str> = components.iter().map(AsRef::as_ref).collect();
    format!("without:{}", names.join("+"))
}

impl Diagnostics {
    /// Names of the arms: `base`, `full`, then one without each group.
    pub fn arms(&self) -> Vec<String> {
        let groups = self.together.iter().map(Together::arm);
        ["base".to_owned(), "full".to_owned()].into_iter().chain(groups).collect()
    }
}
