//! What cargo says about the package that the arms are built from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand, TargetKind};
use toml::Spanned;

use super::problem::{Problem, Source};

/// The package of a bundle's `[build]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The folder cargo runs in.
    pub folder: PathBuf,
    /// Package name.
    pub name: String,
    /// Name of the executable.
    pub binary: String,
    /// The folder of the whole workspace.
    pub workspace: PathBuf,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
    /// Every feature with what it switches on.
    features: BTreeMap<String, Vec<String>>,
}

/// How a bundle names a package.
pub struct Written<'a> {
    /// The folder of its manifest.
    pub path: &'a Spanned<String>,
    /// Its name.
    pub package: &'a Spanned<String>,
    /// Its binary.
    pub binary: Option<&'a Spanned<String>>,
}

impl Package {
    /// Asks cargo, relative to the bundle's folder.
    pub fn find(source: &Source, written: &Written<'_>) -> Result<Package, Problem> {
        let base = source.path.parent().unwrap_or(Path::new(""));
        let folder = base.join(written.path.get_ref());
        let at_path = |what: &str| source.at(written.path.span(), what);
        if !folder.join("Cargo.toml").is_file() {
            let problem = at_path("no cargo manifest there").found(folder.display());
            return Err(problem.expected("a folder with a `Cargo.toml`"));
        }
        let folder = folder.canonicalize().map_err(|error| {
            let found = format!("{}: {error}", folder.display());
            at_path("cannot be opened").found(found).expected("a folder that you may open")
        })?;
        let metadata = MetadataCommand::new()
            .current_dir(&folder)
            .no_deps()
            .other_options(["--offline".to_string()])
            .exec()
            .map_err(|error| {
                at_path("cargo does not accept the manifest")
                    .found(told(&error))
                    .expected("a manifest that `cargo metadata --no-deps --offline` accepts")
            })?;
        Package::pick(&metadata, folder.clone(), source, written)
    }

    fn pick(
        metadata: &Metadata,
        folder: PathBuf,
        source: &Source,
        written: &Written<'_>,
    ) -> Result<Package, Problem> {
        let name = written.package.get_ref();
        let packages = metadata.workspace_packages();
        let Some(package) = packages.iter().find(|p| p.name.as_str() == name) else {
            let known: Vec<&str> = packages.iter().map(|p| p.name.as_str()).collect();
            let problem = source.at(written.package.span(), "no such package in the workspace");
            return Err(problem.found(format!("`{name}`")).one_of(name, &known));
        };
        let bins = package.targets.iter().filter(|t| t.kind.contains(&TargetKind::Bin));
        let bins: Vec<&str> = bins.map(|t| t.name.as_str()).collect();
        let binary = match written.binary {
            Some(binary) => binary.get_ref(),
            None => name,
        };
        if !bins.contains(&binary.as_str()) {
            let span = written.binary.map_or(written.package.span(), |b| b.span());
            let problem = source.at(span, "no such binary in the package");
            return Err(problem.found(format!("`{binary}`")).one_of(binary, &bins));
        }
        Ok(Package {
            folder,
            name: name.clone(),
            binary: binary.clone(),
            workspace: metadata.workspace_root.clone().into_std_path_buf(),
            target: metadata.target_directory.clone().into_std_path_buf(),
            features: package.features.clone().into_iter().collect(),
        })
    }

    /// Names of all features.
    pub fn features(&self) -> Vec<&str> {
        self.features.keys().map(String::as_str).collect()
    }

    /// Every feature that `feature` switches on, itself included.
    pub fn closure(&self, feature: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = vec![feature];
        while let Some(name) = open.pop() {
            if let Some((key, more)) = self.features.get_key_value(name)
                && found.insert(key.as_str())
            {
                open.extend(more.iter().map(String::as_str));
            }
        }
        found
    }
}

/// What cargo itself says, if it came to that; further lines stand below the first.
fn told(error: &cargo_metadata::Error) -> String {
    match error {
        cargo_metadata::Error::CargoMetadata { stderr } => stderr.trim().replace('\n', "\n            "),
        error => error.to_string(),
    }
}
