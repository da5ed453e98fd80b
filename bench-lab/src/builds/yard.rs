//! The folder in which arms are built and relinked, kept between trials so that builds are reused.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{BuildError, kept};
use crate::bundle::{Build, Bundle};

/// The lab's folder among those of other programs.
const OURS: &str = "bench-lab";

/// How many labs may use work folders of one name at once.
const MOST_FREE: usize = 64;

/// The work folder of one lab at a time.
#[derive(Debug)]
pub struct Yard {
    root: PathBuf,
    scratch: TempDir,
    /// Folders of paused trials that have something here.
    waiting: Vec<PathBuf>,
    /// Held as long as the yard lives.
    _lock: File,
}

impl Yard {
    /// Takes the work folder of a bundle, creating it if need be: below the package's target folder, or where the
    /// user's caches are when there is none.
    pub fn of(bundle: &Bundle) -> Result<Yard, BuildError> {
        let target = bundle.builds.iter().find_map(|set| match &set.build {
            Build::Cargo(cargo) => Some(cargo.package.target.clone()),
            _ => None,
        });
        let root = match target {
            Some(target) => target.join(OURS),
            None => {
                let file = bundle.file.canonicalize().map_err(BuildError::io("open", &bundle.file))?;
                let digest = protocol::canonical::sha256_hex(file.as_os_str().as_encoded_bytes());
                caches().join(OURS).join(format!("{}-{}", bundle.name, &digest[..8]))
            }
        };
        Yard::enter(&root)
    }

    /// Takes a work folder for something that belongs to no bundle: the first one of this name that nobody uses.
    pub fn free(name: &str) -> Result<Yard, BuildError> {
        let folder = |number: usize| caches().join(OURS).join(format!("{name}-{number}"));
        let mut number = 1;
        loop {
            match Yard::enter(&folder(number)) {
                Err(BuildError::Busy { .. }) if number < MOST_FREE => number += 1,
                taken => return taken,
            }
        }
    }

    /// What moves the work folder that `path` lies in.
    pub(crate) fn named_by(path: &Path) -> &'static str {
        match lies_below(&caches().join(OURS), path) {
            true => "XDG_CACHE_HOME",
            false => "CARGO_TARGET_DIR",
        }
    }

    /// Takes the folder `root`, creating it if need be.
    pub fn enter(root: &Path) -> Result<Yard, BuildError> {
        fs::create_dir_all(root).map_err(BuildError::io("create", root))?;
        let root = root.canonicalize().map_err(BuildError::io("open", root))?;
        let links = root.join("links");
        fs::create_dir_all(&links).map_err(BuildError::io("create", &links))?;
        let lock = lock(&root.join("lock"))?;
        // What an earlier lab that was killed has left; nobody else can be using it now.
        for left in fs::read_dir(&root).map_err(BuildError::io("read", &root))?.flatten() {
            if left.file_name().to_string_lossy().starts_with("trial-") {
                fs::remove_dir_all(left.path()).map_err(BuildError::io("remove", &left.path()))?;
            }
        }
        let waiting = kept::tidy(&root)?;
        let scratch = tempfile::Builder::new().prefix("trial-").tempdir_in(&root);
        let scratch = scratch.map_err(BuildError::io("write to", &root))?;
        Ok(Yard { root, scratch, waiting, _lock: lock })
    }

    /// Cargo's own target folder.
    pub fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Where the archives of links are kept.
    pub fn links(&self) -> PathBuf {
        self.root.join("links")
    }

    /// Folders of paused trials that can go on with what is kept here.
    pub fn waiting(&self) -> &[PathBuf] {
        &self.waiting
    }

    /// The whole folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where private copies of source trees are kept.
    pub fn trees(&self) -> PathBuf {
        self.root.join("trees")
    }

    /// Forgets all private copies but those with these keys.
    pub fn forget_trees(&self, kept: &[String]) -> Result<(), BuildError> {
        let Ok(entries) = fs::read_dir(self.trees()) else { return Ok(()) };
        for entry in entries.flatten() {
            if !kept.iter().any(|key| entry.file_name() == key.as_str()) {
                super::tree::remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Files of this trial alone, gone when it ends.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }
}

/// Where programs keep what they can make again.
fn caches() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
}

/// Whether `path` lies in `folder`, whose links may have been followed already.
fn lies_below(folder: &Path, path: &Path) -> bool {
    path.starts_with(folder) || folder.canonicalize().is_ok_and(|folder| path.starts_with(folder))
}

fn lock(path: &Path) -> Result<File, BuildError> {
    let open = File::options().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = open.map_err(BuildError::io("open", path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
            let holder = if known { holder.trim().to_string() } else { "unknown".to_string() };
            return Err(BuildError::Busy { path: path.to_path_buf(), holder });
        }
        Err(TryLockError::Error(source)) => return Err(BuildError::io("lock", path)(source)),
    }
    let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| {
        file.write_all(std::process::id().to_string().as_bytes()) // for whoever finds it locked
    });
    written.map_err(BuildError::io("write", path))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_work_folder_has_what_moves_it() {
        assert_eq!(Yard::named_by(&caches().join("bench-lab/tiny-01234567/links")), "XDG_CACHE_HOME");
        assert_eq!(Yard::named_by(Path::new("/src/engine/target/bench-lab/links")), "CARGO_TARGET_DIR");
    }

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::create_dir(&real).expect("a folder");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        let real = real.canonicalize().expect("a folder");
        for (folder, path, is_below) in
            [(&link, &link, true), (&link, &real, true), (&real, &real, true), (&real, &link, false)]
        {
            assert_eq!(
                lies_below(folder, &path.join("x")),
                is_below,
                "{} {}",
                folder.display(),
                path.display()
            );
        }
    }
}
