//! What is left of a bundle when components without proof leave it: a bundle file of its own, a new candidate.

mod text;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use protocol::register::{Component, Register};

use crate::bundle::{Build, Bundle, Switch};

/// A component that leaves, and the words that its file keeps instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Its name in the bundle.
    pub name: String,
    /// Why.
    pub why: String,
}

/// What is left of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// A bundle in a file.
    File(PathBuf),
    /// No component is left.
    Nothing,
    /// It can't be written.
    Failed(String),
}

impl Candidate {
    /// What to do now.
    pub fn advice(&self, leaving: usize) -> String {
        let them = if leaving == 1 { "it" } else { "them" };
        match self {
            Candidate::File(path) => format!(
                "the bundle without {them} is {path}, a new candidate with a trial of its own:\n  bench-lab run {path}",
                path = path.display()
            ),
            Candidate::Nothing => {
                "no component is left: there is no smaller bundle, and what comes next needs other components"
                    .to_owned()
            }
            Candidate::Failed(why) => format!("the bundle without {them} could not be written: {why}"),
        }
    }
}

/// The components of a bundle as the register knows them.
pub fn components(bundle: &Bundle) -> Vec<Component> {
    let known = |c: &crate::bundle::Component| Component { name: c.name.clone(), switch: c.switched() };
    bundle.components.iter().map(known).collect()
}

/// A name for what is left: that of a file which holds it already or was to hold it, else a new one.
pub fn name(bundle: &Bundle, leaving: &[Leaving], register: &Register) -> Option<String> {
    let left = left(bundle, leaving);
    if left.is_empty() {
        return None;
    }
    let noted = register.eliminations().filter(|gone| gone.bundle == bundle.name);
    let noted = noted.filter_map(|gone| gone.candidate.clone()).find(|name| {
        let path = file(bundle, name);
        !path.exists() || Bundle::read(&path).is_ok_and(|known| components(&known) == left)
    });
    Some(noted.unwrap_or_else(|| register.candidate(&bundle.name, |name| file(bundle, name).exists())))
}

/// Writes what is left beside the bundle unless its file is there.
pub fn write(bundle: &Bundle, leaving: &[Leaving], name: Option<&str>) -> Candidate {
    let Some(name) = name else { return Candidate::Nothing };
    let path = file(bundle, name);
    if path.exists() {
        return Candidate::File(path);
    }
    match try_write(bundle, leaving, name, &path) {
        Ok(()) => Candidate::File(path),
        Err(error) => Candidate::Failed(error),
    }
}

fn try_write(bundle: &Bundle, leaving: &[Leaving], name: &str, path: &Path) -> Result<(), String> {
    let is_leaving = |name: &str| leaving.iter().any(|one| one.name == name);
    if let Build::Prebuilt(_) = bundle.builds[0].build
        && bundle.components.iter().any(|c| c.switch == Switch::Executable && is_leaving(&c.name))
    {
        return Err(
            "its `full` would be another executable; build that, and write the bundle by hand".to_owned()
        );
    }
    let told = |what: &str, error: &dyn std::fmt::Display| format!("cannot {what}: {error}");
    let text =
        fs::read_to_string(&bundle.file).map_err(|e| told(&format!("read {}", bundle.file.display()), &e))?;
    if protocol::canonical::sha256_hex(text.as_bytes()) != bundle.sha256 {
        return Err(format!("{} was changed meanwhile", bundle.file.display()));
    }
    let text = text::without(&text, name, leaving)
        .map_err(|e| told(&format!("take it out of {}", bundle.file.display()), &e))?;
    let smaller =
        Bundle::of_text(path, text.clone()).map_err(|e| format!("what is left is no bundle:\n{e}"))?;
    if components(&smaller) != left(bundle, leaving) {
        return Err("what is left would hold other components".to_owned());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = || -> std::io::Result<()> {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        let mut file = tempfile::Builder::new().prefix(".writing-").permissions(mode).tempfile_in(folder)?;
        file.as_file_mut().write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|e| e.error)?;
        fs::File::open(folder)?.sync_all()
    };
    written().map_err(|e| told(&format!("write {}", path.display()), &layouts::nameless(e)))
}

/// The components that stay.
fn left(bundle: &Bundle, leaving: &[Leaving]) -> Vec<Component> {
    let all = components(bundle).into_iter();
    all.filter(|component| leaving.iter().all(|one| one.name != component.name)).collect()
}

fn file(bundle: &Bundle, name: &str) -> PathBuf {
    bundle.file.with_file_name(format!("{name}.toml"))
}
