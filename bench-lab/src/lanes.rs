//! Lanes: as the plan states them and as arms are driven on them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use protocol::plan;

use crate::bundle::{Identity, Lane};
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

/// Lanes by their names: `lane a`, `lanes a and b`.
pub fn told(lanes: &[&plan::Lane]) -> String {
    let names: Vec<&str> = lanes.iter().map(|lane| lane.name.as_str()).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("lanes {} and {last}", before.join(", ")),
        _ => format!("lane {}", names.concat()),
    }
}

/// The lanes on which the trees must agree: those that are measured, and each of them on every further path.
pub fn proven(driven: &[plan::Lane], identity: &Identity) -> Vec<plan::Lane> {
    let mut lanes = driven.to_vec();
    for lane in driven {
        for path in &identity.paths {
            let set = path.iter().map(|(name, value)| format!("{name}={value}"));
            let mut options = lane.options.clone();
            for (name, value) in path {
                // As the lane spells it.
                let own = lane.options.keys().find(|own| own.eq_ignore_ascii_case(name));
                options.insert(own.unwrap_or(name).clone(), value.clone());
            }
            let is_known = |known: &plan::Lane| known.build == lane.build && known.options == options;
            if !lanes.iter().any(is_known) {
                let name = format!("{} with {}", lane.name, set.collect::<Vec<_>>().join(" "));
                lanes.push(plan::Lane { name, options, ..lane.clone() });
            }
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(name: &str, simd: &str, build: usize) -> plan::Lane {
        let options =
            [("Hash", "16"), ("SIMD", simd)].map(|(name, value)| (name.to_owned(), value.to_owned()));
        plan::Lane { name: name.to_owned(), core: 0, options: options.into(), files: BTreeMap::new(), build }
    }

    #[test]
    fn every_path_is_proven_once_for_every_build() {
        let path = |simd: &str| BTreeMap::from([("simd".to_owned(), simd.to_owned())]);
        let identity = Identity {
            suite: Vec::new(),
            levels: Vec::new(),
            paths: vec![path("scalar"), path("avx2")],
            bench: Vec::new(),
        };
        let lanes = [lane("a", "avx2", 0), lane("b", "auto", 0), lane("c", "auto", 1)];
        let proven = proven(&lanes, &identity);
        let names: Vec<&str> = proven.iter().map(|lane| lane.name.as_str()).collect();
        let further = ["a with simd=scalar", "c with simd=scalar", "c with simd=avx2"];
        assert_eq!(names, [&["a", "b", "c"][..], &further].concat());
        assert_eq!(proven[3].options, lane("", "scalar", 0).options);
        assert_eq!(proven[5].build, 1);
    }
}
