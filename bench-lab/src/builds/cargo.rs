//! Building one arm with cargo, its last link captured.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::process::Command;

use cargo_metadata::Message;

use super::drive::{self, Job};
use super::patch::{Change, changes};
use super::tree::Place;
use super::{BuildError, Built, Shop, in_set};
use crate::bundle::{Arm, Bundle, Cargo, Switch, Tree};
use crate::subject::file_name;

/// What to run for one arm.
pub struct Recipe {
    folder: PathBuf,
    package: String,
    binary: String,
    /// The command as one would type it; the link's capture and the folders come on top.
    words: Vec<String>,
    /// Flags for every crate.
    flags: Vec<String>,
    /// The processor that they name.
    cpu: Option<String>,
    /// Variables of cargo's environment.
    env: BTreeMap<String, String>,
    /// Archive of the link; its name is the recipe's own, so that a build that cargo finds fresh
    /// still has the archive of exactly that link.
    link: PathBuf,
    /// The profile, whose folder is cleaned when the archive is gone.
    profile: String,
}

impl Recipe {
    /// The recipe of a package's folder with these features.
    fn new(cargo: &Cargo, folder: PathBuf, features: &[&str], shop: &Shop<'_>) -> Recipe {
        let package = &cargo.package;
        let mut words: Vec<String> = ["cargo", "rustc", "-p", &package.name, "--bin", &package.binary]
            .into_iter()
            .map(str::to_string)
            .collect();
        words.extend(["--profile".into(), cargo.profile.clone(), "--no-default-features".into()]);
        if !features.is_empty() {
            words.extend(["--features".into(), features.join(",")]);
        }
        let mut flags = layouts::capture::rustflags();
        if let Some(cpu) = &cargo.target_cpu {
            flags.extend(["-C".to_string(), format!("target-cpu={cpu}")]);
        }
        let env = cargo.env.clone();
        let text = format!("{} {} {env:?} {flags:?}", folder.display(), words.join(" "));
        let digest = protocol::canonical::sha256_hex(text.as_bytes());
        let link = shop.yard.links().join(format!("{}.tar", &digest[..16]));
        Recipe {
            folder,
            package: package.name.clone(),
            binary: package.binary.clone(),
            words,
            flags,
            cpu: cargo.target_cpu.clone(),
            env,
            link,
            profile: cargo.profile.clone(),
        }
    }

    /// The command for people, with what cannot be seen in it.
    fn shown(&self) -> String {
        let env = self.env.iter().map(|(name, value)| format!("{name}={value:?} "));
        let cpu = self.cpu.iter().map(|cpu| format!("RUSTFLAGS=\"-C target-cpu={cpu}\" "));
        env.chain(cpu).chain([self.words.join(" ")]).collect()
    }

    fn command(&self, shop: &Shop<'_>) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.folder).args(&self.words[1..]).envs(&self.env);
        command.arg("--target-dir").arg(shop.yard.target());
        command.arg("--message-format=json-render-diagnostics");
        if let Some(jobs) = shop.jobs {
            command.arg("--jobs").arg(jobs.to_string());
        }
        self.with_rustflags(&mut command);
        command.arg("--").args(layouts::capture::link_args(&self.link));
        command
    }

    /// Flags for every crate come on top of the user's own: cargo reads one source of them only.
    fn with_rustflags(&self, command: &mut Command) {
        let given = |name: &str| self.env.get(name).cloned().or_else(|| std::env::var(name).ok());
        let encoded = given("CARGO_ENCODED_RUSTFLAGS").filter(|own| !own.is_empty());
        let plain = given("RUSTFLAGS").filter(|own| !own.trim().is_empty());
        let flags = &self.flags;
        match (encoded, plain) {
            (Some(own), _) => {
                command.env("CARGO_ENCODED_RUSTFLAGS", format!("{own}\u{1f}{}", flags.join("\u{1f}")))
            }
            (None, Some(own)) => command.env("RUSTFLAGS", format!("{own} {}", flags.join(" "))),
            (None, None) => command.arg("--config").arg(format!("build.rustflags={flags:?}")),
        };
    }
}

/// The key of the private copy that an arm is built in, if it needs one.
pub fn key(bundle: &Bundle, cargo: &Cargo, arm: &Arm) -> Option<String> {
    let Tree { folder, commit } = cargo.tree.as_ref()?;
    let states = bundle.states(arm).filter(|(component, _)| component.switch.diff().is_some());
    let on: Vec<&str> =
        states.filter(|(_, is_on)| *is_on).map(|(component, _)| component.name.as_str()).collect();
    let text = format!("{} {commit:?} {on:?}", folder.display());
    Some(protocol::canonical::sha256_hex(text.as_bytes())[..16].to_string())
}

/// Builds an arm.
pub fn build(
    bundle: &Bundle,
    cargo: &Cargo,
    set: &str,
    arm: &Arm,
    shop: &Shop<'_>,
) -> Result<Built, BuildError> {
    let of_components = bundle.states(arm).filter_map(|(component, is_on)| match &component.switch {
        Switch::Feature(feature) if is_on => Some(feature.as_str()),
        _ => None,
    });
    let features: Vec<&str> = cargo.features.iter().map(String::as_str).chain(of_components).collect();
    let package = &cargo.package;
    let changes: Vec<Change<'_>> = changes(bundle, arm);
    let copied = match (&cargo.tree, key(bundle, cargo, arm)) {
        (Some(tree), Some(key)) => {
            let place = Place::new(shop.yard, &key);
            let copied = place.refresh(tree, &changes, shop.yard)?;
            Some((place, copied))
        }
        _ => None,
    };
    let folder = match (&copied, package.folder.strip_prefix(&package.workspace)) {
        (Some((place, _)), Ok(below)) => place.tree().join(below),
        _ => package.folder.clone(),
    };
    let built = run(set, &arm.name, &Recipe::new(cargo, folder, &features, shop), shop)?;
    if let Some((place, copied)) = copied {
        place.keep(&copied)?;
    }
    Ok(built)
}

/// Builds the arm, again from scratch if the archive of its link has gone.
fn run(set: &str, name: &str, recipe: &Recipe, shop: &Shop<'_>) -> Result<Built, BuildError> {
    let arm = &in_set(set, name);
    let mut made = build_once(arm, recipe, shop)?;
    if made.is_some() && !recipe.link.is_file() {
        clean(arm, recipe, shop)?;
        made = build_once(arm, recipe, shop)?;
    }
    let incomplete =
        |missing: String| BuildError::Incomplete { arm: arm.to_string(), command: recipe.shown(), missing };
    let made = made.ok_or_else(|| incomplete(format!("binary `{}`", recipe.binary)))?;
    if !recipe.link.is_file() {
        return Err(incomplete("record of its link: is lld the linker? gcc's own and mold keep none".into()));
    }
    // Cargo puts the next arm's executable in the same place.
    let executable = shop.yard.scratch().join(format!("{}.built", file_name(set, name)));
    fs::copy(&made, &executable).map_err(BuildError::io("copy", &made))?;
    // The archive too is overwritten by the next build of the same recipe.
    Ok(Built {
        set: set.to_string(),
        name: name.to_string(),
        command: recipe.shown(),
        by_command: false,
        executable,
        link: Some(recipe.link.clone()),
        profile: None,
    })
}

/// Forgets the package's earlier builds, so that the next one links.
fn clean(arm: &str, recipe: &Recipe, shop: &Shop<'_>) -> Result<(), BuildError> {
    let mut command = Command::new("cargo");
    command.current_dir(&recipe.folder).args(["clean", "--quiet", "-p", &recipe.package]);
    command.args(["--profile", &recipe.profile, "--target-dir"]).arg(shop.yard.target());
    let shown = format!("cargo clean -p {}", recipe.package);
    drive::run(Job { arm, shown: &shown, folder: &recipe.folder }, command, shop.cancel, |_| {}, |_| {})
}

/// Runs cargo; gives the path of the executable, if it says that there is one.
fn build_once(arm: &str, recipe: &Recipe, shop: &Shop<'_>) -> Result<Option<PathBuf>, BuildError> {
    let mut made = None;
    let on_output = |output: &mut dyn Read| {
        for message in Message::parse_stream(BufReader::new(output)).map_while(Result::ok) {
            if let Message::CompilerArtifact(artifact) = message
                && artifact.target.name == recipe.binary
                && let Some(executable) = artifact.executable
            {
                made = Some(executable.into_std_path_buf());
            }
        }
    };
    let shown = recipe.shown();
    let job = Job { arm, shown: &shown, folder: &recipe.folder };
    let on_line = |line: &str| shop.progress.detail(line.trim());
    drive::run(job, recipe.command(shop), shop.cancel, on_output, on_line)?;
    Ok(made)
}
