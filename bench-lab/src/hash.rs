//! SHA-256 as lower-case hex, of files that do not change while they are read.
//!
//! Everything whose contents count (plan, bundle, workload, nets, executables, captured links, the lab
//! itself) is read here, so that no hash is of a mixture of two versions. A file that changes meanwhile is
//! an error that names what about it changed; who calls names the file.

mod status;

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use sha2::{Digest, Sha256};

pub use status::{Changed, Status};

/// Bytes that are read and hashed at a time.
const PIECE: usize = 1 << 16;

/// Hash of a file's contents.
pub fn of_file(path: &Path) -> io::Result<String> {
    Ok(of_file_with_status(path)?.0)
}

/// The same, and what the system says of the file that was hashed.
pub fn of_file_with_status(path: &Path) -> io::Result<(String, Status)> {
    let mut hasher = Sha256::new();
    let status = pieces(path, |piece| hasher.update(piece))?;
    Ok((hex(&hasher.finalize()), status))
}

/// A file's contents with their hash.
pub fn read(path: &Path) -> io::Result<(Vec<u8>, String)> {
    let mut bytes = Vec::new();
    pieces(path, |piece| bytes.extend_from_slice(piece))?;
    let sha256 = protocol::canonical::sha256_hex(&bytes);
    Ok((bytes, sha256))
}

/// Hash over all files below a folder: their names and contents, in the order of the names.
pub fn of_folder(path: &Path) -> io::Result<String> {
    let files = files(path)?;
    let mut hasher = Sha256::new();
    let mut seen = Vec::with_capacity(files.len());
    for file in &files {
        let name = file.strip_prefix(path).unwrap_or(file);
        let told = |error| within(name, error);
        let (digest, status) = of_file_with_status(file).map_err(told)?;
        hasher.update(format!("{digest} {}\n", name.display()));
        seen.push((file, name, status));
    }
    // Nothing came, went or changed after its own turn.
    for (file, name, status) in &seen {
        must_be(status, || Status::of_path(file)).map_err(|error| within(name, error))?;
    }
    let after = self::files(path)?;
    if files != after {
        return Err(unstable(Changed::new("number of files", files.len(), after.len())));
    }
    Ok(hex(&hasher.finalize()))
}

fn within(name: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", name.display()))
}

/// All files below a folder, in order.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![path.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => open.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Gives a file to `each`, piece by piece, and refuses one that is not the same file in the same state
/// afterwards.
fn pieces(path: &Path, mut each: impl FnMut(&[u8])) -> io::Result<Status> {
    // A pipe without a writer would be waited for.
    let mut file = File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let before = Status::of(&metadata);
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => each(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    // The open file, and what the path names by now.
    must_be(&before, || Ok(Status::of(&file.metadata()?)))?;
    must_be(&before, || Status::of_path(path))?;
    Ok(before)
}

fn must_be(before: &Status, now: impl FnOnce() -> io::Result<Status>) -> io::Result<()> {
    before.change(&now()?).map_or(Ok(()), |changed| Err(unstable(changed)))
}

fn unstable(changed: Changed) -> io::Error {
    io::Error::other(format!("it changed while it was read: {changed}; let nothing touch it and start again"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A file of several pieces; `meanwhile` happens to it after the first one.
    fn told(meanwhile: impl Fn(&Path)) -> Result<Status, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, vec![b'x'; 3 * PIECE]).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("permissions");
        let mut count = 0;
        let read = pieces(&path, |_| {
            count += 1;
            if count == 1 {
                meanwhile(&path);
            }
        });
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn who_reads_beside_does_no_harm() {
        told(|path| drop(fs::read(path).expect("readable"))).expect("unchanged");
    }

    #[test]
    fn what_changes_meanwhile_is_named_with_both_values() {
        let beside = |path: &Path| path.with_file_name("beside");
        let size = 3 * PIECE;
        for (what, expected, meanwhile) in [
            (
                "written to",
                format!("it changed while it was read: its size was {size}, then {}; ", size + 1),
                &(|path: &Path| {
                    let mut file = File::options().append(true).open(path).expect("a file");
                    io::Write::write_all(&mut file, b"y").expect("written");
                }) as &dyn Fn(&Path),
            ),
            ("made executable", "its mode was 100644, then 100755; ".to_owned(), &|path: &Path| {
                fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
            }),
            ("linked", "its number of links was 1, then 2; ".to_owned(), &|path: &Path| {
                fs::hard_link(path, beside(path)).expect("a link")
            }),
            ("replaced by an equal one", "its number of links was 1, then 0; ".to_owned(), &|path: &Path| {
                fs::copy(path, beside(path)).expect("a copy");
                fs::rename(beside(path), path).expect("renamed");
            }),
        ] {
            let told = told(meanwhile).expect_err(what);
            assert!(told.contains(&expected), "{what}: {told}");
        }
    }

    #[test]
    fn a_path_that_names_another_file_meanwhile_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other, path] = ["one", "other", "path"].map(|name| folder.path().join(name));
        for file in [&one, &other] {
            fs::write(file, "equal").expect("a file");
        }
        symlink(&one, &path).expect("a link");
        let error = pieces(&path, |_| {
            fs::remove_file(&path).expect("removed");
            symlink(&other, &path).expect("a link");
        });
        let told = error.expect_err("another file").to_string();
        assert!(told.contains("its inode was "), "{told}");
    }

    #[test]
    fn only_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        assert_eq!(of_file(&pipe).expect_err("a pipe").to_string(), "it is not a regular file");
        of_file(folder.path()).expect_err("a folder");
        assert_eq!(
            of_file(&folder.path().join("absent")).expect_err("absent").kind(),
            io::ErrorKind::NotFound
        );
    }

    #[test]
    fn a_folder_counts_names_and_contents() {
        let folder = tempfile::tempdir().expect("a folder");
        let digest = || of_folder(folder.path()).expect("readable");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        write("a", "1");
        let first = digest();
        write("b", "");
        let second = digest();
        assert_ne!(first, second);
        fs::rename(folder.path().join("b"), folder.path().join("c")).expect("renamed");
        assert_ne!(digest(), second);
        fs::remove_file(folder.path().join("c")).expect("removed");
        assert_eq!(digest(), first);
        write("a", "2");
        assert_ne!(digest(), first);
    }

    #[test]
    fn contents_come_with_their_hash() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "abc").expect("a file");
        let (bytes, sha256) = read(&path).expect("readable");
        assert_eq!(bytes, b"abc");
        assert_eq!(sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(of_file(&path).expect("readable"), sha256);
    }
}
