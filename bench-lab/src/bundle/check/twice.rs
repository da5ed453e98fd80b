//! Switches that stand twice, or that other components leave without any effect.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::Switch;
use super::Checker;

/// A component's switch, where it stands.
pub(super) type Placed = (Range<usize>, Switch);

impl Checker<'_> {
    /// Complains of arms that cannot differ, whatever is built: of features and options that stand twice their names tell.
    pub(super) fn told_apart(&mut self, switches: &[Placed]) {
        let full = defined(switches, None);
        for (number, (place, switch)) in switches.iter().enumerate() {
            if let Some((first, what)) = twice(&switches[..number], switch) {
                let line = self.line_of(first.start);
                let found = format!("`{}`, as in line {line}", shown(switch));
                self.complain(
                    place.clone(),
                    &format!("a component's {what} stands twice"),
                    found,
                    "each once",
                );
                continue;
            }
            let stands_twice_later = switches[number + 1..]
                .iter()
                .any(|(_, other)| twice(&switches[number..=number], other).is_some());
            let is_idle = matches!(switch, Switch::Define { .. }) && defined(switches, Some(number)) == full;
            if is_idle && !stands_twice_later {
                let found = format!("`{}`, but another component decides what that is", shown(switch));
                let expected = "a define of its own";
                self.complain(place.clone(), "the define switches nothing", found, expected);
            }
        }
    }
}

/// Where the same switch stands before, and what it is.
fn twice<'s>(before: &'s [Placed], switch: &Switch) -> Option<(&'s Range<usize>, &'static str)> {
    let same = |other: &Switch| match (switch, other) {
        (Switch::Define { on, off }, Switch::Define { on: other_on, off: other_off }) => {
            meant(on) == meant(other_on) && meant(off) == meant(other_off)
        }
        // The same change cannot be made twice, whoever describes it.
        (one, other) => one.diff().zip(other.diff()).is_some_and(|(one, other)| one.0 == other.0),
    };
    let what = match switch {
        Switch::Define { .. } => "define",
        Switch::Git { .. } => "commit",
        _ => "patch",
    };
    before.iter().find(|(_, other)| same(other)).map(|(place, _)| (place, what))
}

/// What the compiler has defined with all components on but one: of two values of one name the last counts.
fn defined(switches: &[Placed], but: Option<usize>) -> BTreeMap<&str, &str> {
    let defines = switches.iter().enumerate().filter_map(|(number, (_, switch))| match switch {
        Switch::Define { on, off } => meant(if Some(number) == but { off } else { on }),
        _ => None,
    });
    defines.collect()
}

/// Name and value: without a value it is 1.
fn meant(define: &Option<String>) -> Option<(&str, &str)> {
    define.as_deref().map(|define| define.split_once('=').unwrap_or((define, "1")))
}

/// What people look for in the bundle.
fn shown(switch: &Switch) -> String {
    match switch {
        Switch::Define { on: Some(define), .. } | Switch::Define { off: Some(define), .. } => define.clone(),
        Switch::Git { reference, .. } => reference.clone(),
        Switch::Patch(patch) => patch.file.file_name().unwrap_or_default().display().to_string(),
        other => other.to_string(),
    }
}
