//! Captures: everything that the final link of an arm read, unpacked and prepared so that it can be repeated at will.

mod archive;
pub mod link;
mod loaded;
mod members;
mod notes;
mod objects;
mod prepare;
mod response;
pub mod wrapper;

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::io;
use crate::image::{Image, Outline, SectionOutline};
use crate::linker::Linker;
use crate::relink::output_refused;
use crate::unit::{Key, Unit};
use crate::{Error, unit};

pub(crate) use objects::Candidate;
pub(crate) use prepare::LINK_FILE;
pub(crate) use response::line as response_line;

/// Compiler flags for *all* crates of a Rust program (`RUSTFLAGS`): names that tell generic arguments.
pub fn rustflags() -> Vec<String> {
    vec!["-C".into(), "symbol-mangling-version=v0".into()]
}

/// Flags for rustc at the *final* link alone (`cargo rustc --bin engine -- …`) that leave the capture at `tar`.
///
/// The path should be absolute. The link itself goes on as usual; when nothing is to be done, Cargo runs none and
/// leaves no archive, so use a path of its own for every build, or keep the archive with the target folder.
pub fn link_args(tar: &Path) -> Vec<String> {
    vec!["-C".into(), format!("link-arg=-Wl,--reproduce={}", tar.display())]
}

/// Flags for gcc or clang at the final link of a C or C++ program, with or without link-time optimisation, that leave
/// the capture at `tar`; compile it with [`cc_flags`].
///
/// `wrapper` is the folder of [`wrapper::install`]. Both paths should be absolute. Of several executables that are
/// linked with these flags, the last one's capture stays.
pub fn cc_link_args(wrapper: &Path, tar: &Path) -> Vec<String> {
    vec![
        "-fuse-ld=lld".into(),
        format!("-B{}", wrapper.display()),
        format!("-Wl,--reproduce={}", tar.display()),
    ]
}

/// [`link_args`] for Rust programs that leave link-time optimisation to the linker (`-C linker-plugin-lto`): through the
/// stand-in of [`wrapper::install`] in the folder `wrapper`.
pub fn link_args_through(wrapper: &Path, tar: &Path) -> Vec<String> {
    let mut args = vec!["-C".into(), "linker-features=-lld".into()];
    for arg in cc_link_args(wrapper, tar) {
        args.extend(["-C".into(), format!("link-arg={arg}")]);
    }
    args
}

/// Flags for gcc or clang that give every function and every variable a section of its own.
pub fn cc_flags() -> Vec<String> {
    vec!["-ffunction-sections".into(), "-fdata-sections".into()]
}

/// A captured link, ready to be repeated with a drawn layout.
#[derive(Debug)]
pub struct Capture {
    folder: PathBuf,
    linker: Linker,
    inputs_sha256: String,
    units: Vec<Unit>,
    index: HashMap<Key, usize>,
    natural: Image,
    outline: Outline,
    notes: Vec<String>,
}

/// Bytes of the executable that a draw cannot place one by one; they move only with their section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotScattered {
    /// Section of the executable.
    pub section: String,
    /// Bytes in it that belong to no unit.
    pub bytes: u64,
    /// Why.
    pub reason: &'static str,
}

impl Capture {
    /// Unpacks the archive `tar` into the new or empty folder `dir` and prepares its objects, with the linker of
    /// [`Linker::find`]. The folder is wanted as long as there is something to relink.
    pub fn open(tar: &Path, dir: &Path) -> Result<Self, Error> {
        Self::open_with(Linker::find()?, tar, dir)
    }

    /// [`Capture::open`] with a linker of your own.
    pub fn open_with(linker: Linker, tar: &Path, dir: &Path) -> Result<Self, Error> {
        let existed = dir.is_dir();
        fs::create_dir_all(dir).map_err(io("create", dir))?;
        if fs::read_dir(dir).map_err(io("read", dir))?.next().is_some() {
            let source = std::io::Error::other("the folder is not empty");
            return Err(Error::Io { action: "unpack into", path: dir.to_owned(), source });
        }
        let result = Self::build(linker, tar, dir);
        if result.is_err() {
            // What was unpacked is of no use; a failure to remove it must not hide the first error.
            let _ = fs::remove_dir_all(dir);
            let _ = if existed { fs::create_dir(dir) } else { Ok(()) };
        }
        result
    }

    fn build(linker: Linker, tar: &Path, dir: &Path) -> Result<Self, Error> {
        let dir = dir.canonicalize().map_err(io("open", dir))?;
        let folder = archive::unpack(tar, &dir)?;
        let response = folder.join("response.txt");
        let text = fs::read_to_string(&response).map_err(|error| Error::BadCapture {
            tar: tar.to_owned(),
            reason: format!("its response.txt cannot be read ({error})"),
        })?;
        let response::Link { args, mut notes } = response::parse(&text)?;
        let prepared = prepare::prepare(&folder, &args)?;

        let natural = folder.join("natural");
        let loaded = folder.join("loaded.txt");
        let list = File::create(&loaded).map_err(io("write", &loaded))?;
        let run = linker.run(&folder, ["@link.rsp", "--trace", "-o", "natural"], list.into());
        run.map_err(|error| output_refused(error, &folder))?;
        loaded::keep(&folder, &loaded)?;
        let linked = prepared.signs.iter().filter(|(file, _)| folder.join(file).is_file());
        notes.extend(notes::in_words(linked.map(|(_, signs)| *signs)));
        let outline = Outline::read(&natural)?;
        let units = unit::present(&prepared.units, &outline);
        let image = Image::from_outline(&natural, &outline, &units)?;
        let index = units.iter().enumerate().map(|(at, unit)| (unit.key.clone(), at)).collect();
        Ok(Self {
            folder,
            linker,
            inputs_sha256: prepared.inputs_sha256,
            units,
            index,
            natural: image,
            outline,
            notes,
        })
    }

    /// What the capture left out of the link or cannot vouch for, in words for the report.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// SHA-256 over names and contents of everything that was linked, and the options; equal for equal builds,
    /// wherever they were built.
    pub fn inputs_sha256(&self) -> &str {
        &self.inputs_sha256
    }

    /// All units of the executable, each once.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The unit of this key.
    pub fn unit(&self, key: &Key) -> Option<&Unit> {
        self.index.get(key).map(|&at| &self.units[at])
    }

    /// The executable as the linker lays it out by itself.
    pub fn natural(&self) -> &Image {
        &self.natural
    }

    /// The linker in use.
    pub fn linker(&self) -> &Linker {
        &self.linker
    }

    /// Writes the executable as the linker lays it out by itself to `out`.
    pub fn relink_natural(&self, out: &Path) -> Result<(), Error> {
        let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new()
            .prefix(".natural-")
            .tempdir_in(parent)
            .map_err(io("write to", parent))?;
        let copy = temporary.path().join("executable");
        fs::copy(self.folder.join("natural"), &copy).map_err(io("write", out))?;
        fs::rename(&copy, out).map_err(io("write", out))
    }

    /// What a draw does not scatter, section by section, largest first.
    pub fn not_scattered(&self) -> Vec<NotScattered> {
        let rest = |section: &SectionOutline| {
            let kind = unit::Kind::ALL.into_iter().find(|kind| kind.section() == section.name);
            let bytes = kind.map_or(section.size, |kind| self.bytes_beside_units(section, kind));
            let reason = match kind {
                Some(_) => "objects whose functions or variables share a section; constants without a name",
                None => "a table that the linker makes or keeps in one piece",
            };
            (bytes > 0).then(|| NotScattered { section: section.name.clone(), bytes, reason })
        };
        let mut list: Vec<_> = self.outline.sections.iter().filter_map(rest).collect();
        list.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.section.cmp(&b.section)));
        list
    }

    /// Bytes of a section that are neither of a unit nor a gap for the next unit's alignment.
    fn bytes_beside_units(&self, section: &SectionOutline, kind: unit::Kind) -> u64 {
        let mut places: Vec<_> = self
            .units
            .iter()
            .filter(|unit| unit.key.kind == kind)
            .filter_map(|unit| Some((*self.natural.addresses().get(&unit.key)?, unit)))
            .collect();
        places.sort_by_key(|&(address, unit)| (address, unit.size));
        // Thread-local addresses count from the start of the block.
        let first = match places.first() {
            Some(&(address, _)) if kind.is_thread_local() => address,
            _ => section.address,
        };
        let (mut end, mut beside) = (first, 0);
        for (address, unit) in places {
            if address > end.next_multiple_of(unit.align) {
                beside += address - end;
            }
            end = end.max(address + unit.size);
        }
        beside + (first + section.size).saturating_sub(end)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn sections(&self) -> &[SectionOutline] {
        &self.outline.sections
    }

    pub(crate) fn image_base(&self) -> u64 {
        self.outline.base
    }
}
