//! Arms: which components are on in each.

use std::collections::BTreeMap;
use std::fmt;

use protocol::plan::{BASE, arm_names, together_name, without};

use super::{Build, Bundle, Component, Patch, Switch};

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

    /// What the diagnostics remove together: one arm for every group, `without:a+b`.
    pub fn joint_arms(&self) -> Vec<Arm> {
        let groups = self.diagnostics.iter().flat_map(|diagnostics| &diagnostics.together);
        let joint = |group: &Vec<usize>| Arm {
            name: together_name(&group.iter().map(|&c| &self.components[c].name).collect::<Vec<_>>()),
            on: (0..self.components.len()).map(|component| !group.contains(&component)).collect(),
        };
        groups.map(joint).collect()
    }

    /// Everything that is built: the arms of the trial, then those of the diagnostics.
    pub fn built_arms(&self) -> Vec<Arm> {
        self.arms().into_iter().chain(self.joint_arms()).collect()
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

    /// The commit that the source is taken from, if the bundle names one.
    pub fn source_note(&self) -> Option<String> {
        self.builds.iter().find_map(|set| {
            let tree = match &set.build {
                Build::Cargo(cargo) => cargo.tree.as_ref()?,
                Build::Command(command) => &command.tree,
                Build::Prebuilt(_) => return None,
            };
            Some(format!("the source is commit {}", tree.commit.as_ref()?))
        })
    }

    /// For everything that is built the first arm that has the same executable: those that differ in options alone,
    /// `base` and `without` of the only component, or of all.
    pub fn same_builds(&self) -> Vec<usize> {
        let arms = self.built_arms();
        let built = |arm: &Arm| -> Vec<bool> {
            self.states(arm).map(|(component, is_on)| is_on && component.switch.is_built()).collect()
        };
        let all: Vec<Vec<bool>> = arms.iter().map(built).collect();
        all.iter().map(|one| all.iter().position(|other| other == one).unwrap_or_default()).collect()
    }
}

impl Component {
    /// How it is switched, in words that are its own.
    pub fn switched(&self) -> String {
        match &self.switch {
            Switch::Executable => format!("an executable without {}", self.name),
            switch => switch.to_string(),
        }
    }
}

impl Switch {
    /// Whether it makes another executable.
    pub fn is_built(&self) -> bool {
        !matches!(self, Switch::Option { .. })
    }

    /// The diff that switches it, and whether the tree has it already.
    pub fn diff(&self) -> Option<(&[u8], bool)> {
        match self {
            Switch::Patch(patch) => Some((&patch.diff, patch.in_tree)),
            Switch::Git { diff, .. } => Some((diff, false)),
            _ => None,
        }
    }

    /// What the plan notes of it beside its text, so that it can be had again.
    pub fn note(&self) -> Option<String> {
        match self {
            Switch::Patch(patch) => {
                let digest = protocol::canonical::sha256_hex(&patch.diff);
                Some(format!("{}: SHA-256 {digest}", file_name(patch)))
            }
            Switch::Git { reference, commit, since, .. } => {
                Some(format!("{reference} is commit {commit}; its changes since commit {since}"))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Switch::Feature(feature) => write!(f, "feature {feature}"),
            Switch::Define { on: Some(on), off: None } => write!(f, "define {on} when on"),
            Switch::Define { on: None, off: Some(off) } => write!(f, "define {off} when off"),
            Switch::Define { on, off } => {
                let said = |define: &Option<String>| define.clone().unwrap_or_default();
                write!(f, "define {} when on, {} when off", said(on), said(off))
            }
            Switch::Patch(patch) if patch.in_tree => {
                write!(f, "patch {}, taken back when off", file_name(patch))
            }
            Switch::Patch(patch) => write!(f, "patch {}", file_name(patch)),
            Switch::Git { reference, commit, .. } => {
                write!(f, "git {reference} ({})", &commit[..commit.len().min(12)])
            }
            Switch::Option { name, on, off } => write!(f, "option {name}: {on} when on, {off} when off"),
            Switch::Executable => write!(f, "an executable without it"),
        }
    }
}

/// The file's own name: where it lies says nothing to others.
fn file_name(patch: &Patch) -> String {
    patch.file.file_name().unwrap_or(patch.file.as_os_str()).display().to_string()
}
