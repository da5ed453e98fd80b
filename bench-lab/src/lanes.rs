//! Lanes: as the plan states them and as arms are driven on them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use protocol::plan;

use crate::bundle::Lane;
use crate::hash;

/// Sets options of the command line; one whose name ends in `File` is a path.
pub fn set(lane: &mut Lane, options: &[(String, String)]) -> anyhow::Result<()> {
    for (name, value) in options {
        lane.options.insert(name.clone(), value.clone());
        lane.files.remove(name);
        if name.ends_with("File") {
            let path = PathBuf::from(value);
            path.metadata().with_context(|| format!("option {name}: cannot open {value}"))?;
            lane.files.insert(name.clone(), path);
        }
    }
    Ok(())
}

/// The lane as the plan states it: options as written, files by their hashes.
pub fn planned(lane: &Lane) -> anyhow::Result<plan::Lane> {
    let mut files = BTreeMap::new();
    for (option, file) in &lane.files {
        let digest = hash::of_file(file).with_context(|| format!("cannot read {}", file.display()))?;
        files.insert(option.clone(), digest);
    }
    Ok(plan::Lane {
        name: lane.name.clone(),
        core: lane.core,
        options: lane.options.clone(),
        files,
        build: lane.build,
    })
}

/// The lane as arms are driven on it: options that name a file hold its absolute path, because an
/// arm need not run in the bundle's folder.
pub fn driven(lane: &Lane, planned: &plan::Lane) -> anyhow::Result<plan::Lane> {
    let mut driven = planned.clone();
    for (option, file) in &lane.files {
        driven.options.insert(option.clone(), resolved(file)?);
    }
    Ok(driven)
}

/// The absolute path of a file, as an option's value.
pub fn resolved(file: &Path) -> anyhow::Result<String> {
    let path = file.canonicalize().with_context(|| format!("cannot open {}", file.display()))?;
    let path = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(path.to_string())
}
