//! One arm of a bundle, built for a layout command.

use crate::Cancel;
use crate::builds::{self, Built, Shop, Yard};
use crate::bundle::problem::nearest;
use crate::bundle::{Arm, Bundle, Lane};
use crate::commands::{Failure, link};
use crate::progress::Progress;

/// The arm of this name.
pub fn find(bundle: &Bundle, name: &str) -> Result<Arm, Failure> {
    let arms = bundle.arms();
    let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    arms.iter().find(|arm| arm.name == name).cloned().ok_or_else(|| none(bundle, "arm", name, &names))
}

/// The lane of this name, or the first.
pub fn lane<'a>(bundle: &'a Bundle, name: Option<&str>) -> Result<&'a Lane, Failure> {
    let names: Vec<&str> = bundle.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let found = bundle.lanes.iter().find(|lane| name.is_none_or(|name| lane.name == name));
    found.ok_or_else(|| none(bundle, "lane", name.unwrap_or_default(), &names))
}

/// The bundle has nothing of this name.
fn none(bundle: &Bundle, what: &str, name: &str, known: &[&str]) -> Failure {
    let meant = nearest(name, known).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    Failure::Usage(format!(
        "bundle {} has no {what} `{name}`; it has {}{meant}",
        bundle.name,
        known.join(", ")
    ))
}

/// Builds the arm as the lane (or the first) asks for it and hands what was built to `open`, while the work folder is
/// ours.
pub fn built<T>(
    bundle: &Bundle,
    name: &str,
    lane_name: Option<&str>,
    progress: &Progress,
    cancel: &Cancel,
    open: impl FnOnce(&Built) -> anyhow::Result<T>,
) -> Result<T, Failure> {
    let arm = find(bundle, name)?;
    let set = &bundle.builds[lane(bundle, lane_name)?.build];
    bundle.profile_notes().iter().for_each(|note| progress.say(&format!("warning: {note}")));
    let yard = Yard::of(bundle)?;
    let linker = link::command()?;
    progress.step(&format!("building arm {name}"));
    let built =
        builds::one(bundle, set, &arm, &Shop { yard: &yard, jobs: None, linker: &linker, progress, cancel })?;
    Ok(open(&built)?)
}
