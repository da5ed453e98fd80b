//! Components and features: each exists, once, and can be left out.

use toml::Spanned;

use super::super::problem::Problem;
use super::super::{Component, Package, Switch, schema};
use super::Checker;

impl Checker<'_> {
    /// A feature must exist in the package.
    fn feature(&mut self, feature: &Spanned<String>, package: Option<&Package>) {
        let known = package.map(Package::features);
        if let Some(known) = known.filter(|known| !known.contains(&feature.get_ref().as_str())) {
            let problem = self.source.at(feature.span(), "no such feature in the package");
            let name = feature.get_ref();
            self.problems.push(problem.found(format!("`{name}`")).one_of(name, &known));
        }
    }

    pub(super) fn features(
        &mut self,
        build: &Spanned<schema::Build>,
        package: Option<&Package>,
    ) -> Vec<String> {
        let features = &build.get_ref().features;
        self.unique("a feature", features.iter());
        features.iter().for_each(|feature| self.feature(feature, package));
        features.iter().map(|feature| feature.get_ref().clone()).collect()
    }

    pub(super) fn components(
        &mut self,
        written: &[Spanned<schema::Component>],
        always: &[String],
        package: Option<&Package>,
    ) -> Vec<Component> {
        if written.is_empty() {
            let problem = Problem::whole(&self.source.path, "no component");
            let expected = "at least one `[[component]]` with `name`, a switch and `costs`";
            self.problems.push(problem.found("nothing to leave out").expected(expected));
        }
        let all = || written.iter().map(Spanned::get_ref);
        self.unique("a component's name", all().map(|c| &c.name));
        self.unique("a component's feature", all().filter_map(|c| c.feature.as_ref()));
        let options = all().filter_map(|c| c.option.as_ref());
        self.unique("a component's option", options.map(|option| &option.get_ref().name));
        let features: Vec<_> = all().filter_map(|c| c.feature.as_ref()).collect();
        let mut components = Vec::with_capacity(written.len());
        for component in written {
            let written = component.get_ref();
            self.name(&written.name);
            if written.costs.is_none() {
                let found = format!("component `{}` without `costs`", written.name.get_ref());
                let expected = "`costs = [\"memory\"]` or the like; `costs = []` says that it costs nothing";
                self.complain(component.span(), "what it may cost is not said", found, expected);
            }
            let Some(switch) = self.switch(component) else { continue };
            if let Some(feature) = &written.feature {
                self.feature(feature, package);
                self.overlap(feature, always, &features, package);
            }
            components.push(Component {
                name: written.name.get_ref().clone(),
                switch,
                costs: written.costs.iter().flatten().map(|cost| cost.get_ref().clone()).collect(),
            });
        }
        components
    }

    /// Every component has exactly one switch.
    fn switch(&mut self, component: &Spanned<schema::Component>) -> Option<Switch> {
        let written = component.get_ref();
        let given: Vec<&str> = [("feature", written.feature.is_some()), ("option", written.option.is_some())]
            .into_iter()
            .filter_map(|(key, is_given)| is_given.then_some(key))
            .collect();
        match (given.as_slice(), &written.feature, &written.option) {
            (["feature"], Some(feature), _) => Some(Switch::Feature(feature.get_ref().clone())),
            (["option"], _, Some(option)) => self.option_switch(option),
            _ => {
                let found = match given.as_slice() {
                    [] => format!("component `{}` without a switch", written.name.get_ref()),
                    several => format!("`{}`", several.join("` and `")),
                };
                let expected = "exactly one of `feature` and `option`";
                self.complain(component.span(), "not one switch", found, expected);
                None
            }
        }
    }

    fn option_switch(&mut self, option: &Spanned<schema::SwitchOption>) -> Option<Switch> {
        let written = option.get_ref();
        let (on, off) = (self.option_value(&written.on)?, self.option_value(&written.off)?);
        if on == off {
            let found = format!("`{on}` for both");
            self.complain(option.span(), "the option switches nothing", found, "two different values");
        }
        Some(Switch::Option { name: written.name.get_ref().clone(), on, off })
    }

    /// A component that something else switches on can't be left out.
    fn overlap(
        &mut self,
        feature: &Spanned<String>,
        always: &[String],
        components: &[&Spanned<String>],
        package: Option<&Package>,
    ) {
        let name = feature.get_ref().as_str();
        let switches = |other: &str| {
            other == name || package.is_some_and(|package| package.closure(other).contains(name))
        };
        if let Some(other) = always.iter().find(|other| switches(other)) {
            let found =
                format!("`{name}`, which `features = [\"{other}\"]` of [build] switches on in every arm");
            self.complain(feature.span(), "it can't be left out", found, "a feature that base does not have");
        }
        let others = components.iter().filter(|other| other.get_ref() != name);
        if let Some(other) = others.map(|other| other.get_ref()).find(|other| switches(other)) {
            let found = format!("`{name}`, which the feature `{other}` of another component switches on");
            self.complain(feature.span(), "it can't be left out", found, "independent features");
        }
    }
}
