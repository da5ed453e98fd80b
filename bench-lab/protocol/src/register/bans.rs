//! Components that did not earn their place and may not come back.

use std::collections::BTreeSet;

use super::chain::switches;
use super::{Component, Elimination, Event, Register, Registered};

/// A component that a bundle may not hold again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban<'a> {
    /// As the bundle has it now.
    pub component: &'a Component,
    /// As the trial had it.
    pub eliminated: &'a Component,
    /// The trial that did not prove it.
    pub trial: &'a Registered,
}

impl Register {
    /// All eliminations, in order.
    pub fn eliminations(&self) -> impl Iterator<Item = &Elimination> {
        self.entries().iter().filter_map(|entry| match &entry.event {
            Event::Elimination(elimination) => Some(elimination),
            _ => None,
        })
    }

    /// Components of a bundle that an earlier trial of it did not prove; of each component the first such trial.
    ///
    /// An earlier trial of the bundle is one of the same name, of the same set of switches, or of a bundle that this one
    /// was left over from.
    pub fn bans<'a>(&'a self, bundle: &str, components: &'a [Component]) -> Vec<Ban<'a>> {
        let names = self.line_of(bundle);
        let own = switches(components);
        let mut gone = Vec::new();
        for elimination in self.eliminations() {
            let Some(trial) = self.trial(&elimination.plan_id) else { continue };
            if names.contains(elimination.bundle.as_str()) || switches(&trial.plan.components) == own {
                gone.extend(elimination.components.iter().map(|eliminated| (eliminated, trial)));
            }
        }
        let ban = |component: &'a Component| {
            let (eliminated, trial) = gone.iter().find(|(eliminated, _)| eliminated.is(component))?;
            Some(Ban { component, eliminated, trial })
        };
        components.iter().filter_map(ban).collect()
    }

    /// A name for what is left of a bundle: `<first bundle>-2`, or the next number that is not `taken`.
    pub fn candidate(&self, bundle: &str, taken: impl Fn(&str) -> bool) -> String {
        let root = self.root(bundle);
        let known: BTreeSet<&str> = self
            .trials()
            .iter()
            .map(|trial| trial.plan.bundle.as_str())
            .chain(self.eliminations().filter_map(|gone| gone.candidate.as_deref()))
            .collect();
        let mut number = 2_u64;
        loop {
            let name = format!("{root}-{number}");
            if !known.contains(name.as_str()) && !taken(&name) {
                return name;
            }
            number += 1;
        }
    }

    /// The bundle and all those that it was left over from.
    fn line_of<'a>(&'a self, bundle: &'a str) -> BTreeSet<&'a str> {
        let mut names = BTreeSet::from([bundle]);
        loop {
            let known = names.len();
            for gone in self.eliminations() {
                if gone.candidate.as_deref().is_some_and(|candidate| names.contains(candidate)) {
                    names.insert(&gone.bundle);
                }
            }
            if names.len() == known {
                return names;
            }
        }
    }

    /// The first bundle of its line.
    fn root<'a>(&'a self, bundle: &'a str) -> &'a str {
        let names = self.line_of(bundle);
        let is_left_over =
            |name: &str| self.eliminations().any(|gone| gone.candidate.as_deref() == Some(name));
        names.into_iter().find(|name| !is_left_over(name)).unwrap_or(bundle)
    }
}
