//! Arms that are not built: their executables are there.

use std::fs::{self, File};
use std::path::Path;

use super::{BuildError, Built, Shop, Yard};
use crate::bundle::{Arm, Bundle, Prebuilt, Switch};
use crate::subject::file_name;

/// Takes a copy of an arm's executable, so that nothing that happens to the file touches the trial.
pub fn build(
    bundle: &Bundle,
    prebuilt: &Prebuilt,
    set: &str,
    arm: &Arm,
    shop: &Shop<'_>,
) -> Result<Built, BuildError> {
    let states = bundle.states(arm).filter(|(component, _)| component.switch == Switch::Executable);
    let lacking: Vec<&str> =
        states.filter(|(_, is_on)| !is_on).map(|(component, _)| component.name.as_str()).collect();
    let source = match lacking.as_slice() {
        [] => &prebuilt.full,
        all if all.len() == prebuilt.without.len() => &prebuilt.base,
        [one, ..] => &prebuilt.without[*one],
    };
    taken(source, set, &arm.name, shop.yard)
}

/// A copy of an executable that is there.
pub fn taken(source: &Path, set: &str, name: &str, yard: &Yard) -> Result<Built, BuildError> {
    let executable = yard.scratch().join(format!("{}.built", file_name(set, name)));
    // A copy does not tell which of its ends has failed.
    File::open(source).map_err(BuildError::io("read", source))?;
    fs::copy(source, &executable).map_err(BuildError::io("write", &executable))?;
    Ok(Built {
        set: set.to_string(),
        name: name.to_string(),
        command: format!("prebuilt: {}", source.file_name().unwrap_or(source.as_os_str()).display()),
        by_command: false,
        executable,
        link: None,
        profile: None,
    })
}
