//! Building one arm by the user's commands, in a private copy of the source tree, the last link captured.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process;
use std::time::SystemTime;

use layouts::capture::wrapper;

use super::drive::{self, Job};
use super::patch::changes;
use super::tree::{Place, remove};
use super::{BuildError, Built, Shop, in_set};
use crate::bundle::profile_guided::is_profile;
use crate::bundle::{Arm, Bundle, Command, Switch, placeholders};
use crate::subject::file_name;

/// Programs whose change makes all objects old.
const TOOLS: [&str; 9] = ["cc", "c++", "gcc", "g++", "clang", "clang++", "zig", "ld.lld", "make"];
/// Variables of the surroundings that builds listen to.
const HEARD: [&str; 8] = ["CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LIBS", "PATH"];

/// The key of the private copy that an arm is built in: of all that decides on its objects beside the source.
pub fn key(bundle: &Bundle, command: &Command, arm: &Arm) -> String {
    let surroundings: Vec<_> = HEARD.iter().map(std::env::var_os).collect();
    let text = format!(
        "{:?} {:?} {:?} {surroundings:?} {:?}",
        command,
        bundle.states(arm).map(|(component, is_on)| (&component.name, is_on)).collect::<Vec<_>>(),
        defines(bundle, arm),
        TOOLS.map(stamp)
    );
    protocol::canonical::sha256_hex(text.as_bytes())[..16].to_string()
}

/// Size and time of a program on the search path.
fn stamp(tool: &str) -> Option<(PathBuf, u64, Option<SystemTime>)> {
    let path = std::env::var_os("PATH")?;
    let file = std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|file| file.is_file())?;
    let file = file.canonicalize().ok()?;
    let metadata = fs::metadata(&file).ok()?;
    Some((file, metadata.len(), metadata.modified().ok()))
}

/// The flags of the arm's defines.
fn defines(bundle: &Bundle, arm: &Arm) -> Vec<String> {
    let defines = bundle.states(arm).filter_map(|(component, is_on)| match &component.switch {
        Switch::Define { on, off } => if is_on { on } else { off }.as_ref(),
        _ => None,
    });
    defines.map(|define| format!("-D{define}")).collect()
}

/// Builds an arm.
pub fn build(
    bundle: &Bundle,
    command: &Command,
    set: &str,
    arm: &Arm,
    shop: &Shop<'_>,
) -> Result<Built, BuildError> {
    let place = Place::new(shop.yard, &key(bundle, command, arm));
    plain(&place.tree())?;
    let work = Work { bundle, command, set, arm, place: &place, shop };
    work.run()?;
    if !place.link().is_file() {
        // Perhaps nothing was linked because nothing had changed: then all of it once more.
        place.clear()?;
        work.run()?;
    }
    let made = work.executable();
    if !made.is_file() {
        return Err(work.incomplete(match &command.executable {
            Some(path) => format!("executable at {} in its tree", path.display()),
            None => {
                "executable at {out}: is it written somewhere else? then say `executable = \"…\"`".to_string()
            }
        }));
    }
    if !place.link().is_file() {
        return Err(work.incomplete(
            "record of its last link: does it reach the linker with {ld_flags}, through gcc or clang?"
                .to_string(),
        ));
    }
    let executable = shop.yard.scratch().join(format!("{}.built", file_name(set, &arm.name)));
    fs::copy(&made, &executable).map_err(BuildError::io("copy", &made))?;
    Ok(Built {
        set: set.to_string(),
        name: arm.name.clone(),
        command: work.shown(),
        by_command: true,
        executable,
        link: Some(place.link()),
        profile: profile(&place.tree()),
    })
}

/// A profile in the tree: those of other builds were not copied, so a training run of this one has left it.
fn profile(tree: &Path) -> Option<PathBuf> {
    let mut open = vec![tree.to_path_buf()];
    while let Some(folder) = open.pop() {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if is_profile(&path) {
                return path.strip_prefix(tree).ok().map(Path::to_path_buf);
            }
        }
    }
    None
}

/// One arm's build.
struct Work<'a> {
    bundle: &'a Bundle,
    command: &'a Command,
    set: &'a str,
    arm: &'a Arm,
    place: &'a Place,
    shop: &'a Shop<'a>,
}

impl Work<'_> {
    /// Brings the copy up to date and runs the commands in it.
    fn run(&self) -> Result<(), BuildError> {
        let changes = changes(self.bundle, self.arm);
        let copied = self.place.refresh(&self.command.tree, &changes, self.shop.yard)?;
        // What is there afterwards comes from this build.
        remove(&self.place.link())?;
        remove(&self.executable())?;
        let arm = in_set(self.set, &self.arm.name);
        let flags = self.ld_flags()?;
        let value = |name: &str| self.value(name, &flags);
        let tree = self.place.tree();
        for text in &self.command.commands {
            let mut command = process::Command::new("sh");
            command.arg("-c").arg(placeholders::fill(text, value)).current_dir(&tree);
            // A make around the lab must not share its jobs with this one.
            for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] {
                command.env_remove(name);
            }
            let env = self.command.env.iter();
            command.envs(env.map(|(name, text)| (name, placeholders::fill(text, value))));
            let shown = self.shown_of(text);
            let on_line = |line: &str| self.shop.progress.detail(line.trim());
            drive::run_shell(
                Job { arm: &arm, shown: &shown, folder: &tree },
                command,
                self.shop.cancel,
                on_line,
            )?;
        }
        self.place.keep(&copied)
    }

    fn executable(&self) -> PathBuf {
        match &self.command.executable {
            Some(path) => self.place.tree().join(path),
            None => self.place.out(),
        }
    }

    fn ld_flags(&self) -> Result<String, BuildError> {
        let words: Vec<&OsStr> = self.shop.linker.iter().map(OsString::as_os_str).collect();
        wrapper::install(&self.place.tools(), &words)?;
        Ok(layouts::capture::cc_link_args(&self.place.tools(), &self.place.link()).join(" "))
    }

    /// What a placeholder stands for.
    fn value(&self, name: &str, ld_flags: &str) -> Option<String> {
        match name {
            "cc_flags" => {
                let mut flags = layouts::capture::cc_flags();
                // Names of files in messages are the same in all copies.
                flags.push(format!("-ffile-prefix-map={}=.", self.place.tree().display()));
                flags.extend(defines(self.bundle, self.arm));
                Some(flags.join(" "))
            }
            "ld_flags" => Some(ld_flags.to_string()),
            "jobs" => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                Some(self.shop.jobs.unwrap_or(cores).to_string())
            }
            "out" => Some(self.place.out().display().to_string()),
            own => {
                let text = self.command.vars.get(own)?;
                Some(placeholders::fill(text, |name| match name {
                    "cc_flags" | "ld_flags" | "jobs" | "out" => self.value(name, ld_flags),
                    _ => None,
                }))
            }
        }
    }

    /// The commands for people: the user's own placeholders and the defines filled in, the lab's not.
    fn shown(&self) -> String {
        let env = self.command.env.iter();
        let env = env.map(|(name, text)| format!("{name}={:?} ", self.shown_of(text)));
        let commands: Vec<String> = self.command.commands.iter().map(|text| self.shown_of(text)).collect();
        env.chain([commands.join(" && ")]).collect()
    }

    fn shown_of(&self, text: &str) -> String {
        let own = placeholders::fill(text, |name| self.command.vars.get(name).cloned());
        placeholders::fill(&own, |name| match name {
            "cc_flags" => {
                let flags = ["{cc_flags}".to_string()].into_iter().chain(defines(self.bundle, self.arm));
                Some(flags.collect::<Vec<_>>().join(" "))
            }
            _ => None,
        })
    }

    fn incomplete(&self, missing: String) -> BuildError {
        BuildError::Incomplete { arm: in_set(self.set, &self.arm.name), command: self.shown(), missing }
    }
}

/// Paths stand in the commands unquoted.
fn plain(path: &Path) -> Result<(), BuildError> {
    let good = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._+-@:,".contains(byte);
    let bytes = OsStr::as_bytes(path.as_os_str());
    if bytes.iter().all(good) {
        return Ok(());
    }
    Err(BuildError::Folder { path: path.to_path_buf() })
}
