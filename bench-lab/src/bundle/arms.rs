//! Arms: which components are on in each.

use std::collections::BTreeMap;
use std::fmt;

use protocol::plan::{BASE, arm_names, without};

use super::{Bundle, Component, Switch};

/// One arm: the components that are on in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// `base`, `full` or `without:<component>`.
    pub name: String,
    /// For every component, in the bundle's order.
    pub on: Vec<bool>,
}

impl Bundle {
    /// All arms: `base`, `full`, then one `without:<component>` each.
    pub fn arms(&self) -> Vec<Arm> {
        let names = arm_names(self.components.iter().map(|component| component.name.as_str()));
        let on = |arm: usize| (0..self.components.len()).map(|c| arm != BASE && arm != without(c)).collect();
        names.into_iter().enumerate().map(|(arm, name)| Arm { name, on: on(arm) }).collect()
    }

    /// The components with their state in an arm.
    pub fn states<'a>(&'a self, arm: &'a Arm) -> impl Iterator<Item = (&'a Component, bool)> {
        self.components.iter().zip(arm.on.iter().copied())
    }

    /// UCI options of an arm, set after the lane's.
    pub fn options(&self, arm: &Arm) -> BTreeMap<String, String> {
        let states = self.states(arm);
        let options = states.filter_map(|(component, is_on)| match &component.switch {
            Switch::Option { name, on, off } => Some((name.clone(), if is_on { on } else { off }.clone())),
            _ => None,
        });
        options.collect()
    }

    /// For every arm the first arm that has the same executable: those that differ in options alone, and
    /// `base` and `without` of the only component.
    pub fn same_builds(&self) -> Vec<usize> {
        let arms = self.arms();
        let built = |arm: &Arm| -> Vec<bool> {
            self.states(arm).map(|(component, is_on)| is_on && component.switch.is_built()).collect()
        };
        let all: Vec<Vec<bool>> = arms.iter().map(built).collect();
        all.iter().map(|one| all.iter().position(|other| other == one).unwrap_or_default()).collect()
    }
}

impl Switch {
    /// Whether it makes another executable.
    pub fn is_built(&self) -> bool {
        !matches!(self, Switch::Option { .. })
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Switch::Feature(feature) => write!(f, "feature {feature}"),
            Switch::Option { name, on, off } => write!(f, "option {name}: {on} when on, {off} when off"),
        }
    }
}
