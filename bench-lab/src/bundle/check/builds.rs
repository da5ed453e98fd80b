//! The builds: one for every different `[lane.build]`.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::super::package::Written;
use super::super::{Build, BuildSet, Cargo, Component, DEFAULT_SET, Package, Tree, git, schema};
use super::Checker;
use super::kind::Kind;

/// What the builds of all lanes have in common.
pub struct Common<'a> {
    pub kind: Kind,
    /// The table `[build]`.
    pub written: &'a Spanned<schema::Build>,
    /// The package, for kind `cargo`.
    pub package: Option<Package>,
    /// The source tree, for the kinds that have one.
    pub tree: Option<Tree>,
}

impl Common<'_> {
    /// Features that are on in every arm of some lane, with their places.
    pub fn always<'f>(&'f self, lanes: &'f [Spanned<schema::Lane>]) -> Vec<&'f Spanned<String>> {
        let of_lanes = lanes.iter().filter_map(|lane| lane.get_ref().build.as_ref());
        let all = of_lanes.chain([self.written]).filter_map(|build| build.get_ref().features.as_ref());
        all.flat_map(|features| features.get_ref()).collect()
    }
}

impl Checker<'_> {
    /// Kind, keys and source.
    pub(super) fn common<'a>(&mut self, written: &'a Spanned<schema::Build>) -> Option<Common<'a>> {
        let build = written.get_ref();
        let Some(name) = &build.kind else {
            self.missing(written.span(), "kind");
            return None;
        };
        let Some(kind) = Kind::parse(name.get_ref()) else {
            let problem = self.source.at(name.span(), "unknown kind of build");
            let problem = problem.found(format!("`{}`", name.get_ref()));
            self.problems.push(problem.one_of(name.get_ref(), &Kind::NAMES));
            return None;
        };
        let place = format!("builds of kind `{}`", kind.name());
        self.keys(build, kind.keys(), &format!("no key of {place}"));
        let before = self.problems.len();
        let (mut package, mut tree) = (None, None);
        match kind {
            Kind::Cargo => {
                package = self.package(written);
                tree = package.as_ref().map(|package| package.workspace.clone());
            }
            Kind::Command => match &build.path {
                None => self.missing(written.span(), "path"),
                Some(path) => {
                    tree = self.path(path.get_ref()).canonicalize().ok().filter(|path| path.is_dir());
                    if tree.is_none() {
                        let found = format!("no folder {}", self.path(path.get_ref()).display());
                        let mut expected =
                            "the source tree of the engine, relative to the bundle".to_string();
                        if let Some(fetch) = &build.fetch {
                            expected.push_str(&format!("; `{}` fetches it", fetch.get_ref()));
                        }
                        self.complain(path.span(), "there is no source", found, &expected);
                    }
                }
            },
            Kind::Prebuilt => {}
        }
        let tree = tree.and_then(|folder| {
            let commit = match &build.git {
                None => None,
                Some(reference) => Some(self.commit(&folder, reference)?),
            };
            Some(Tree { folder, commit })
        });
        (self.problems.len() == before).then_some(Common { kind, written, package, tree })
    }

    fn package(&mut self, written: &Spanned<schema::Build>) -> Option<Package> {
        let build = written.get_ref();
        match (&build.path, &build.package) {
            (Some(path), Some(package)) => {
                let package =
                    Package::find(self.source, &Written { path, package, binary: build.binary.as_ref() });
                self.keep(package)
            }
            (path, package) => {
                for (key, is_there) in [("path", path.is_some()), ("package", package.is_some())] {
                    if !is_there {
                        self.missing(written.span(), key);
                    }
                }
                None
            }
        }
    }

    /// The commit that a reference names.
    pub(super) fn commit(&mut self, tree: &std::path::Path, reference: &Spanned<String>) -> Option<String> {
        git::commit(tree, reference.get_ref())
            .map_err(|said| {
                let name = reference.get_ref();
                let problem = self.source.at(reference.span(), "no such commit");
                let said = if said.is_empty() { said } else { format!(": {said}") };
                let problem = problem.found(format!("`{name}` in {}{said}", tree.display()));
                self.problems.push(match git::references(tree).as_slice() {
                    [] => problem.expected("a branch, tag or commit of a git repository"),
                    known => problem.expected("a branch, tag or commit").nearest(name, known),
                });
            })
            .ok()
    }

    /// One set for every different build; the second value is the set of every lane.
    pub(super) fn builds(
        &mut self,
        common: &Common<'_>,
        lanes: &[Spanned<schema::Lane>],
        components: &[Component],
        executables: &BTreeMap<String, Spanned<String>>,
    ) -> (Vec<BuildSet>, Vec<usize>) {
        let (mut sets, mut of_lanes) = (Vec::<BuildSet>::new(), Vec::new());
        let mut default = None;
        for lane in lanes {
            let lane = lane.get_ref();
            let set = match &lane.build {
                None => {
                    if default.is_none() {
                        let build = self.build(common, common.written, components, executables);
                        default = Some((DEFAULT_SET, build));
                    }
                    default.clone().and_then(|(name, build)| Some((name, build?)))
                }
                Some(own) => {
                    let name = lane.name.get_ref().as_str();
                    if name == DEFAULT_SET {
                        let expected = "another name: this one is that of the builds that lanes share";
                        self.complain(lane.name.span(), "not a name", format!("{name:?}"), expected);
                    }
                    let what = format!("no key in which lanes of kind `{}` can differ", common.kind.name());
                    let before = self.problems.len();
                    self.keys(own.get_ref(), common.kind.lane_keys(), &what);
                    if self.problems.len() > before {
                        continue;
                    }
                    let merged = own.get_ref().over(common.written.get_ref());
                    let merged = Spanned::new(own.span(), merged);
                    self.build(common, &merged, components, executables).map(|build| (name, build))
                }
            };
            let Some((name, build)) = set else { continue };
            let known = sets.iter().position(|set| set.build == build);
            of_lanes.push(known.unwrap_or(sets.len()));
            if known.is_none() {
                sets.push(BuildSet { name: name.to_string(), build });
            }
        }
        (sets, of_lanes)
    }

    fn build(
        &mut self,
        common: &Common<'_>,
        written: &Spanned<schema::Build>,
        components: &[Component],
        executables: &BTreeMap<String, Spanned<String>>,
    ) -> Option<Build> {
        match common.kind {
            Kind::Cargo => self.cargo(common, written.get_ref(), components).map(Build::Cargo),
            Kind::Command => self.command(common, written).map(Build::Command),
            Kind::Prebuilt => self.prebuilt(written, executables).map(Build::Prebuilt),
        }
    }

    fn cargo(
        &mut self,
        common: &Common<'_>,
        build: &schema::Build,
        components: &[Component],
    ) -> Option<Cargo> {
        let package = common.package.as_ref()?;
        let features = build.features.as_ref().map_or(&[][..], |features| features.get_ref());
        self.unique("a feature", features.iter());
        features.iter().for_each(|feature| self.feature(feature, Some(package)));
        let changes = components.iter().any(|component| component.switch.diff().is_some());
        let tree = common.tree.clone().filter(|tree| changes || tree.commit.is_some());
        Some(Cargo {
            package: package.clone(),
            profile: build.profile.as_ref().map_or("release", |profile| profile.get_ref()).to_string(),
            features: features.iter().map(|feature| feature.get_ref().clone()).collect(),
            target_cpu: build.target_cpu.as_ref().map(|cpu| cpu.get_ref().clone()),
            env: self.env(build),
            tree,
        })
    }

    /// Variables of an environment.
    pub(super) fn env(&mut self, build: &schema::Build) -> BTreeMap<String, String> {
        let mut env = BTreeMap::new();
        for (name, value) in build.env.iter().flat_map(|env| env.get_ref()) {
            if name.get_ref().is_empty() || name.get_ref().contains(['=', '\0']) {
                let found = format!("{:?}", name.get_ref());
                self.complain(name.span(), "not the name of a variable", found, "a name without `=`");
            }
            if value.get_ref().contains('\0') {
                let found = format!("{:?}", value.get_ref());
                self.complain(
                    value.span(),
                    "not the value of a variable",
                    found,
                    "text without the character NUL",
                );
            }
            env.insert(name.get_ref().clone(), value.get_ref().clone());
        }
        env
    }

    /// Complains of keys that do not belong.
    fn keys(&mut self, build: &schema::Build, known: &[&str], what: &str) {
        for (key, place) in build.keys() {
            if !known.contains(&key) {
                let problem = self.source.at(place, what);
                self.problems.push(problem.found(format!("`{key}`")).one_of(key, known));
            }
        }
    }

    /// Complains that a key is missing.
    pub(super) fn missing(&mut self, span: Range<usize>, key: &str) {
        let what = format!("the key `{key}` is missing");
        self.complain(span, &what, "nothing".to_string(), &format!("`{key} = …`"));
    }
}
