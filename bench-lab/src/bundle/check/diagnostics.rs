//! What is measured after the trial: components that are removed together.

use protocol::PHASES;
use protocol::diagnostics::DEFAULT_PHASES;
use toml::Spanned;

use super::super::{Diagnostics, schema};
use super::Checker;

impl Checker<'_> {
    pub(super) fn diagnostics(
        &mut self,
        written: Option<&Spanned<schema::Diagnostics>>,
        components: &[Spanned<schema::Component>],
    ) -> Option<Diagnostics> {
        let written = written?.get_ref();
        let groups = written.together.get_ref();
        if groups.is_empty() {
            let expected = "`together = [[\"a\", \"b\"], …]`: names of components that are removed together";
            self.complain(written.together.span(), "nothing to diagnose", "an empty list".into(), expected);
        }
        let mut together: Vec<Vec<usize>> = Vec::new();
        for group in groups {
            let Some(members) = self.group(group, components) else { continue };
            if together.contains(&members) {
                let found = "the same components as before".to_string();
                self.complain(group.span(), "a group stands twice", found, "each once");
            }
            together.push(members);
        }
        let phases = written.phases.as_ref().map_or(DEFAULT_PHASES, |phases| *phases.get_ref());
        if let Some(written) = written.phases.as_ref().filter(|_| !(1..=PHASES).contains(&phases)) {
            let expected = format!("1 to {PHASES} phases in each of the eight runs");
            self.complain(written.span(), "not a number of phases", phases.to_string(), &expected);
        }
        Some(Diagnostics { together, phases })
    }

    /// The components of a group by their numbers, in the bundle's order.
    fn group(
        &mut self,
        group: &Spanned<Vec<Spanned<String>>>,
        components: &[Spanned<schema::Component>],
    ) -> Option<Vec<usize>> {
        let names: Vec<&String> = components.iter().map(|c| c.get_ref().name.get_ref()).collect();
        let before = self.problems.len();
        self.unique("a component of a group", group.get_ref().iter());
        let mut members = Vec::new();
        for name in group.get_ref() {
            match names.iter().position(|known| *known == name.get_ref()) {
                Some(number) => members.push(number),
                None => {
                    let problem = self.source.at(name.span(), "no such component");
                    let problem = problem.found(format!("`{}`", name.get_ref()));
                    self.problems.push(problem.one_of(name.get_ref(), &names));
                }
            }
        }
        if self.problems.len() > before {
            return None;
        }
        if members.len() < 2 {
            let found = if members.is_empty() { "none" } else { "one" }.to_string();
            let expected = "two components or more: each is left out alone by the trial itself";
            self.complain(group.span(), "not a group", found, expected);
            return None;
        }
        members.sort_unstable();
        // Of prebuilt executables there is one without each component, and one without all.
        let by_file = |number: &usize| components[*number].get_ref().executable.is_some();
        let (lacking, all) =
            (members.iter().filter(|n| by_file(n)).count(), (0..names.len()).filter(by_file).count());
        if lacking > 1 && lacking < all {
            let expected =
                "components that are switched by something else, or all of them: the lab builds nothing here";
            let found = "no executable without these components".to_string();
            self.complain(group.span(), "it cannot be measured", found, expected);
            return None;
        }
        Some(members)
    }
}
