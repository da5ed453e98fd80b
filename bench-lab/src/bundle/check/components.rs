//! Components and features: each exists, once, and can be left out.

use toml::Spanned;

use super::super::problem::Problem;
use super::super::{Component, Package, schema};
use super::builds::Common;
use super::{Checker, switches};

impl Checker<'_> {
    /// A feature must exist in the package.
    pub(super) fn feature(&mut self, feature: &Spanned<String>, package: Option<&Package>) {
        let known = package.map(Package::features);
        if let Some(known) = known.filter(|known| !known.contains(&feature.get_ref().as_str())) {
            let problem = self.source.at(feature.span(), "no such feature in the package");
            let name = feature.get_ref();
            self.problems.push(problem.found(format!("`{name}`")).one_of(name, &known));
        }
    }

    pub(super) fn components(
        &mut self,
        written: &[Spanned<schema::Component>],
        lanes: &[Spanned<schema::Lane>],
        common: &Common<'_>,
    ) -> Vec<Component> {
        let all = || written.iter().map(Spanned::get_ref);
        self.unique("a component's feature", all().filter_map(|c| c.feature.as_ref()));
        let options = all().filter_map(|c| c.option.as_ref()).map(|option| &option.get_ref().name);
        // Engines do not tell capitals from small letters there.
        self.unique_by("a component's option", options, str::to_ascii_lowercase);
        let features: Vec<_> = all().filter_map(|c| c.feature.as_ref()).collect();
        let always = common.always(lanes);
        let mut components = Vec::with_capacity(written.len());
        let mut placed = Vec::with_capacity(written.len());
        for component in written {
            let written = component.get_ref();
            let costs = self.costs(written, lanes);
            let Some(switch) = self.switch(component, common) else { continue };
            placed.extend(switches::given(written).into_iter().map(|(_, place)| (place, switch.clone())));
            if let Some(feature) = &written.feature {
                self.feature(feature, common.package.as_ref());
                self.overlap(feature, &always, &features, common.package.as_ref());
            }
            components.push(Component { name: written.name.get_ref().clone(), switch, costs });
        }
        self.told_apart(&placed);
        components
    }

    /// A trial needs something to leave out.
    pub(super) fn some_component(&mut self, written: &[Spanned<schema::Component>]) {
        if written.is_empty() {
            let problem = Problem::whole(&self.source.path, "no component");
            let expected = "at least one `[[component]]` with `name`, a switch and `costs`";
            self.problems.push(problem.found("nothing to leave out").expected(expected));
        }
    }

    /// What every component must say whatever switches it.
    pub(super) fn component_names(&mut self, written: &[Spanned<schema::Component>]) {
        self.unique("a component's name", written.iter().map(|component| &component.get_ref().name));
        for component in written {
            let written = component.get_ref();
            self.name(&written.name);
            if written.costs.is_none() {
                let found = format!("component `{}` without `costs`", written.name.get_ref());
                let expected = "`costs = [\"memory\"]` or the like; `costs = []` says that it costs nothing";
                self.complain(component.span(), "what it may cost is not said", found, expected);
            }
        }
    }

    /// A component that something else switches on can't be left out.
    fn overlap(
        &mut self,
        feature: &Spanned<String>,
        always: &[&Spanned<String>],
        components: &[&Spanned<String>],
        package: Option<&Package>,
    ) {
        let name = feature.get_ref().as_str();
        let switches = |other: &str| {
            other == name || package.is_some_and(|package| package.closure(other).contains(name))
        };
        if let Some(other) = always.iter().find(|other| switches(other.get_ref())) {
            let found = format!(
                "`{name}`, which `features = [\"{}\"]` of the build switches on in every arm",
                other.get_ref()
            );
            self.complain(feature.span(), "it can't be left out", found, "a feature that base does not have");
        }
        let others = components.iter().filter(|other| other.get_ref() != name);
        if let Some(other) = others.map(|other| other.get_ref()).find(|other| switches(other)) {
            let found = format!("`{name}`, which the feature `{other}` of another component switches on");
            self.complain(feature.span(), "it can't be left out", found, "independent features");
        }
    }
}
